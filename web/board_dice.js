// The board of Dice Yut: numbered squares, pieces, the score, the throws to come.
// Position: `0,0,10,25 37 4,1,2` (throws known), or with --online `0,0,10,25 37 4 3`; move: `10-19`.

import { label, svg } from "./dom.js";
import { DICE_WORDS, die, drawLines, fallingPoint, pathOf, piece, ringMark, ringPoint, risingPoint, seen, slots, station } from "./draw_board.js";
import { addWords, say } from "./words.js";

export { emblem, seatMark } from "./draw_board.js";

addWords({
  finish: ["finish", "도착"],
  score: ["Score", "점수"],
  more: ["+{0} more", "+{0}번 더"],
  next_throw: ["next", "다음"],
  coming: ["throws to come", "남은 주사위"],
  throw_all: ["Roll all", "모두 굴리기"],
  square_taken: ["A piece may not stop where another one stands.", "다른 말이 있는 칸에는 멈출 수 없습니다."],
  no_own_piece: ["No piece of yours is here.", "여기에는 말이 없습니다."],
  dice_finished: ["This piece has arrived.", "이미 도착한 말입니다."],
  die_shows: ["rolls {0}", "주사위 {0}"],
  beat_points: ["+{0}", "+{0}점"],
});

const START = "0";
const FINISH = "F";
const INNER = {
  13: fallingPoint(1 / 8), "16i": fallingPoint(2 / 8), 19: fallingPoint(3 / 8), 25: fallingPoint(1 / 2),
  "26i": fallingPoint(5 / 8), 27: fallingPoint(6 / 8), "28i": fallingPoint(7 / 8),
  "22i": risingPoint(1 / 6), "24i": risingPoint(2 / 6), "30i": risingPoint(4 / 6), 35: risingPoint(5 / 6),
};
const SQUARES = [...Array.from({ length: 20 }, (_, i) => String(2 * i + 2)), ...Object.keys(INNER)];
const BIG = ["10", "20", "30", "40", "25"];

export const sample = "0,0,10,25 37 4,1,2";
export const plays_at_once = true;
export const flips = true;
export const words = DICE_WORDS;

// Whether throws are made one after the other without waiting for the player.
export function throwsTogether(state) {
  return !state.online;
}

export function throwWords(state) {
  return state.online ? null : say("throw_all");
}

export function parse(text, rules) {
  const { online } = rules;
  const words = text.trim().split(/\s+/);
  if (words.length > 4) return { pieces: Array(Number(rules.pieces)).fill(START), score: 0, throws: words, more: 0, online, turn: 0 };
  const [pieces, score, throws, present] = words;
  const left = online ? Number(throws) : 0;
  const known = online ? (present ? [present] : []) : throws === "-" ? [] : throws.split(",");
  return { pieces: pieces.split(","), score: Number(score), throws: known, more: online ? left - known.length : 0, online, turn: 0 };
}

export function write(state) {
  const throws = state.online ? [state.more + state.throws.length, ...state.throws].join(" ") : state.throws.join(",") || "-";
  return `${state.pieces.join(",")} ${state.score} ${throws}`;
}

export function size(state) {
  return state.view?.wide ? [134, 100] : [100, 127];
}

// The frames of the two panels, and where their pieces stand.
function frame(state, square) {
  const isStart = square === START;
  return state.view?.wide ? [102, isStart ? 13 : 31, 31.5, 16] : [isStart ? 0.8 : 50.8, 101.5, 48.4, 11];
}

function rowOf(state, square) {
  const [x, y] = frame(state, square);
  return state.view?.wide ? [x + 5, y + 10.6, 2.7, 7] : [x + 23.5, y + 5.5, 2.6, 6.6];
}

export function ends(move) {
  const [from, to] = move.split("-");
  return { from, to };
}

export function nameOf(move) {
  const word = (square) => (square === START ? say("waiting") : square === FINISH ? say("finish") : square.replace("i", "′"));
  return move.split("-").map(word).join(" → ");
}

