// The Yut board: stations, pieces and stacks, those waiting and those home, the results in hand.
// Position: `9,21/4,20 0 gae,yut [animals]`; move: `9:gae`, `5:gae:ring` or `22:gae:long`.

import { label, lengthOf, svg } from "./dom.js";
import { drawLines, fallingPoint, LETTERS, pathOf, piece, ringMark, ringPoint, risingPoint, seen, slots, station, sticksOf } from "./draw_board.js";
import { addWords, say } from "./words.js";

export { emblem, seatMark } from "./draw_board.js";

addWords({
  pig: ["pig", "돼지"],
  dog: ["dog", "개"],
  sheep: ["sheep", "양"],
  cow: ["cow", "소"],
  by_ring: ["on the ring", "바깥길"],
  by_long: ["the long way", "먼길"],
  trap: ["trap", "함정"],
  beat_nak: ["Nak!", "낙!"],
  beat_trap: ["Trapped!", "퐁당!"],
  pending: ["to play", "쓸 수 있는 윷"],
  throw_again: ["+ throw", "한 번 더"],
  catches: ["catch", "잡기"],
  stacks: ["stack", "업기"],
  beat_catch: ["Caught!", "잡았다!"],
  beat_stack: ["Stacked", "업었다"],
  beat_home: ["Home!", "났다!"],
  beat_yut: ["Yut!", "윷이야!"],
  beat_mo: ["Mo!", "모야!"],
  no_back_from_start: ["A back-do cannot move a waiting piece: there is a piece on the board to move back.", "판 위에 말이 있으면 대기 중인 말에는 빽도를 쓸 수 없습니다."],
  not_your_piece: ["That piece is not yours.", "상대의 말입니다."],
  piece_is_home: ["That piece is home already.", "이미 난 말입니다."],
  no_piece_here: ["None of your pieces is here.", "여기에는 움직일 말이 없습니다."],
  no_result_fits: ["No result in hand can move this piece.", "이 말을 움직일 수 있는 윷이 없습니다."],
});

const HOME = "100";
const OUTSIDE = ["0", HOME];
const BIG = ["5", "10", "15", "22", "29"];
const ANIMALS = { p: "pig", d: "dog", s: "sheep", c: "cow" };

export const sample = "0,0,3,8/0,0,12,22 0 -";
export const plays_at_once = true;
export const offers_choices = true;
export const flips = true;

// The squares of the traps.
const trapsOf = (rules) => String(rules?.traps ?? "none").split(",").filter((square) => square !== "none");

export function parse(text, rules) {
  const [pieces, turn, list, animals] = text.trim().split(/[\s_]+/);
  const results = list.replace(/\++$/, "");
  return {
    pieces: pieces.split("/").map((group) => group.split(",")),
    turn: Number(turn),
    results: results === "-" || results === "" ? [] : results.split(","),
    throws: list === "-" ? 1 : list.length - results.length,
    animals: animals ?? "",
    traps: trapsOf(rules),
  };
}

export function write(state) {
  const pieces = state.pieces.map((group) => [...group].sort((a, b) => a - b).join(",")).join("/");
  const list = state.results.join(",") + "+".repeat(state.throws);
  return [pieces, state.turn, list === "+" || list === "" ? "-" : list, state.animals].join(" ").trim();
}

// The frame of a player's panel: [x, y, width, height].
function frame(state, player) {
  const many = state.pieces.length > 2;
  if (state.view?.wide) {
    const height = many ? 18.5 : 28;
    return [102, 1 + player * (height + 1.5), 30, height];
  }
  return [0.8 + (player % 2) * 50, 101.5 + Math.floor(player / 2) * 14.5, 48.4, 13];
}

// Where the pieces that wait and those that are home stand: [x, y, r, pitch].
function rowOf(state, player, isHome) {
  const [x, y, , height] = frame(state, player);
  if (!state.view?.wide) return [x + (isHome ? 31.2 : 12.4), y + 8.7, 2.05, 4.7];
  return height > 20 ? [x + 5, y + (isHome ? 23.6 : 11.8), 2.7, 6.4] : [x + 11.6, y + (isHome ? 15.4 : 7), 1.8, 4.7];
}

export function size(state) {
  if (state.view?.wide) return [132.5, 100];
  return [100, 101.5 + 14.5 * Math.ceil(state.pieces.length / 2) + 9.5];
}

