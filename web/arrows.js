// Arrows on a board that show moves with their values.

import { label, lengthOf, svg } from "./dom.js";

const HEAD = 4.2;
const PIECE = 4.8; // an arrow begins at the edge of its piece

// An arrow along a path; `labels` are the places of labels drawn before, which are kept free.
export function arrow(module, state, { trace, turn = state.turn, tone = "plain", label: words = "", second = false }, labels) {
  const group = svg("g", { class: `arrow tone-${tone}${second ? " second" : ""}`, test: "arrow" });
  if (!trace || trace.length < 2) return group;
  const points = module.path ? module.path(trace, turn, state) : [module.point(trace[0], turn, state), module.point(trace.at(-1), turn, state)];
  const [x1, y1] = points.at(-2), [x2, y2] = points.at(-1);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1, [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const tip = [x2 - ux * 1.5, y2 - uy * 1.5], neck = [tip[0] - ux * HEAD, tip[1] - uy * HEAD];
  const way = [begin(points), ...points.slice(1, -1), neck].map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  const half = second ? 2.1 : 2.8;
  group.append(svg("path", { d: `M${way}` }),
    svg("path", { class: "head", d: `M${tip[0]} ${tip[1]}L${neck[0] - uy * half} ${neck[1] + ux * half}L${neck[0] + uy * half} ${neck[1] - ux * half}Z` }));
  if (words) group.append(tag(words, labelPlace(points, labels)));
  return group;
}

// Where the line begins: a little after the middle of the first square, if it is long enough.
function begin([[x1, y1], [x2, y2]]) {
  const length = Math.hypot(x2 - x1, y2 - y1), part = length > PIECE + HEAD ? PIECE / length : 0;
  return [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part];
}

// Near the head of the arrow, moved along until it covers no other label.
function labelPlace(points, labels) {
  const [x1, y1] = points.at(-2), [x2, y2] = points.at(-1);
  for (const part of [0.62, 0.42, 0.24, 0.8, 0.1]) {
    const at = [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part];
    if (labels.every(([x, y]) => Math.abs(x - at[0]) > 12 || Math.abs(y - at[1]) > 6)) {
      labels.push(at);
      return at;
    }
  }
  const at = [x2, y2 - 7 * (labels.length % 3)];
  labels.push(at);
  return at;
}

function tag(words, [x, y]) {
  const width = 2.4 + 3.5 * lengthOf(words);
  return svg("g", {}, svg("rect", { x: x - width / 2, y: y - 2.7, width, height: 5.4, rx: 1.6 }), label(x, y + 0.15, 3.3, words));
}

// Where moves are sets of things: a frame around each of them.
export function outline(module, state, { move, tone = "plain", label: words = "" }) {
  const group = svg("g", { class: `arrow tone-${tone}`, test: "arrow" });
  if (!move) return group;
  const points = module.parts(move).map((part) => module.point(part, 0, state));
  group.append(...points.map(([x, y]) => svg("path", { d: `M${x - 3.6} ${y + 6}h7.2` })));
  if (words && points.length) group.append(tag(words, [points.reduce((sum, [x]) => sum + x, 0) / points.length, points[0][1] - 8]));
  return group;
}
