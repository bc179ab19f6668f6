// The Yut board: stations, pieces and stacks, those waiting and those home, the results in hand.
// Position: `9,21/4,20 0 gae,yut [animals]`; move: `9:gae` or `5:gae:ring`.

import { label, svg } from "./dom.js";
import { LETTERS, piece } from "./draw_pieces.js";
import { drawLines, fallingPoint, ringMark, ringPoint, risingPoint, station } from "./draw_stations.js";
import { addWords, say } from "./words.js";

export { seatMark } from "./draw_pieces.js";
export { showThrow } from "./draw_sticks.js";

addWords({
  pig: ["pig", "돼지"],
  dog: ["dog", "개"],
  sheep: ["sheep", "양"],
  cow: ["cow", "소"],
  by_ring: ["on the ring", "바깥길"],
  pending: ["to play", "남은 윷"],
  throw_again: ["+ throw", "+ 던지기"],
  catches: ["catch", "잡기"],
  stacks: ["stack", "업기"],
});

const HOME = "100";
const PANEL_TOP = 101;
const PANEL_HEIGHT = 14;
const BIG = ["5", "10", "15", "22", "29"];
const ANIMALS = { p: "pig", d: "dog", s: "sheep", c: "cow" };

export const plays_at_once = true;

export function parse(text) {
  const [pieces, turn, list, animals] = text.trim().split(/[\s_]+/);
  const results = list.replace(/\++$/, "");
  return {
    pieces: pieces.split("/").map((group) => group.split(",")),
    turn: Number(turn),
    results: results === "-" || results === "" ? [] : results.split(","),
    throws: list === "-" ? 1 : list.length - results.length,
    animals: animals ?? "",
  };
}

export function write(state) {
  const pieces = state.pieces.map((group) => [...group].sort((a, b) => a - b).join(",")).join("/");
  const list = state.results.join(",") + "+".repeat(state.throws);
  return [pieces, state.turn, list === "+" || list === "" ? "-" : list, state.animals].join(" ").trim();
}

export function size(state) {
  return [100, PANEL_TOP + PANEL_HEIGHT * Math.ceil(state.pieces.length / 2) + 9];
}

export function ends(move, trace) {
  return { from: move.split(":")[0], to: trace.at(-1) };
}

export function nameOf(move, trace = []) {
  const [from, result, ring] = move.split(":");
  if (!result) return say("result_" + move); // a throw
  const square = (name) => (name === "0" ? say("waiting") : name === HOME ? say("home") : name);
  const way = trace.length > 1 ? `${square(from)} → ${square(trace.at(-1))}` : square(from);
  return `${say("result_" + result)}: ${way}${ring ? ` (${say("by_ring")})` : ""}`;
}

// Remarks on a move, from the positions before and after it: a catch sends pieces back to the start,
// stacking makes a stack grow.
export function remarks(before, after, move) {
  const count = (state, player, square) => state.pieces[player].filter((at) => at === square).length;
  const { from, to } = ends(move.move, move.trace ?? []);
  const catches = before.pieces.some((_, player) => count(after, player, "0") > count(before, player, "0"));
  const stacks = to !== HOME && to !== from && before.pieces.some((_, player) => count(before, player, to) > 0 && count(after, player, to) > count(before, player, to));
  return [catches && say("catches"), stacks && say("stacks")].filter(Boolean);
}

function panel(player) {
  return [1 + (player % 2) * 50, PANEL_TOP + Math.floor(player / 2) * PANEL_HEIGHT];
}

export function point(square, turn) {
  const number = Number(square);
  if (number === 0 || square === HOME) {
    const [x, y] = panel(turn);
    return [x + (number === 0 ? 12.2 : 33.2), y + 8.5];
  }
  if (number === 29) return ringPoint(0);
  if (number < 20) return ringPoint(number);
  if (number <= 24) return fallingPoint((number - 19) / 6);
  return risingPoint((number < 27 ? number - 24 : number - 23) / 6);
}

