// The board of Dice Yut: numbered squares, pieces, the score, the throws to come.
// Position: `0,0,10,25 37 4,1,2` (throws known), or with --online `0,0,10,25 37 4 3`; move: `10-19`.

import { label, svg } from "./dom.js";
import { die, piece } from "./draw_pieces.js";
import { drawLines, fallingPoint, ringMark, ringPoint, risingPoint, station } from "./draw_stations.js";
import { addWords, say } from "./words.js";

export { seatMark } from "./draw_pieces.js";

addWords({
  finish: ["finish", "도착"],
  score: ["Score", "점수"],
  more: ["+{0} more", "+{0}번 더"],
});

const START = "0";
const FINISH = "F";
const PIECES = 4;
const INNER = {
  13: fallingPoint(1 / 8), "16i": fallingPoint(2 / 8), 19: fallingPoint(3 / 8), 25: fallingPoint(1 / 2),
  "26i": fallingPoint(5 / 8), 27: fallingPoint(6 / 8), "28i": fallingPoint(7 / 8),
  "22i": risingPoint(1 / 6), "24i": risingPoint(2 / 6), "30i": risingPoint(4 / 6), 35: risingPoint(5 / 6),
};
const SQUARES = [...Array.from({ length: 20 }, (_, i) => String(2 * i + 2)), ...Object.keys(INNER)];
const BIG = ["10", "20", "30", "40", "25"];

export const plays_at_once = true;

export function parse(text, rules) {
  const { online } = rules;
  const words = text.trim().split(/\s+/);
  if (words.length === 10) return { pieces: Array(PIECES).fill(START), score: 0, throws: words, more: 0, online };
  const [pieces, score, throws, present] = words;
  const left = online ? Number(throws) : 0;
  const known = online ? (present ? [present] : []) : throws === "-" ? [] : throws.split(",");
  return { pieces: pieces.split(","), score: Number(score), throws: known, more: online ? left - known.length : 0, online };
}

export function write(state) {
  const throws = state.online ? [state.more + state.throws.length, ...state.throws].join(" ") : state.throws.join(",") || "-";
  return `${state.pieces.join(",")} ${state.score} ${throws}`;
}

export function size() {
  return [100, 128];
}

export function ends(move) {
  const [from, to] = move.split("-");
  return { from, to };
}

export function nameOf(move) {
  const word = (square) => (square === START ? say("waiting") : square === FINISH ? say("finish") : square);
  return move.split("-").map(word).join(" → ");
}

export function point(square) {
  if (square === START) return [24, 106.5];
  if (square === FINISH) return [74, 106.5];
  return INNER[square] ?? ringPoint(Number(square) / 2);
}

export function token() {
  return piece(0, 0, 4.6, 0, 1, "");
}

function drawPanel(state, square, x, word) {
  const count = state.pieces.filter((at) => at === square).length;
  const group = svg("g", { class: "panel", "data-key": square }, svg("rect", { x, y: 101, width: 48, height: 11, rx: 2 }));
  group.append(label(x + 2, 106.5, 3.4, `${say(word)} ${count}`, { class: "small", "text-anchor": "start" }));
  for (let i = 0; i < count; i++) group.append(piece(x + 23 + i * 6.4, 106.5, 2.6, 0, 1, ""));
  return group;
}

function drawThrows(state) {
  const group = svg("g", { class: "throws" });
  group.append(label(2, 121, 4, `${say("score")} ${state.score}`, { class: "score", "text-anchor": "start" }));
  state.throws.forEach((face, i) => group.append(die(31 + i * 7.2, 121, i === 0 ? 3.5 : 2.9, face, { class: i === 0 ? "next" : "later" })));
  if (state.more > 0)
    group.append(label(state.throws.length ? 40 : 31, 121, 3.6, say("more", state.more), { class: "small", "text-anchor": "start" }));
  return group;
}

export function draw(root, state, scene) {
  root.append(drawLines());
  for (const square of SQUARES) root.append(station(square, point(square), BIG.includes(square), square));
  root.append(drawPanel(state, START, 1, "waiting"), drawPanel(state, FINISH, 51, "finish"));
  for (const square of state.pieces.filter((at) => at !== START && at !== FINISH)) {
    const [x, y] = point(square);
    const drawn = piece(x, y, 4.6, 0, 1, square);
    drawn.classList.add("named");
    drawn.setAttribute("data-key", square);
    root.append(drawn);
  }
  for (const square of scene.sources) root.append(ringMark(point(square), "from", square === START ? 3.6 : 6.4));
  for (const square of scene.targets) root.append(ringMark(point(square), "to", 5.6));
  root.append(drawThrows(state));
}

// Editing: puts a waiting piece on the square, or removes the one there.
export function brushes() {
  return [["put", "●"], ["remove", say("brush_remove")]];
}

export function edit(state, square, brush) {
  const from = brush === "remove" ? square : START;
  const index = state.pieces.indexOf(from);
  if (index >= 0) state.pieces[index] = brush === "remove" ? START : square;
  return state;
}
