// What boards are drawn with, in four parts: pieces and dice; the boards with the shape of a Yut board;
// the tray in which sticks and dice are thrown; arrows that show moves with their values.

import { el, finished, label, lengthOf, painted, put, svg } from "./dom.js";
import { addWords, say } from "./words.js";

// --- pieces and dice ---

// Pieces and dice, drawn the same way on every board. Shape and letter tell the owner of a piece, not
// only its colour.


export const LETTERS = "ABCDEFGH";

// How a board marks a seat. Boards export it.
export function seatMark(seat) {
  return LETTERS[seat];
}

// The same as a drawing of radius 8. Boards export it.
export function emblem(seat) {
  return piece(0, 0, 6.4, seat);
}

function shape(player, r, attributes) {
  const points = (list) => list.map(([x, y]) => `${x * r},${y * r}`).join(" ");
  if (player % 4 === 1) return svg("rect", { x: -0.88 * r, y: -0.88 * r, width: 1.76 * r, height: 1.76 * r, rx: 0.25 * r, ...attributes });
  if (player % 4 === 2) return svg("polygon", { points: points([[0, -1.12], [1.06, 0.82], [-1.06, 0.82]]), ...attributes });
  if (player % 4 === 3) return svg("polygon", { points: points([[0, -1.14], [1.14, 0], [0, 1.14], [-1.14, 0]]), ...attributes });
  return svg("circle", { r, ...attributes });
}

// A piece of `player` at (x, y); `count` of them stacked; `letter` may be "".
export function piece(x, y, r, player, count = 1, letter = LETTERS[player]) {
  const group = svg("g", { class: `token piece p${player}`, transform: `translate(${x} ${y})` });
  group.append(svg("g", { transform: `translate(${r * 0.1} ${r * 0.16})` }, shape(player, r, { class: "shade" })));
  for (let i = Math.min(count, 4) - 1; i > 0; i--)
    group.append(svg("g", { transform: `translate(${i * r * 0.16} ${-i * r * 0.2})` }, shape(player, r, { class: "body" })));
  group.append(shape(player, r, { class: "body" }));
  if (letter) group.append(label(0, player % 4 === 2 ? r * 0.2 : 0.05 * r, letter.length > 1 ? r * 0.75 : r * 1.05, letter, { class: "letter" }));
  if (count > 1)
    group.append(
      svg("circle", { cx: r * 0.8, cy: r * 0.75, r: r * 0.55, class: "badge" }),
      label(r * 0.8, r * 0.77, r * 0.78, count, { class: "badge-text" }),
    );
  return group;
}

// What games with dice say instead of "throw". Boards export it as `words`.
export const DICE_WORDS = {
  throw: ["Roll", "굴리기"],
  your_throw: ["Your roll, {0}", "{0}, 주사위를 굴리세요"],
  to_throw: ["{0} to roll", "{0} 차례입니다 (굴리기)"],
  throwing: ["{0} rolls…", "{0} 주사위 굴리는 중…"],
  throws: ["What can be rolled", "나올 수 있는 주사위"],
  luck_of_throw: ["Luck of this roll", "이 주사위의 운"],
};

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

// A die of half width r that shows `face`: pips up to six, otherwise text.
export function die(x, y, r, face, attributes = {}) {
  const group = svg("g", { class: `die ${attributes.class ?? ""}`, transform: `translate(${x} ${y})` });
  group.append(svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: r * 0.32 }));
  if (PIPS[face]) for (const [dx, dy] of PIPS[face]) group.append(svg("circle", { cx: dx * r * 0.5, cy: dy * r * 0.5, r: r * 0.18, class: "pip" }));
  else group.append(label(0, 0, r * (String(face).length > 1 ? 0.95 : 1.15), face, { class: "face" }));
  return group;
}

// --- stations ---

// What the boards with the shape of a Yut board share: a wooden ground, a ring of twenty stations, two
// diagonals, and ways into and out of the board that cross no station. The board extends from (0, 0)
// to (100, 100); beside or below it there is room for panels.


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