export function token(state, square, turn) {
  const count = square === "0" ? 1 : state.pieces[turn].filter((at) => at === square).length;
  return piece(0, 0, 4.6, turn, Math.max(count, 1));
}

function drawPanel(state, player, scene) {
  const [x, y] = panel(player);
  const isTurn = state.turn === player && scene.running;
  const group = svg("g", { class: isTurn ? "panel turn" : "panel" });
  const height = PANEL_HEIGHT - 1.5;
  group.append(svg("rect", { x, y, width: 48, height, rx: 2 }));
  const animal = ANIMALS[state.animals[player]];
  group.append(piece(x + 5, y + (animal ? 5 : 6.2), 3.4, player));
  if (animal) group.append(label(x + 5, y + 10.6, 2.8, say(animal), { class: "small" }));
  for (const [square, left, word] of [["0", 10, "waiting"], [HOME, 31, "home"]]) {
    const count = state.pieces[player].filter((at) => at === square).length;
    group.append(label(x + left, y + 3, 3.2, `${say(word)} ${count}`, { class: "small", "text-anchor": "start" }));
    for (let i = 0; i < count; i++) group.append(piece(x + left + 2.2 + i * 4.6, y + 8.5, 2, player, 1, ""));
  }
  if (!isTurn) return group;
  // Clickable areas over the words and the small pieces: those waiting, and home.
  return svg("g", {}, group, svg("rect", { x, y, width: 29, height, class: "hit", "data-key": "0" }), svg("rect", { x: x + 29, y, width: 19, height, class: "hit", "data-key": HOME }));
}

function drawResults(state, top) {
  const group = svg("g", { class: "results" });
  const words = [...state.results.map((result) => say("result_" + result)), ...Array(state.results.length ? state.throws : 0).fill(say("throw_again"))];
  if (words.length) group.append(label(1.5, top + 4, 3.4, say("pending"), { class: "small", "text-anchor": "start" }));
  const width = Math.min(15, 80 / Math.max(words.length, 1));
  words.forEach((word, i) => {
    const x = 18 + i * width;
    group.append(svg("rect", { x, y: top, width: width - 1, height: 8, rx: 2 }));
    group.append(label(x + (width - 1) / 2, top + 4.2, word.length > 5 ? 2.6 : 3.8, word));
  });
  return group;
}

export function draw(root, state, scene) {
  root.append(drawLines());
  for (let number = 1; number <= 29; number++) root.append(station(String(number), point(String(number)), BIG.includes(String(number)), number));
  root.append(label(84.5, 97.4, 2.8, say("start_finish"), { class: "small", "text-anchor": "end" }));
  state.pieces.forEach((_, player) => root.append(drawPanel(state, player, scene)));
  for (let number = 1; number <= 29; number++) {
    const square = String(number);
    const here = state.pieces.map((group, player) => [player, group.filter((at) => at === square).length]).filter(([, count]) => count > 0);
    const [x, y] = point(square);
    here.forEach(([player, count], i) => {
      const drawn = piece(x + (i - (here.length - 1) / 2) * 8, y, 4.6, player, count);
      drawn.setAttribute("data-key", square);
      root.append(drawn);
    });
  }
  for (const square of scene.sources) root.append(ringMark(point(square, state.turn), "from", square === "0" ? 3.4 : 6.4));
  for (const square of scene.targets) root.append(ringMark(point(square, state.turn), "to", square === HOME ? 3.4 : 5.6));
  root.append(drawResults(state, size(state)[1] - 8.5));
}

// Editing: puts a waiting piece of the brush's player on the square, or removes all pieces from it.
export function brushes(state) {
  return [...state.pieces.map((_, player) => [String(player), LETTERS[player]]), ["remove", say("brush_remove")]];
}

export function edit(state, square, brush) {
  if (brush === "remove") state.pieces = state.pieces.map((group) => group.map((at) => (at === square ? "0" : at)));
  else {
    const group = state.pieces[Number(brush)];
    const index = group.indexOf("0") >= 0 ? group.indexOf("0") : group.findIndex((at) => at !== square);
    if (index >= 0) group[index] = square;
  }
  return state;
}
