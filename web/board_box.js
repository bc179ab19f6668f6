// Shut the Box: a wooden case with a row of tiles, open or closed, the roll on the felt, the scores.
// Position: `13456789 1 17 12`, with more than nine tiles `1,2,10 0 - -`; move: `3+9`. In a game of several
// rounds the round and the totals before it follow: `13456789 1 17 12 2 20,31`. A score `x` marks a player who is out.

import { label, lengthOf, svg } from "./dom.js";
import { DICE_WORDS, die, piece, wood } from "./draw_board.js";
import { addWords, say } from "./words.js";

export { emblem, seatMark } from "./draw_board.js";

addWords({
  open_sum: ["open: {0}", "남은 합: {0}"],
  box_out: ["{0}, out", "{0}, 탈락"],
  tile_open: ["tile {0}, open", "숫자판 {0}, 열림"],
  tile_closed: ["tile {0}, closed", "숫자판 {0}, 닫힘"],
  close_tiles: ["Close {0}", "{0} 닫기"],
  close_none: ["Choose tiles: {0}", "합이 {0}인 숫자판을 고르세요"],
  close_plain: ["Close tiles", "숫자판 닫기"],
  beat_shut: ["Shut the box!", "모두 닫았다!"],
  beat_bust: ["No tiles fit: turn over", "닫을 수 없음: 차례 끝"],
  tile_is_closed: ["Tile {0} is closed already.", "이미 닫힌 숫자판입니다: {0}"],
  tile_too_big: ["Tile {0} fits no set that adds up to {1}.", "{0}번 숫자판을 넣어 합이 {1}인 조합을 만들 수 없습니다."],
});

const ROW_MAX = 9;
const SCORES_ROW = 4;
const SCORE_HEIGHT = 9;

export const sample = "1245789 0 - 8";
export const chooses_sets = true;
export const words = {
  ...DICE_WORDS,
  your_move: ["Your move, {0}", "{0}, 숫자판을 닫으세요"],
  moves: ["Possible moves", "닫을 수 있는 숫자판"],
};

// Whether this can be part of a set to choose: an open tile.
export function isChoosable(state, key) {
  return state.open.includes(key);
}

// The words on the button that plays the chosen set.
export function setWords(chosen, state) {
  if (chosen.length) return say("close_tiles", [...chosen].sort((a, b) => a - b).join(" + "));
  return state?.roll ? say("close_none", state.roll) : say("close_plain");
}

export function parse(text, rules) {
  const [open, player, scores, roll, round, totals] = text.trim().split(/\s+/);
  const { tiles, players } = rules;
  return {
    open: open === "-" ? [] : open.split(tiles > 9 ? "," : ""),
    turn: Number(player),
    scores: scores === "-" ? [] : scores.split(","),
    roll: roll === "-" ? null : roll,
    round,
    totals: totals?.split(",").map(Number),
    tiles, players, rules,
  };
}

export function write(state) {
  const open = [...state.open].sort((a, b) => a - b).join(state.tiles > 9 ? "," : "") || "-";
  const rounds = state.totals ? [state.round, state.totals.join(",")] : [];
  return [open, state.turn, state.scores.join(",") || "-", state.roll ?? "-", ...rounds].join(" ");
}

// Whether the player's total had reached the limit before this round.
const isOut = (state, player) => Number(state.rules.limit) > 0 && state.totals?.[player] >= Number(state.rules.limit);

const openSum = (state) => state.open.reduce((sum, tile) => sum + Number(tile), 0);

// How many dice are rolled: one if the rule for one die applies.
function diceCount(state) {
  const [, what, limit] = /^(sum|top)<=(\d+)$/.exec(state.rules["one-die"] ?? "") ?? [];
  const measure = what === "sum" ? openSum(state) : Math.max(0, ...state.open.map(Number));
  return what && measure <= Number(limit) ? 1 : Number(state.rules.dice);
}

// Faces that add up to the roll. The game only knows the sum; which faces are shown depends on the
// position alone, so that everybody sees the same ones.
function facesOf(state, roll) {
  const count = diceCount(state), sides = Number(state.rules.sides), faces = [];
  let left = Number(roll), mix = Number(state.open.join("") || 0) * 31 + state.turn * 17 + left * 7;
  for (let i = count; i > 0; i--) {
    const low = Math.max(1, left - (i - 1) * sides), high = Math.min(sides, left - (i - 1));
    mix = (mix * 1103515245 + 12345) % 2147483648;
    const face = low + (Math.floor(mix / 65536) % (high - low + 1));
    faces.push(face);
    left -= face;
  }
  return faces;
}

export function throwView(move, before) {
  if (!before) return { things: [{ face: 3 }, { face: 4 }], word: "" };
  const roll = move || before.roll; // a game may begin with a roll
  return { things: roll ? facesOf(before, roll).map((face) => ({ face })) : Array(diceCount(before)).fill({ face: 6 }), word: move };
}

export function beat(before, after, step) {
  if (step.actor === "chance") return after.turn !== before.turn || after.roll === null ? ["beat_bust", "bust"] : null;
  return after.open.length === 0 ? ["beat_shut", "win"] : null;
}