export function ends(move, trace) {
  return { from: move.split(":")[0], to: trace.length > 2 && trace.at(-1) === "0" ? trace.at(-2) : trace.at(-1) };
}

export function nameOf(move, trace = []) {
  const [from, result, way] = move.split(":");
  if (!result) return say(`result_${move}`); // a throw
  const square = (name) => (name === "0" ? say("waiting") : name === HOME ? say("home") : name);
  const path = trace.length > 1 ? `${square(from)} → ${square(ends(move, trace).to)}` : square(from);
  return `${say(`result_${result}`)}: ${path}${way ? ` (${say(from === "22" ? "by_long" : "by_ring")})` : ""}`;
}

const countOf = (state, player, square) => state.pieces[player].filter((at) => at === square).length;

// What a move does, from the positions before and after it: a catch sends pieces back to the start,
// stacking makes a stack grow.
function effects(before, after, { from, to }) {
  return {
    catches: before.pieces.some((_, player) => player !== before.turn && countOf(after, player, "0") > countOf(before, player, "0")),
    trapped: before.traps.includes(to),
    stacks: to !== HOME && to !== from && before.pieces.some((_, player) => countOf(before, player, to) > 0 && countOf(after, player, to) > countOf(before, player, to)),
    home: before.pieces.some((_, player) => countOf(after, player, HOME) > countOf(before, player, HOME)),
  };
}

export function remarks(before, after, move) {
  const { catches, stacks, trapped } = effects(before, after, ends(move.move, move.trace ?? []));
  return [catches && say("catches"), stacks && say("stacks"), trapped && say("trap")].filter(Boolean);
}

// What deserves a word and a sound in a step: [name, sound].
export function beat(before, after, step) {
  if (step.actor === "chance") return ["yut", "mo"].includes(step.move) ? [`beat_${step.move}`, "great"] : step.move === "nak" ? ["beat_nak", "catch"] : null;
  const { catches, stacks, home, trapped } = effects(before, after, ends(step.move, step.trace ?? []));
  if (catches) return ["beat_catch", "catch"];
  if (trapped) return ["beat_trap", "catch"];
  if (home) return ["beat_home", "home"];
  return stacks ? ["beat_stack", "stack"] : null;
}

export function throwView(move) {
  return sticksOf(move);
}

// Why a click on `key` does nothing.
export function explain(state, key, moves) {
  const mine = state.pieces[state.turn];
  if (key === HOME) return say("piece_is_home");
  if (state.pieces.some((group, player) => player !== state.turn && group.includes(key)) && !mine.includes(key)) return say("not_your_piece");
  if (!mine.includes(key)) return say("no_piece_here");
  if (key === "0" && state.results.every((result) => result === "back-do")) return say("no_back_from_start");
  return moves.length ? say("no_result_fits") : null;
}

export function point(square, turn, state) {
  const number = Number(square);
  if (number === 0 || square === HOME) {
    const [x, y, , pitch] = rowOf(state, turn, square === HOME);
    return [x + pitch * Math.max(0, countOf(state, turn, square) - 1), y];
  }
  if (number === 29) return seen(ringPoint(0), state);
  if (number < 20) return seen(ringPoint(number), state);
  if (number <= 24) return seen(fallingPoint((number - 19) / 6), state);
  return seen(risingPoint((number < 27 ? number - 24 : number - 23) / 6), state);
}

export function path(trace, turn, state) {
  return pathOf(trace.map((square) => point(square, turn, state)), trace, OUTSIDE, state);
}

export function token(state, square, turn) {
  const count = square === "0" ? 1 : countOf(state, turn, square);
  return piece(0, 0, 4.6, turn, Math.max(count, 1));
}