// --- the tray ---

// The tray beside the board: four yut sticks or dice, at rest, tumbling, and as they fell.
//
// A board module describes a throw as { word, things }, where each thing is a stick { flat, marked }
// or a die { face }. Only transforms are animated, so that the compositor does the work.


addWords({
  "result_back-do": ["back-do", "빽도"],
  result_do: ["do", "도"],
  result_gae: ["gae", "개"],
  result_geol: ["geol", "걸"],
  result_yut: ["yut", "윷"],
  result_mo: ["mo", "모"],
  result_nak: ["off the mat", "낙"],
});

// Which sticks lie with the flat side up; the first one is marked for back-do.
const FLAT = {
  "back-do": [true, false, false, false],
  do: [false, true, false, false],
  gae: [false, true, true, false],
  geol: [false, true, true, true],
  yut: [true, true, true, true],
  mo: [false, false, false, false],
};
const TILTS = [-10, 6, -5, 9];

// A throw of four sticks. Boards use it.
export function sticksOf(result) {
  const flats = FLAT[result] ?? [false, true, false, true];
  return { word: FLAT[result] || result === "nak" ? say(`result_${result}`) : "", things: flats.map((flat, i) => ({ flat, marked: i === 0 })) };
}

function stickFace(isFlat, isMarked, name) {
  const face = svg("svg", { viewBox: "0 0 17 68", class: name, "aria-hidden": "true" });
  face.append(svg("rect", { x: 1, y: 1, width: 15, height: 66, rx: 7.5, class: isFlat ? "stick-flat" : "stick-round" }));
  if (isFlat && isMarked) face.append(svg("circle", { cx: 8.5, cy: 54, r: 2.6, class: "stick-dot" }));
  if (!isFlat) {
    face.append(svg("rect", { x: 3.4, y: 6, width: 3, height: 56, rx: 1.5, class: "stick-glow" }));
    for (const y of [16, 34, 52]) face.append(svg("path", { d: `M4.5 ${y - 4}L12.5 ${y + 4}M12.5 ${y - 4}L4.5 ${y + 4}`, class: "stick-cross" }));
  }
  return face;
}

// A throw as it lies.
export function drawThrow({ things }) {
  const drawn = things.map(drawThing);
  drawn.forEach((one, i) => { one.style.transform = pose(things[i], i); });
  return el("div", { class: "throw-set" }, drawn);
}

function drawThing(thing) {
  if (thing.face !== undefined)
    return el("div", { class: "die3d" }, svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, die(0, 0, 7, thing.face)));
  return el("div", { class: "stick3d" }, stickFace(true, thing.marked, "front"), stickFace(false, false, "back"));
}

// How thing number `i` lies, as a transform; `turns` are whole turns before it came to rest.
function pose(thing, i, turns = 0) {
  if (thing.face !== undefined) return `rotate(${(i % 2 ? 5 : -4) + 360 * turns}deg)`;
  return `rotate(${TILTS[i % 4]}deg) rotateY(${360 * turns + (thing.flat ? 0 : 180)}deg)`;
}

// How it lies in the hand.
const thrownPose = (thing, i) => pose({ ...thing, flat: i % 2 === 0 }, i);

function tumble(drawn, thing, i, time) {
  const height = -26 - 12 * ((i * 7) % 3), drift = (i % 2 ? 8 : -8) * (1 + (i % 3));
  const spin = thing.face !== undefined ? `rotate(${i % 2 ? 200 : -220}deg) scale(1.15)` : `rotate(${i % 2 ? 65 : -70}deg) rotateY(${540 + 180 * i}deg) scale(1.1)`;
  return drawn.animate([
    { transform: thrownPose(thing, i), easing: "ease-out" },
    { transform: `translate(${drift}px, ${height}px) ${spin}`, offset: 0.45, easing: "ease-in" },
    { transform: `translate(0, 0) ${pose(thing, i, 3)}`, offset: 0.84, easing: "ease-out" },
    { transform: `translate(0, -5px) ${pose(thing, i, 3)}`, offset: 0.92, easing: "ease-in" },
    { transform: `translate(0, 0) ${pose(thing, i, 3)}` },
  ], { duration: time * (0.86 + 0.07 * (i % 3)), fill: "backwards" });
}