export function explain(state, key, moves) {
  if (!state.open.includes(key)) return say("tile_is_closed", key);
  return moves.length && !moves.some((move) => parts(move.move).includes(key)) ? say("tile_too_big", key, state.roll) : null;
}

function rows(tiles) {
  const count = Math.ceil(tiles / ROW_MAX);
  return { count, width: Math.ceil(tiles / count) };
}

function measures(state) {
  const { count } = rows(state.tiles), tile = (state.view?.wide ? 23 : 30) / Math.sqrt(count);
  const bottom = 4 + count * (tile + 3);
  const felt = state.view?.wide ? 23 : 34;
  return { tile, bottom, felt, height: bottom + felt + 6 };
}

export function size(state) {
  return [100, measures(state).height + Math.ceil(state.players / SCORES_ROW) * (SCORE_HEIGHT + 1)];
}

export function bareSize(state) {
  return [100, measures(state).height - 1];
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
  const { width } = rows(state.tiles), { tile } = measures(state);
  const index = Number(square) - 1, pitch = 94 / width;
  return [3 + pitch * ((index % width) + 0.5), 4 + Math.floor(index / width) * (tile + 3) + tile / 2];
}

function drawTile(state, tile, scene) {
  const [x, y] = point(tile, 0, state), height = measures(state).tile;
  const isOpen = state.open.includes(tile), isChosen = scene.chosen.has(tile);
  const width = 94 / rows(state.tiles).width - 1.2;
  const group = svg("g", {
    class: `tile ${isOpen ? "open" : "closed"} ${isChosen ? "chosen" : ""} ${scene.sources.has(tile) ? "can" : ""}`,
    "data-key": tile,
    "aria-label": say(isOpen ? "tile_open" : "tile_closed", tile),
  });
  const tall = isOpen ? height - 1.6 : height * 0.36;
  const top = y + height / 2 - tall - (isOpen ? 1.6 : 0) - (isChosen ? 1.4 : 0);
  group.append(svg("rect", { x: x - width / 2 - 0.6, y: y - height / 2, width: width + 1.2, height: height + 1, class: "hit" }));
  if (isOpen) group.append(svg("rect", { x: x - width / 2, y: top + 1.6, width, height: tall, rx: 1.2, class: "plank-edge" }));
  group.append(svg("rect", { x: x - width / 2, y: top, width, height: tall, rx: 1.2, class: "plank" }));
  group.append(label(x, top + tall / 2, Math.min(isOpen ? 7.5 : 4.2, width * 0.72), tile, { class: "number" }));
  if (isChosen) group.append(label(x, top + 3.4, 4, "✓", { class: "tick" }));
  return group;
}

function drawScores(state, top, scene) {
  const group = svg("g", {});
  const columns = Math.min(state.players, SCORES_ROW), width = 100 / columns;
  for (let player = 0; player < state.players; player++) {
    const x = (player % SCORES_ROW) * width, y = top + Math.floor(player / SCORES_ROW) * (SCORE_HEIGHT + 1);
    const isTurn = state.turn === player && scene.running;
    const score = state.scores[player] ?? (state.turn !== player ? "–" : scene.running ? say("open_sum", openSum(state)) : openSum(state));
    const total = state.totals ? `${state.totals[player]} + ` : "";
    const words = isOut(state, player) ? say("box_out", state.totals[player]) : `${total}${score}`;
    const alone = state.players === 1, middle = y + SCORE_HEIGHT / 2, size = Math.min(3.8, (width - (alone ? 3 : 13)) / lengthOf(words));
    group.append(svg("g", { class: isTurn ? "panel turn" : "panel" },
      svg("rect", { x: x + 0.5, y, width: width - 1, height: SCORE_HEIGHT, rx: 1.6 }),
      !alone && piece(x + 6, middle, 2.7, player),
      label(alone ? x + width / 2 : x + 11, middle + 0.2, size, words, { "text-anchor": alone ? "middle" : "start" })));
  }
  return group;
}

export function draw(root, state, scene) {
  const { bottom, felt, height } = measures(state);
  root.append(wood(0.4, 0.4, 99.2, height - 2, 3));
  root.append(svg("rect", { x: 2.2, y: 2.2, width: 95.6, height: height - 5.6, rx: 1.6, class: "felt-edge" }));
  root.append(svg("rect", { x: 2.6, y: bottom - 0.6, width: 94.8, height: felt + 2.6, rx: 1.2, class: "felt" }));
  for (let tile = 1; tile <= state.tiles; tile++) root.append(drawTile(state, String(tile), scene));
  if (state.roll) {
    const faces = facesOf(state, state.roll), r = Math.min(6.6, 40 / faces.length), pitch = r * 2 + 5;
    faces.forEach((face, i) => root.append(die(50 + (i - (faces.length - 1) / 2) * pitch, bottom + felt / 2, r, face, { class: "next" })));
    if (faces.length > 1) root.append(label(94, bottom + felt / 2, 5.4, state.roll, { class: "on-felt", "text-anchor": "end" }));
  }
  if (!state.view?.bare) root.append(drawScores(state, height, scene));
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
