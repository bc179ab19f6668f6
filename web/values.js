// Values as people read them: `82 %`, `−3.8 %`, `about 51 % ± 1`, `win in 5 moves`; all digits on hover
// or tap. The evaluation bar. Moves and throws with their values, as lists and as arrows.

import { moduleOf, moveName } from "./board.js";
import { el, svg } from "./dom.js";
import { addWords, say, told } from "./words.js";

addWords({
  probability: ["probability", "확률"],
  judge_right: ["Right, that is the best move: {0}.", "맞았습니다. 가장 좋은 수입니다: {0}."],
  judge_nearly: ["Nearly: {0} against the best move. Try again.", "아깝습니다. 가장 좋은 수보다 {0}. 다시 해 보세요."],
  judge_wrong: ["Not that one: {0}. Try again.", "그 수는 아닙니다: {0}. 다시 해 보세요."],
});

const OPPOSITE = { win: "loss", loss: "win", endless: "endless" };
const NOTHING = 1e-9;
const NEARLY = 0.01;
const PERCENT = "\u00a0%"; // on the line of its number

// At most one decimal, and none that is zero.
function short(number) {
  const rounded = Math.abs(number) < 10 ? Math.round(number * 10) / 10 : Math.round(number);
  return String(Object.is(rounded, -0) ? 0 : rounded);
}

// A share as a percentage; what is not quite nothing or all never looks like it.
export function percent(value, exact = true) {
  const number = value * 100;
  if (exact && value > 0 && number < 0.05) return `< 0.1${PERCENT}`;
  if (exact && value < 1 && number > 99.95) return `> 99.9${PERCENT}`;
  const rounded = number < 10 || number > 90 ? Math.round(number * 10) / 10 : Math.round(number);
  return rounded + PERCENT;
}

// `counted`: values are points.
export function numberText(value, exact, counted, error) {
  if (value === null || value === undefined) return "";
  const spread = !exact && error ? ` ± ${short(counted ? error : error * 100)}` : "";
  const words = (counted ? short2(value) : percent(value, exact)) + spread;
  return exact ? words : say("about", words);
}

const short2 = (value) => String(Math.round(value * 10) / 10);

// All digits.
export function fullText(value, exact) {
  return `${exact ? "" : "~"}${Number(value).toFixed(6)}`;
}

// A number with all its digits in a tooltip, which a tap shows, too.
export function num(words, full, attributes = {}) {
  if (!full) return el("span", { class: `num ${attributes.class ?? ""}` }, words);
  const shown = el("span", {
    ...attributes, class: `num ${attributes.class ?? ""}`, title: full,
    onclick: (event) => {
      if (shown.closest("button, tr, a")) return;
      event.stopPropagation();
      shown.textContent = shown.textContent === words ? full : words;
    },
  }, words);
  return shown;
}

// An outcome in words: in moves of the winner, and in plies.
export function outcomeText({ outcome, plies }) {
  if (outcome === "endless") return say("outcome_endless");
  if (!plies) return say(`outcome_${outcome}_now`);
  const moves = Math.ceil(plies / 2);
  return say(moves === 1 ? `outcome_${outcome}_one` : `outcome_${outcome}`, moves, plies);
}

// The same in a few letters, for arrows.
function outcomeShort({ outcome, plies }) {
  return outcome === "endless" ? "∞" : say(`short_${outcome}`, Math.ceil(plies / 2));
}

// The value of a position or move, which has `value`, `exact` and perhaps `outcome` and `plies`.
export function valueText(one, counted) {
  return one.outcome ? outcomeText(one) : numberText(one.value, one.exact ?? true, counted, one.typical_error);
}

export function valueNum(one, counted) {
  return num(valueText(one, counted), one.outcome ? say("plies", one.plies ?? "∞") : fullText(one.value, one.exact ?? true), { class: toneOf(one) });
}

// For arrows and on a phone: as short as possible.
export function valueShort(one, counted) {
  if (one.outcome) return outcomeShort(one);
  return counted ? short2(one.value) : percent(one.value, one.exact ?? true).replace(PERCENT, "%");
}

// Good, even or bad, as a class; the words say the same.
export function toneOf({ outcome, loss }) {
  if (outcome) return { win: "good", loss: "bad", endless: "fair" }[outcome];
  return loss === undefined ? "" : loss <= NOTHING ? "good" : "";
}