export class Tray {
  constructor() {
    this.element = el("div", { class: "tray", test: "tray" });
  }

  // Shows a throw; null: things at rest. With `time`, they tumble that many milliseconds first.
  async show(view, time = 0, resting = null) {
    const shown = view ?? resting;
    if (!shown) {
      put(this.element);
      return;
    }
    const set = drawThrow(shown), drawn = [...set.children], word = el("span", { class: "thrown-word" });
    set.classList.toggle("resting", !view);
    set.setAttribute("role", "img");
    set.setAttribute("aria-label", view?.word ?? "");
    if (shown.word !== undefined) set.append(word);
    put(this.element, set);
    if (view && time > 0) {
      drawn.forEach((one, i) => { one.style.transform = thrownPose(shown.things[i], i); });
      await painted();
      drawn.forEach((one, i) => { one.style.transform = pose(shown.things[i], i); });
      const runs = drawn.map((one, i) => tumble(one, shown.things[i], i, time));
      await Promise.all(runs.map((run) => finished(run, time)));
    }
    put(word, view?.word ?? "");
  }
}

// --- arrows ---

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
  if (words) group.append(tag(words, labelPlace(points, labels, tagWidth(words))));
  return group;
}

// Where the line begins: a little after the middle of the first square, if it is long enough.
function begin([[x1, y1], [x2, y2]]) {
  const length = Math.hypot(x2 - x1, y2 - y1), part = length > PIECE + HEAD ? PIECE / length : 0;
  return [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part];
}

// Near the head of the arrow, moved along until it covers no other label. Where the last part of the way
// is too short, on the longest one; where every part is, beside the arrow.
function labelPlace(points, labels, width) {
  const isStraight = ([x1, y1], [x2, y2], [x3, y3]) => Math.abs((x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2)) < 0.1;
  const bends = points.filter((at, i) => i === 0 || i === points.length - 1 || !isStraight(points[i - 1], at, points[i + 1]));
  const parts = bends.slice(1).map(([x2, y2], i) => [...bends[i], x2, y2]), long = ([x1, y1, x2, y2]) => Math.hypot(x2 - x1, y2 - y1);
  const room = ([x1, y1, x2, y2]) => 12 + (Math.abs(x2 - x1) > Math.abs(y2 - y1) ? width : 5.4);
  const way = long(parts.at(-1)) >= room(parts.at(-1)) ? parts.at(-1) : parts.reduce((best, part) => (long(part) > long(best) ? part : best));
  const [x1, y1, x2, y2] = way;
  const along = [0.62, 0.42, 0.24, 0.8, 0.1].map((part) => [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part]);
  const isFlat = Math.abs(x2 - x1) > Math.abs(y2 - y1), [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const beside = [1, -1].map((side) => (isFlat ? [mx, my + 5.6 * side] : [mx + (width / 2 + 3.4) * side, my]));
  const places = (long(way) >= room(way) ? along : [...beside, ...along]).filter(([x, y]) => y > 3 && y < 100 && x > width / 2 && x + width / 2 < Math.max(100, ...points.map(([px]) => px)));
  const at = places.find(([x, y]) => labels.every(([lx, ly]) => Math.abs(x - lx) > 12 || Math.abs(y - ly) > 6)) ?? [points.at(-1)[0], points.at(-1)[1] - 7 * (labels.length % 3)];
  labels.push(at);
  return at;
}

const tagWidth = (words) => 2.4 + 3.5 * lengthOf(words);

function tag(words, [x, y]) {
  const width = tagWidth(words);
  return svg("g", { class: "tag" }, svg("rect", { x: x - width / 2, y: y - 2.7, width, height: 5.4, rx: 1.6 }), label(x, y + 0.15, 3.3, words));
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
