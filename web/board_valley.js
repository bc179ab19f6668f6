// King's Valley: five by five squares, kings with crowns, soldiers with shields.
// Position: `sskss/5/5/5/SSKSS w 1`; move: `a1d4`.

import { label, svg } from "./dom.js";
import { addWords, say } from "./words.js";

addWords({
  king: ["king", "왕"],
  soldier: ["soldier", "병사"],
  white: ["white", "백"],
  black: ["black", "흑"],
});

const FILES = "abcde";
const SQUARE = 18;
const EDGE = 5;
const VALLEY = "c3";

const KING = "M-5.6 5.4L-6.4 -3.6L-2.9 -0.4L0 -6.4L2.9 -0.4L6.4 -3.6L5.6 5.4Z";
const SOLDIER = "M-4.6 -5.2H4.6V0C4.6 3.6 1.8 5.4 0 6.4C-1.8 5.4 -4.6 3.6 -4.6 0Z";

// The sides are white and black, not letters in colours.
export const black_and_white = true;

export function seatMark(seat) {
  return say(seat ? "black" : "white");
}

export function parse(text) {
  const [board, side, ply] = text.trim().split(/\s+/);
  const at = {};
  board.split("/").forEach((row, i) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else at[FILES[file++] + (5 - i)] = letter;
    }
  });
  return { at, side, ply, turn: side === "b" ? 1 : 0 };
}

export function write(state) {
  const rows = [5, 4, 3, 2, 1].map((rank) => [...FILES].map((file) => state.at[file + rank] ?? "1").join("").replace(/1+/g, (run) => run.length));
  return `${rows.join("/")} ${state.side} ${state.ply}`;
}

export function size() {
  return [100, 100];
}

export function ends(move) {
  return { from: move.slice(0, 2), to: move.slice(2, 4) };
}

export function nameOf(move) {
  return `${move.slice(0, 2)} → ${move.slice(2, 4)}`;
}

export function point(square) {
  return [EDGE + (FILES.indexOf(square[0]) + 0.5) * SQUARE, EDGE + (5 - Number(square[1]) + 0.5) * SQUARE];
}

function drawPiece([x, y], letter) {
  const isWhite = letter === letter.toUpperCase(), isKing = letter.toUpperCase() === "K";
  return svg("g", { class: `token man ${isWhite ? "white" : "black"}`, transform: `translate(${x} ${y})` },
    svg("path", { d: isKing ? KING : SOLDIER }),
    label(0, isKing ? 2.6 : -0.8, isKing ? 4.6 : 5, letter, { class: "letter" }));
}

export function token(state, square) {
  return drawPiece([0, 0], state.at[square] ?? "S");
}

function corners([x, y], kind) {
  const r = SQUARE / 2 - 1.2, leg = 4;
  const arm = (sx, sy) => `M${x + sx * r} ${y + sy * (r - leg)}V${y + sy * r}H${x + sx * (r - leg)}`;
  return svg("path", { class: `mark ${kind}`, d: arm(-1, -1) + arm(1, -1) + arm(-1, 1) + arm(1, 1) });
}

function describe(letter) {
  if (!letter) return "";
  const side = letter === letter.toUpperCase() ? "white" : "black";
  return `${say(side)} ${say(letter.toUpperCase() === "K" ? "king" : "soldier")}`;
}

export function draw(root, state, scene) {
  for (let rank = 5; rank >= 1; rank--) {
    for (const file of FILES) {
      const square = file + rank, [x, y] = point(square);
      const group = svg("g", { class: "cell", "data-key": square, "aria-label": `${square} ${describe(state.at[square])}` });
      group.append(svg("rect", { x: x - SQUARE / 2, y: y - SQUARE / 2, width: SQUARE, height: SQUARE, class: (FILES.indexOf(file) + rank) % 2 ? "light" : "dark" }));
      if (square === VALLEY) group.append(svg("path", { class: "valley", d: `M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z` }));
      root.append(group);
    }
  }
  for (let i = 0; i < 5; i++) {
    const middle = EDGE + (i + 0.5) * SQUARE;
    for (const edge of [EDGE / 2, 100 - EDGE / 2])
      root.append(label(middle, edge, 3.4, FILES[i], { class: "small" }), label(edge, middle, 3.4, 5 - i, { class: "small" }));
  }
  for (const square of [scene.last[0], scene.last.at(-1)].filter(Boolean)) root.append(corners(point(square), "last"));
  for (const [square, letter] of Object.entries(state.at)) {
    const drawn = drawPiece(point(square), letter);
    drawn.setAttribute("data-key", square);
    root.append(drawn);
  }
  for (const square of scene.sources) root.append(corners(point(square), "from"));
  for (const square of scene.targets) {
    const [x, y] = point(square);
    root.append(svg("circle", { cx: x, cy: y, r: 4, class: "mark to" }), corners([x, y], "to"));
  }
}

// Editing: puts the brush's piece on the square.
export function brushes() {
  return ["K", "S", "k", "s"].map((letter) => [letter, `${letter} ${describe(letter)}`]).concat([["remove", say("brush_remove")]]);
}

export function edit(state, square, brush) {
  if (brush === "remove") delete state.at[square];
  else state.at[square] = brush;
  return state;
}