export function isBest(move) {
  return (move.loss ?? 1) <= NOTHING;
}

// What a move loses compared with the best one.
export function lossText(move, best, counted) {
  if (move === best || isBest(move)) return say("best");
  if (move.outcome && best.outcome) {
    if (move.outcome !== best.outcome) return say("instead_of", outcomeText(best));
    return say(move.outcome === "win" ? "slower" : "sooner", Math.abs(Math.ceil(move.plies / 2) - Math.ceil(best.plies / 2)));
  }
  return signedText(-Math.abs(move.loss), counted);
}

// A change: a sign and at most one decimal.
export function signedText(change, counted, exact = true) {
  const sign = Math.abs(change) < NOTHING ? "" : change < 0 ? "−" : "+", size = Math.abs(change) * (counted ? 1 : 100);
  const words = `${sign}${size > 0 && size < 0.05 ? "0.0…" : Math.round(size * 10) / 10}${counted ? "" : PERCENT}`;
  return exact ? words : say("about", words);
}

export function signedNum(change, counted, exact = true) {
  return num(signedText(change, counted, exact), `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(6)}`, { class: Math.abs(change) <= NOTHING ? "" : change < 0 ? "bad" : "good" });
}

// The mark of a seat, drawn.
export function emblem(game, seat) {
  return svg("svg", { viewBox: "-8 -8 16 16", class: "emblem", "aria-hidden": "true" }, moduleOf(game).emblem(seat));
}

export function seatMark(game, seat) {
  return moduleOf(game).seatMark(seat);
}

