// The board of the Yut race: one piece each, squares numbered from 0, home is 50.
// Position: `5 10 0`; there are no moves, only throws, which move the piece.

import { label, svg } from "./dom.js";
import { drawLines, fallingPoint, LETTERS, pathOf, piece, ringPoint, risingPoint, seen, station, sticksOf } from "./draw_board.js";
import { addWords, say } from "./words.js";

export { emblem, seatMark } from "./draw_board.js";

addWords({
  throws_only: ["There is nothing to choose here: throw, and the piece runs by itself.", "고를 것이 없습니다. 윷을 던지면 말이 저절로 움직입니다."],
  race_again: ["Again!", "한 번 더!"],
  race_home: ["Home!", "났다!"],
  at_square: ["on {0}", "{0}번 자리"],
});

const HOME = "50";
const SQUARES = 29;
const BIG = [0, 5, 10, 15, 26];

export const sample = "7 13 0";
export const plays_at_once = true;
export const flips = true;

export function parse(text) {
  const [first, second, turn] = text.trim().split(/\s+/);
  return { pieces: [first, second], turn: Number(turn) };
}

export function write(state) {
  return [...state.pieces, state.turn].join(" ");
}

function frame(state, player) {
  return state.view?.wide ? [102, 1 + player * 20, 28, 18] : [0.8 + player * 50, 101.5, 48.4, 11];
}

export function size(state) {
  return state.view?.wide ? [130.5, 100] : [100, 113.5];
}

export function ends(move, trace) {
  return { from: trace[0], to: trace.at(-1) };
}

export function nameOf(move) {
  return say(`result_${move}`);
}

export function throwView(move) {
  return sticksOf(move);
}

export function beat(before, after, step) {
  if (after.pieces[step.player] === HOME && before.pieces[step.player] !== HOME) return ["race_home", "home"];
  return ["yut", "mo"].includes(step.move) ? ["race_again", "great"] : null;
}

export function explain() {
  return say("throws_only");
}

export function point(square, turn, state) {
  const number = Number(square);
  if (square === HOME) {
    const [x, y, , height] = frame(state, turn);
    return [x + 6, y + height / 2];
  }
  if (number < 20) return seen(ringPoint(number), state);
  if (number === 26) return seen(fallingPoint(1 / 2), state);
  if (number <= 23) return seen(fallingPoint((number < 22 ? number - 19 : number - 18) / 6), state);
  return seen(risingPoint((number - 23) / 6), state);
}

export function path(trace, turn, state) {
  return pathOf(trace.map((square) => point(square, turn, state)), trace, [HOME], state);
}

export function token(state, square, turn) {
  return piece(0, 0, 4.6, turn);
}

export function draw(root, state, scene) {
  root.append(drawLines());
  for (let number = 0; number < SQUARES; number++) root.append(station(String(number), point(String(number), 0, state), BIG.includes(number), number));
  const [cx, cy] = point("0", 0, state), below = cy > 50;
  root.append(label(below ? cx - 8 : cx + 8, below ? 97.2 : 2.8, 2.5, say("start_finish"), { class: "on-wood", "text-anchor": below ? "end" : "start" }));
  const share = state.pieces[0] === state.pieces[1];
  state.pieces.forEach((square, player) => {
    const [x, y, width, height] = frame(state, player);
    root.append(svg("g", { class: state.turn === player && scene.running ? "panel turn" : "panel" },
      svg("rect", { x, y, width, height, rx: 2 }),
      square !== HOME && piece(x + 6, y + height / 2, 3.4, player),
      label(x + 12, y + height / 2, 3.2, square === HOME ? say("home") : say("at_square", square), { class: "small", "text-anchor": "start" })));
    const [px, py] = point(square, player, state);
    const drawn = piece(px + (share && square !== HOME ? (player - 0.5) * 7 : 0), py, square === HOME ? 3.4 : 4.6, player);
    drawn.setAttribute("data-key", square);
    root.append(drawn);
  });
}

// Editing: puts the brush's piece on the square.
export function brushes() {
  return ["0", "1"].map((player) => [player, LETTERS[player]]);
}

export function edit(state, square, brush) {
  state.pieces[Number(brush)] = square;
  return state;
}
