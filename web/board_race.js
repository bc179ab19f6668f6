// The board of the Yut race: one piece each, squares numbered from 0, home is 50.
// Position: `5 10 0`; there are no moves, only throws, which move the piece.

import { label, svg } from "./dom.js";
import { LETTERS, piece } from "./draw_pieces.js";
import { drawLines, fallingPoint, ringPoint, risingPoint, station } from "./draw_stations.js";
import { say } from "./words.js";

export { seatMark } from "./draw_pieces.js";
export { showThrow } from "./draw_sticks.js";

const HOME = "50";
const SQUARES = 29;
const BIG = [0, 5, 10, 15, 26];

export const plays_at_once = true;

export function parse(text) {
  const [first, second, turn] = text.trim().split(/\s+/);
  return { pieces: [first, second], turn: Number(turn) };
}

export function write(state) {
  return [...state.pieces, state.turn].join(" ");
}

export function size() {
  return [100, 113];
}

export function ends(move, trace) {
  return { from: trace[0], to: trace.at(-1) };
}

export function nameOf(move) {
  return say("result_" + move);
}

export function point(square, turn) {
  const number = Number(square);
  if (square === HOME) return [25 + turn * 50 + 12, 106.5];
  if (number < 20) return ringPoint(number);
  if (number === 26) return fallingPoint(1 / 2);
  if (number <= 23) return fallingPoint((number < 22 ? number - 19 : number - 18) / 6);
  return risingPoint((number - 23) / 6);
}

export function token(state, square, turn) {
  return piece(0, 0, 4.6, turn);
}

export function draw(root, state, scene) {
  root.append(drawLines());
  for (let number = 0; number < SQUARES; number++) root.append(station(String(number), point(String(number)), BIG.includes(number), number));
  root.append(label(84.5, 97.4, 2.8, say("start_finish"), { class: "small", "text-anchor": "end" }));
  const share = state.pieces[0] === state.pieces[1];
  state.pieces.forEach((square, player) => {
    const x = 1 + player * 50;
    root.append(svg("g", { class: state.turn === player && scene.running ? "panel turn" : "panel" },
      svg("rect", { x, y: 101, width: 48, height: 11, rx: 2 }),
      piece(x + 6, 106.5, 3.4, player),
      label(x + 13, 106.5, 3.6, square === HOME ? say("home") : square, { class: "small", "text-anchor": "start" })));
    const [px, py] = point(square, player);
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
