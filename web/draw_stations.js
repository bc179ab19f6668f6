// What the boards with the shape of a Yut board share: a wooden ground, a ring of twenty stations, two
// diagonals, and ways into and out of the board that cross no station. The board extends from (0, 0)
// to (100, 100); beside or below it there is room for panels.

import { label, svg } from "./dom.js";
import { addWords } from "./words.js";

addWords({
  waiting: ["waiting", "대기"],
  home: ["home", "난 말"],
  start_finish: ["start / finish", "출발 · 도착"],
});

const LOW = 9.5;
const HIGH = 90.5;
const GUTTER = 98.7; // between the stations and the edge
const CORNERS = [[HIGH, HIGH], [HIGH, LOW], [LOW, LOW], [LOW, HIGH]];
let grounds = 0;

function between([x1, y1], [x2, y2], part) {
  return [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part];
}

// Station 0 (and 20) is the bottom right corner; the path goes up, left, down and right.
export function ringPoint(index) {
  const side = Math.floor((index % 20) / 5);
  return between(CORNERS[side], CORNERS[(side + 1) % 4], (index % 5) / 5);
}

// A point on the diagonal from the top right corner to the bottom left one ...
export function fallingPoint(part) {
  return between(CORNERS[1], CORNERS[3], part);
}

// ... and on the one from the top left to the bottom right.
export function risingPoint(part) {
  return between(CORNERS[2], CORNERS[0], part);
}

// A point of the board as the viewer sees it.
export function seen([x, y], state) {
  return state?.view?.flip ? [100 - x, 100 - y] : [x, y];
}

// The way between a place outside the board and a station, through the gutter along the edge.
function gutterWay(outside, station, state) {
  const [x, y] = outside, side = state.view?.flip ? 100 - GUTTER : GUTTER;
  if (y > 100) return [outside, [x, GUTTER], [side, GUTTER], [side, station[1]]];
  if (state.view?.flip) return [outside, [100.4, y], [100.4, GUTTER], [side, GUTTER], [side, station[1]]];
  return [outside, [side, y], [side, station[1]]];
}

// The points of a path; the squares `outside` are not on the board.
export function pathOf(points, trace, outside, state) {
  let way = points;
  if (outside.includes(trace[0]) && points.length > 1) way = [...gutterWay(points[0], points[1], state), ...points.slice(1)];
  if (outside.includes(trace.at(-1)) && points.length > 1 && trace.at(-1) !== trace[0]) {
    // Out of the board by the corner, whether the piece stops there or not.
    const corner = seen(ringPoint(0), state), [x, y] = points.at(-2);
    const isThere = Math.hypot(corner[0] - x, corner[1] - y) < 1;
    way = [...way.slice(0, -1), ...(isThere ? [] : [corner]), ...gutterWay(points.at(-1), corner, state).reverse()];
  }
  return way;
}

// A wooden board with a little grain.
export function wood(x, y, width, height, rx = 4) {
  const id = `wood-${++grounds}`;
  const stop = (offset, name) => svg("stop", { offset, class: name });
  const grain = [0.18, 0.42, 0.63, 0.86].map((part, i) => {
    const top = y + height * part, bend = (i % 2 ? 1.6 : -1.3) * (height / 100);
    return `M${x + 1.5} ${top}C${x + width * 0.3} ${top + bend} ${x + width * 0.7} ${top - bend} ${x + width - 1.5} ${top + bend * 0.6}`;
  }).join("");
  return svg("g", {},
    svg("defs", {}, svg("linearGradient", { id, x1: 0, y1: 0, x2: 0.4, y2: 1 }, stop(0, "wood-high"), stop(0.55, "wood-mid"), stop(1, "wood-low"))),
    svg("rect", { x, y, width, height, rx, class: "ground", fill: `url(#${id})` }), svg("path", { d: grain, class: "grain" }));
}

export function drawLines() {
  const [a, b, c, d] = CORNERS.map((corner) => corner.join(" "));
  return svg("g", {}, wood(0.5, 0.5, 99, 99), svg("path", { class: "lines", d: `M${a}L${b}L${c}L${d}ZM${b}L${d}M${c}L${a}` }));
}

// A station with its name; big ones are the corners and the centre.
export function station(key, [x, y], big, name) {
  const group = svg("g", { class: big ? "station big" : "station", "data-key": key });
  group.append(svg("circle", { cx: x, cy: y, r: 6.4, class: "hit" }));
  if (big) group.append(svg("circle", { cx: x, cy: y, r: 6.1, class: "rim" }));
  group.append(svg("circle", { cx: x, cy: y, r: big ? 5 : 4.2, class: "spot" }));
  group.append(label(x, y, 2.9, name, { class: "name" }));
  return group;
}

// Marks where a move starts or ends: a ring, which is dashed or filled.
export function ringMark([x, y], kind, r = 6.2) {
  return svg("g", { class: `mark ${kind}` }, svg("circle", { cx: x, cy: y, r }));
}

// A row of pieces with dashed places for those that are missing.
export function slots(x, y, r, pitch, count, whole, draw) {
  const group = svg("g", {});
  for (let i = 0; i < whole; i++) {
    if (i < count) group.append(draw(x + i * pitch, y));
    else group.append(svg("circle", { cx: x + i * pitch, cy: y, r: r * 0.9, class: "slot" }));
  }
  return group;
}