// A step in the list: `4: waiting → 8 · +8`.
export function stepName(step, before, after) {
  if (step.actor === "chance") return say("die_shows", step.move);
  const gain = after.score - before.score;
  return `${before.throws[0]}: ${nameOf(step.move)}${gain ? ` · ${say("beat_points", gain)}` : ""}`;
}

export function throwView(move) {
  return { things: [{ face: move || 5 }], word: "" };
}

// With all throws known, the tray shows the next one.
export function currentThrow(state) {
  const [next] = state.throws;
  return !state.online && next > 0 ? { things: [{ face: next }], word: say("next_throw") } : null;
}

export function beat(before, after, step) {
  return step.actor === "player" && after.score - before.score >= 25 ? ["beat_points", "stack", after.score - before.score] : null;
}

export function explain(state, key, moves) {
  if (key === FINISH) return say("dice_finished");
  if (!state.pieces.includes(key)) return say("no_own_piece");
  return moves.length ? say("square_taken") : null;
}

export function point(square, turn, state) {
  if (square === START || square === FINISH) {
    const [x, y, , pitch] = rowOf(state, square);
    return [x + pitch * Math.max(0, state.pieces.filter((at) => at === square).length - 1), y];
  }
  return seen(INNER[square] ?? ringPoint(Number(square) / 2), state);
}

export function path(trace, turn, state) {
  return pathOf(trace.map((square) => point(square, turn, state)), trace, [START, FINISH], state);
}

export function token() {
  return piece(0, 0, 4.6, 0, 1, "");
}

function drawPanel(state, square, word) {
  const [x, y, width, height] = frame(state, square), [left, middle, r, pitch] = rowOf(state, square);
  const count = state.pieces.filter((at) => at === square).length;
  const group = svg("g", { class: "panel", "data-key": square }, svg("rect", { x, y, width, height, rx: 2 }));
  group.append(label(x + 2.5, state.view?.wide ? y + 4 : middle, 3.2, `${say(word)} ${count}`, { class: "small", "text-anchor": "start" }));
  group.append(slots(left, middle, r, pitch, count, state.pieces.length, (px, py) => piece(px, py, r, 0, 1, "")));
  return group;
}

function drawThrows(state) {
  const wide = state.view?.wide, pitch = Math.min(6.9, 62 / Math.max(1, state.throws.length - 1)), group = svg("g", { class: "throws" });
  group.append(label(wide ? 103 : 2, wide ? 6.5 : 120.5, wide ? 5.4 : 4.4, `${say("score")} ${state.score}`, { class: "score", "text-anchor": "start" }));
  if (wide && state.throws.length + state.more > 0) group.append(label(103, 54, 3, say("coming"), { class: "small", "text-anchor": "start" }));
  state.throws.forEach((face, i) => {
    const [x, y] = wide ? [105.9 + (i % 4) * 7.8, 61 + Math.floor(i / 4) * 9] : [33.5 + i * pitch, 120.5];
    group.append(die(x, y, i === 0 ? 3.5 : 2.9, face, { class: i === 0 ? "next" : "later" }));
  });
  if (state.more > 0)
    group.append(label(wide ? (state.throws.length ? 113 : 103) : state.throws.length ? 41 : 33, wide ? 61 : 120.5, 3.4, say("more", state.more), { class: "small", "text-anchor": "start" }));
  return group;
}

export function draw(root, state, scene) {
  root.append(drawLines());
  for (const square of SQUARES) root.append(station(square, point(square, 0, state), BIG.includes(square), square.replace("i", "")));
  root.append(drawPanel(state, START, "waiting"), drawPanel(state, FINISH, "finish"));
  for (const square of state.pieces.filter((at) => at !== START && at !== FINISH)) {
    const [x, y] = point(square, 0, state);
    const drawn = piece(x, y, 4.6, 0, 1, square.replace("i", ""));
    drawn.setAttribute("data-key", square);
    root.append(drawn);
  }
  for (const square of scene.sources) root.append(ringMark(point(square, 0, state), "from", square === START ? 3.6 : 6.4));
  for (const square of scene.targets) root.append(ringMark(point(square, 0, state), "to", 5.6));
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
