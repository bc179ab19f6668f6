// Pieces and dice, drawn the same way on every board. Shape and letter tell the owner of a piece, not
// only its colour.

import { label, svg } from "./dom.js";

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