// A player without a name.
export function playerName(game, seat) {
  const module = moduleOf(game);
  return module.black_and_white ? capital(module.seatMark(seat)) : say("player", module.seatMark(seat));
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// The bar beside the board: a part for each player, as large as its share. Null evaluation: unknown.
export function evalBar(game, evaluation, count) {
  const { black_and_white } = moduleOf(game);
  const values = evaluation?.values ?? Array(count).fill(1 / count);
  const bar = el("div", { class: `eval-bar${black_and_white ? " black-and-white" : ""}${evaluation ? "" : " unknown"}`, test: "eval-bar", role: "img", "aria-label": evaluation ? evaluationWords(game, evaluation) : say("value_wait") });
  values.forEach((value, seat) => {
    const part = el("div", { class: `part p${seat}` });
    part.style.flexGrow = String(Math.max(0, value));
    bar.append(part);
  });
  return bar;
}

// The values to all players in one sentence.
export function evaluationWords(game, evaluation, nameOf = (seat) => playerName(game, seat)) {
  const { values, exact, meaning, counted, outcome, plies, typical_error } = evaluation;
  const parts = values.map((value, seat) => {
    const words = outcome ? outcomeText({ outcome: seat === evaluation.player ? outcome : OPPOSITE[outcome], plies }) : numberText(value, exact, counted, typical_error);
    return values.length === 1 ? words : `${nameOf(seat)} ${words}`;
  });
  return `${told(meaning)}: ${parts.join(" · ")}`;
}

// The values in words, with all digits in tooltips and what is to be known about them.
export function valueLine(game, evaluation, nameOf = (seat) => playerName(game, seat)) {
  const { values, exact, meaning, counted, outcome, plies, fraction, note, typical_error } = evaluation;
  const parts = values.map((value, seat) => {
    const its = seat === evaluation.player ? outcome : OPPOSITE[outcome];
    const shown = outcome ? num(outcomeText({ outcome: its, plies }), plies && say("plies", plies), { class: toneOf({ outcome: its }) })
      : num(numberText(value, exact, counted, typical_error), fullText(value, exact) + (fraction && seat === evaluation.player ? ` = ${fraction}` : ""));
    return el("li", {}, values.length > 1 && [emblem(game, seat), el("span", {}, nameOf(seat))], shown);
  });
  const isEstimate = !exact || evaluation.moves?.some((move) => move.exact === false);
  return el("div", { class: "value" }, el("div", { test: "value" }, el("small", {}, capital(told(meaning))), el("ul", { class: "value-parts" }, parts)),
    isEstimate && el("p", { class: "note", title: note ? told(note) : null }, say(typical_error ? "estimate_error" : "estimate_note")));
}

// --- moves and throws with their values ---

// `level` is the level of hints: 2 adds values, 3 adds losses. `test` names the buttons for tests.
export function moveList({ game, position, rules, moves, level = 0, evaluation = null, onPlay, onHover, test = "move" }) {
  const valued = new Map((evaluation?.moves ?? []).map((move) => [move.move, move]));
  const best = evaluation?.moves?.[0];
  return el("ul", { class: best && level >= 2 ? "move-list valued" : "move-list", test: "moves" }, moves.map((move) => {
    const known = valued.get(move.move);
    const isTop = known && level >= 3 && (known === best || isBest(known));
    return el("li", {}, el("button", {
      type: "button", test, "data-move": move.move, class: isTop ? "move best" : "move",
      title: told(move.told), onclick: () => onPlay(move),
      onmouseenter: () => onHover?.(move), onmouseleave: () => onHover?.(null),
      onfocus: () => onHover?.(move), onblur: () => onHover?.(null),
    },
      el("span", { class: "name" }, (isTop ? "★ " : "") + moveName(game, move, position, rules)),
      known && level >= 2 && el("span", { class: "number" }, valueNum({ ...known, typical_error: 0 }, evaluation.counted)),
      known && level >= 3 && known.outcome === best.outcome && el("span", { class: "number loss" }, isTop ? "" : lossText(known, best, evaluation.counted))));
  }));
}

// The moves sorted by value.
export function bestFirst(moves, evaluation) {
  const ranks = new Map((evaluation.moves ?? []).map((move, i) => [move.move, i]));
  return [...moves].sort((a, b) => (ranks.get(a.move) ?? Infinity) - (ranks.get(b.move) ?? Infinity));
}

// Marks the button of the move that is highlighted on the board, and scrolls to it.
export function markMove(place, move) {
  for (const one of place.querySelectorAll("[data-move]")) {
    const isIt = one.getAttribute("data-move") === move;
    one.classList.toggle("lit", isIt);
    if (isIt) {
      const list = one.closest("ul"), top = one.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + one.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top;
    }
  }
}

// Arrows for the best moves, labelled with their values; the first ones are the strongest.
export function bestArrows(evaluation, count = 3) {
  const { moves = [], counted } = evaluation ?? {};
  const tones = { win: "good", loss: "bad", endless: "even" };
  return moves.slice(0, count).map((move, i) => ({
    move: move.move, trace: move.trace, turn: evaluation.player, second: i > 0 && !isBest(move),
    tone: move.outcome ? tones[move.outcome] : isBest(move) ? "good" : toneOf(move) || "plain", label: valueShort(move, counted),
  })).reverse();
}

// What can be thrown, with its probability and the value after it.
export function throwList({ game, evaluation, onPlay, onHover }) {
  const heads = evaluation.meaning && el("li", { class: "heads" }, el("span", {}), el("span", { class: "number" }, say("probability")), el("span", { class: "number" }, told(evaluation.meaning)));
  return el("ul", { class: "move-list valued", test: "throws" }, heads, evaluation.throws.map((one) =>
    el("li", {}, el("button", {
      type: "button", class: "move", test: "analysis-move", "data-move": one.move, title: told(one.told),
      onclick: () => onPlay(one),
      onmouseenter: () => onHover?.(one), onmouseleave: () => onHover?.(null),
    },
      el("span", { class: "name" }, moveName(game, one)),
      el("span", { class: "number loss", title: `${(one.chance * 100).toFixed(4)} %` }, percent(one.chance)),
      one.value !== undefined && el("span", { class: "number" }, valueNum({ exact: evaluation.exact, ...one }, evaluation.counted))))));
}

// Judges a move that was tried against the values of all moves, which `evaluation` lists best first.
export function judge(evaluation, text) {
  const move = evaluation.moves.find((one) => one.move === text), [best] = evaluation.moves;
  if (!move) return { isRight: false, words: "" };
  const value = valueText(move, evaluation.counted);
  if (move === best || isBest(move)) return { isRight: true, words: say("judge_right", value) };
  const loss = lossText(move, best, evaluation.counted);
  if (!move.outcome && move.loss < NEARLY) return { isRight: false, words: say("judge_nearly", loss) };
  return { isRight: false, words: say("judge_wrong", `${value} (${loss})`) };
}
