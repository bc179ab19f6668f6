// King's Valley: five by five squares, kings with crowns, soldiers with shields.
// Position: `sskss/5/5/5/SSKSS w 1`; move: `a1d4`.

import { label, svg } from "./dom.js";
import { wood } from "./draw_board.js";
import { addWords, say } from "./words.js";

addWords({
  king: ["king", "왕"],
  soldier: ["soldier", "병사"],
  white: ["white", "백"],
  black: ["black", "흑"],
  soldier_first: ["White's very first move must be a soldier's.", "백의 첫수는 병사로만 둘 수 있습니다."],
  other_side: ["It is {0}'s turn.", "{0}의 차례입니다."],
  empty_square: ["There is no piece on {0}.", "{0}에는 말이 없습니다."],
  piece_stuck: ["This piece has no move: every way is blocked, or ends in the valley, where only a king may stop.", "이 말은 갈 곳이 없습니다. 길이 막혔거나, 왕만 멈출 수 있는 한가운데에서 끝납니다."],
  must_slide: ["A piece slides as far as it can: from {0} it can reach {1}.", "말은 갈 수 있는 끝까지 미끄러집니다. {0}에서는 {1}에 갈 수 있습니다."],
  beat_win: ["Victory!", "승리!"],
});

const FILES = "abcde";
const SQUARE = 18;
const EDGE = 5;
const VALLEY = "c3";

const KING = "M-5.8 5.6L-6.6 -3.4L-3.1 -0.2L0 -6.2L3.1 -0.2L6.6 -3.4L5.8 5.6Z";
const SOLDIER = "M-4.8 -5.4Q0 -4 4.8 -5.4V0C4.8 3.7 1.9 5.5 0 6.6C-1.9 5.5 -4.8 3.7 -4.8 0Z";
const DETAIL = { K: "M-5.2 3H5.2M0 -6.2V-6.3", S: "M0 -3.6V4.4M-3.2 -0.6H3.2" };

// The sides are white and black, not letters in colours.
export const black_and_white = true;
export const sample = "s1k1s/3s1/1s1S1/2S2/S1K1S w 9";
export const tints_last = true;
export const flips = true;

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

// A move in a line of moves.
export function shortName(move) {
  return move;
}

export function point(square, turn, state) {
  const x = EDGE + (FILES.indexOf(square[0]) + 0.5) * SQUARE, y = EDGE + (5 - Number(square[1]) + 0.5) * SQUARE;
  return state?.view?.flip ? [100 - x, 100 - y] : [x, y];
}

function drawPiece([x, y], letter) {
  const isWhite = letter === letter.toUpperCase(), isKing = letter.toUpperCase() === "K";
  return svg("g", { class: `token man ${isWhite ? "white" : "black"}`, transform: `translate(${x} ${y})` },
    svg("path", { d: isKing ? KING : SOLDIER, class: "shape" }),
    svg("path", { d: DETAIL[isKing ? "K" : "S"], class: "detail" }),
    isKing && svg("circle", { cx: 0, cy: -6.2, r: 0.9, class: "shape" }));
}

export function emblem(seat) {
  return drawPiece([0, 0], seat ? "k" : "K");
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

// Why a click on `key` does nothing; `selected` is the square chosen before.
export function explain(state, key, moves, selected) {
  const letter = state.at[key];
  if (selected && selected !== key && !letter) {
    const ends = moves.filter((move) => move.move.startsWith(selected)).map((move) => move.move.slice(2, 4));
    return say("must_slide", selected, ends.join(", "));
  }
  if (!letter) return moves.length ? say("empty_square", key) : null;
  if ((letter === letter.toUpperCase()) !== (state.turn === 0)) return say("other_side", seatMark(state.turn));
  if (letter === "K" && state.ply === "1") return say("soldier_first");
  return moves.length ? say("piece_stuck") : null;
}

export function draw(root, state, scene) {
  root.append(wood(0.4, 0.4, 99.2, 99.2, 2.5));
  for (let rank = 5; rank >= 1; rank--) {
    for (const file of FILES) {
      const square = file + rank, [x, y] = point(square, 0, state);
      const group = svg("g", { class: "cell", "data-key": square, "aria-label": `${square} ${describe(state.at[square])}` });
      group.append(svg("rect", { x: x - SQUARE / 2, y: y - SQUARE / 2, width: SQUARE, height: SQUARE, class: (FILES.indexOf(file) + rank) % 2 ? "light" : "dark" }));
      if (square === scene.last[0] || square === scene.last.at(-1)) group.append(svg("rect", { x: x - SQUARE / 2, y: y - SQUARE / 2, width: SQUARE, height: SQUARE, class: "was" }));
      if (square === VALLEY) group.append(svg("circle", { class: "goal", cx: x, cy: y, r: 7.6 }), svg("circle", { class: "goal", cx: x, cy: y, r: 4.8 }));
      root.append(group);
    }
  }
  for (let i = 0; i < 5; i++) {
    const [x, y] = point(FILES[i] + (i + 1), 0, state);
    root.append(label(x, 100 - EDGE / 2, 3, FILES[i], { class: "on-wood" }), label(EDGE / 2, y, 3, i + 1, { class: "on-wood" }));
  }
  for (const [square, letter] of Object.entries(state.at)) {
    const drawn = drawPiece(point(square, 0, state), letter);
    drawn.setAttribute("data-key", square);
    root.append(drawn);
  }
  for (const square of scene.sources) root.append(corners(point(square, 0, state), "from"));
  for (const square of scene.targets) {
    const [x, y] = point(square, 0, state);
    root.append(svg("circle", { cx: x, cy: y, r: 3.4, class: "mark to" }), corners([x, y], "to"));
  }
}

// Editing: puts the brush's piece on the square.
export function brushes() {
  return ["K", "S", "k", "s"].map((letter) => [letter, describe(letter)]).concat([["remove", say("brush_remove")]]);
}

export function edit(state, square, brush) {
  if (brush === "remove") delete state.at[square];
  else state.at[square] = brush;
  return state;
}
