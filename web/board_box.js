// Shut the Box: a row of tiles, open or closed, the roll, the scores so far.
// Position: `13456789 1 17 12`, with more than nine tiles `1,2,10 0 - -`; move: `3+9`.

import { label, svg } from "./dom.js";
import { LETTERS, die } from "./draw_pieces.js";
import { addWords, say } from "./words.js";

export { seatMark } from "./draw_pieces.js";

addWords({
  roll: ["Dice, sum", "주사위 합"],
  open_sum: ["open: {0}", "열린 합: {0}"],
  tile_open: ["tile {0}, open", "{0}번 패, 열림"],
  tile_closed: ["tile {0}, closed", "{0}번 패, 닫힘"],
  close_tiles: ["Close {0}", "{0} 닫기"],
  close_none: ["Close the chosen tiles", "고른 패 닫기"],
});

const ROW_MAX = 9;
const TILE_HEIGHT = 17;
const SCORES_ROW = 4;

export const chooses_sets = true;

// Whether this can be part of a set to choose: an open tile.
export function isChoosable(state, key) {
  return state.open.includes(key);
}

// The words on the button that plays the chosen set.
export function setWords(chosen) {
  return chosen.length ? say("close_tiles", [...chosen].sort((a, b) => a - b).join(" + ")) : say("close_none");
}

export function parse(text, rules) {
  const [open, player, scores, roll] = text.trim().split(/\s+/);
  const { tiles, players } = rules;
  return {
    open: open === "-" ? [] : open.split(tiles > 9 ? "," : ""),
    turn: Number(player),
    scores: scores === "-" ? [] : scores.split(","),
    roll: roll === "-" ? null : roll,
    tiles,
    players,
  };
}

export function write(state) {
  const open = [...state.open].sort((a, b) => a - b).join(state.tiles > 9 ? "," : "") || "-";
  return [open, state.turn, state.scores.join(",") || "-", state.roll ?? "-"].join(" ");
}

function rows(tiles) {
  const count = Math.ceil(tiles / ROW_MAX);
  return { count, width: Math.ceil(tiles / count) };
}

function tilesBottom(state) {
  return rows(state.tiles).count * (TILE_HEIGHT + 3) + 1;
}

export function size(state) {
  return [100, tilesBottom(state) + 22 + Math.floor((state.players - 1) / SCORES_ROW) * 9 + 10];
}

// The tiles of a move: the set to choose.
export function parts(move) {
  return move.split("+");
}

export function ends() {
  return {};
}

export function nameOf(move) {
  return /^\d+$/.test(move) ? move : move.replaceAll("+", " + ");
}

export function point(square, turn, state) {
  const { width } = rows(state.tiles);
  const index = Number(square) - 1;
  const pitch = 100 / width;
  return [pitch * ((index % width) + 0.5), Math.floor(index / width) * (TILE_HEIGHT + 3) + 2.6 + TILE_HEIGHT / 2];
}

function drawTile(state, tile, scene) {
  const [x, y] = point(tile, 0, state);
  const isOpen = state.open.includes(tile), isChosen = scene.chosen.has(tile);
  const width = 100 / rows(state.tiles).width - 1;
  const group = svg("g", {
    class: `tile ${isOpen ? "open" : "closed"} ${isChosen ? "chosen" : ""} ${scene.sources.has(tile) ? "can" : ""}`,
    "data-key": tile,
    "aria-label": say(isOpen ? "tile_open" : "tile_closed", tile),
  });
  const height = isOpen ? TILE_HEIGHT : TILE_HEIGHT * 0.45;
  const top = y + TILE_HEIGHT / 2 - height - (isChosen ? 1.5 : 0);
  group.append(svg("rect", { x: x - width / 2 - 0.5, y: y - TILE_HEIGHT / 2, width: width + 1, height: TILE_HEIGHT + 1, class: "hit" }));
  group.append(svg("rect", { x: x - width / 2, y: top, width, height, rx: 1.4, class: "wood" }));
  group.append(label(x, top + height / 2, isOpen ? 7 : 4, tile, { class: "number" }));
  if (!isOpen) group.append(svg("path", { d: `M${x - width / 2 + 1} ${top + height - 1}L${x + width / 2 - 1} ${top + 1}`, class: "strike" }));
  if (isChosen) group.append(label(x + width / 2 - 2.2, top + 2.6, 4, "✓", { class: "tick" }));
  return group;
}

function drawScores(state, top, scene) {
  const group = svg("g", {});
  const columns = Math.min(state.players, SCORES_ROW), width = 100 / columns;
  for (let player = 0; player < state.players; player++) {
    const x = (player % SCORES_ROW) * width, y = top + Math.floor(player / SCORES_ROW) * 9;
    const isTurn = state.turn === player && scene.running;
    const score = state.scores[player] ?? (isTurn ? say("open_sum", state.open.reduce((sum, tile) => sum + Number(tile), 0)) : "·");
    group.append(svg("g", { class: isTurn ? "panel turn" : "panel" },
      svg("rect", { x: x + 0.5, y, width: width - 1, height: 8, rx: 1.6 }),
      label(x + width / 2, y + 4.2, 3.5, `${LETTERS[player]}  ${score}`, { class: "small" })));
  }
  return group;
}

export function draw(root, state, scene) {
  const bottom = tilesBottom(state);
  root.append(svg("rect", { x: 0, y: 0, width: 100, height: bottom + 1, rx: 2, class: "tray" }));
  for (let tile = 1; tile <= state.tiles; tile++) root.append(drawTile(state, String(tile), scene));
  root.append(svg("rect", { x: 0, y: bottom + 2, width: 100, height: 19, rx: 2, class: "felt" }));
  if (state.roll) {
    root.append(die(54, bottom + 11.5, 7, state.roll, { text: true, class: "next" }));
    root.append(label(44, bottom + 11.7, 5, say("roll"), { class: "on-felt", "text-anchor": "end" }));
  }
  root.append(drawScores(state, bottom + 23, scene));
}

// Editing: a click opens or closes a tile.
export function brushes() {
  return [];
}

export function edit(state, tile) {
  const others = state.open.filter((one) => one !== tile);
  state.open = others.length < state.open.length ? others : [...state.open, tile];
  return state;
}