function drawPanel(state, player, scene) {
  const [x, y, width, height] = frame(state, player);
  const isTurn = state.turn === player && scene.running;
  const group = svg("g", { class: isTurn ? "panel turn" : "panel" }, svg("rect", { x, y, width, height, rx: 2 }));
  const animal = ANIMALS[state.animals[player]];
  const roomy = height > 20; // the mark of the player is above its pieces, not before them
  group.append(roomy ? piece(x + width - 5.2, y + 5, 3, player) : piece(x + 5.4, y + height / 2 - (animal ? 1.4 : 0), 3.6, player));
  if (animal) group.append(roomy ? label(x + width - 9.4, y + 5, 2.8, say(animal), { class: "small", "text-anchor": "end" }) : label(x + 5.4, y + height / 2 + 4, 2.4, say(animal), { class: "small" }));
  for (const [square, word] of [["0", "waiting"], [HOME, "home"]]) {
    const [left, middle, r, pitch] = rowOf(state, player, square === HOME);
    const count = countOf(state, player, square);
    group.append(label(left - r, middle - r - (roomy ? 2.8 : 2.1), roomy ? 3.2 : state.view?.wide ? 2.6 : 3, `${say(word)} ${count}`, { class: "small", "text-anchor": "start" }));
    group.append(slots(left, middle, r, pitch, count, state.pieces[player].length, (px, py) => piece(px, py, r, player, 1, "")));
  }
  if (!isTurn) return group;
  // Clickable areas over the words and the small pieces: those waiting, and home.
  const area = (key, left, top, w, h) => svg("rect", { x: left, y: top, width: w, height: h, class: "hit token-area", "data-key": key });
  return state.view?.wide ? svg("g", {}, group, area("0", x, y, width, height / 2), area(HOME, x, y + height / 2, width, height / 2))
    : svg("g", {}, group, area("0", x, y, 29, height), area(HOME, x + 29, y, width - 29, height));
}

function drawResults(state) {
  const group = svg("g", { class: "results" });
  const words = [...state.results.map((result) => say(`result_${result}`)), ...Array(state.results.length ? state.throws : 0).fill(say("throw_again"))];
  const wide = state.view?.wide, [, height] = size(state);
  const top = wide ? frame(state, state.pieces.length - 1)[1] + frame(state, 0)[3] + 6.5 : height - 8.5;
  if (words.length) group.append(label(wide ? 102.5 : 1.5, wide ? top - 3 : top + 4, 2.9, say("pending"), { class: "small", "text-anchor": "start" }));
  const room = wide ? 31 : 76, columns = wide ? 3 : Math.max(words.length, 5);
  const width = Math.min(15, room / columns), tall = wide && words.length > 3 && state.pieces.length > 3 ? 5.5 : 8;
  words.forEach((word, i) => {
    const x = (wide ? 102 : 23) + (i % columns) * width, y = top + Math.floor(i / columns) * (tall + 0.8);
    group.append(svg("rect", { x, y, width: width - 1, height: tall, rx: 2 }));
    group.append(label(x + (width - 1) / 2, y + tall / 2 + 0.2, Math.min(3.6, (width - 3) / lengthOf(word)), word, { class: "letter" }));
  });
  return group;
}

function trapMark([x, y]) {
  return svg("g", { class: "trap" }, svg("circle", { cx: x, cy: y, r: 4 }), label(x, y, 2.3, say("trap"), { class: "name" }));
}

export function draw(root, state, scene) {
  root.append(drawLines());
  for (let number = 1; number <= 29; number++) root.append(station(String(number), point(String(number), 0, state), BIG.includes(String(number)), number));
  for (const square of state.traps) root.append(trapMark(point(square, 0, state)));
  const [cx, cy] = point("29", 0, state), below = cy > 50;
  root.append(label(below ? cx - 8 : cx + 8, below ? 97.2 : 2.8, 2.5, say("start_finish"), { class: "on-wood", "text-anchor": below ? "end" : "start" }));
  state.pieces.forEach((_, player) => root.append(drawPanel(state, player, scene)));
  for (let number = 1; number <= 29; number++) {
    const square = String(number);
    const here = state.pieces.map((_, player) => [player, countOf(state, player, square)]).filter(([, count]) => count > 0);
    const [x, y] = point(square, 0, state);
    here.forEach(([player, count], i) => {
      const drawn = piece(x + (i - (here.length - 1) / 2) * 8, y, 4.6, player, count);
      drawn.setAttribute("data-key", square);
      root.append(drawn);
    });
  }
  for (const square of scene.sources) root.append(ringMark(point(square, state.turn, state), "from", square === "0" ? 3.6 : 6.4));
  for (const square of scene.targets) root.append(ringMark(point(square, state.turn, state), "to", square === HOME ? 3.4 : 5.6));
  root.append(drawResults(state));
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
