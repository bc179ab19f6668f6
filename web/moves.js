// The list of moves or throws as buttons, which is complete, so that every game can be played with it;
// arrows for the best moves, and the verdict on a move that was tried.

import { moveName } from "./board.js";
import { el } from "./dom.js";
import { isBest, lossText, percent, toneOf, valueNum, valueShort, valueText } from "./values.js";
import { addWords, say, told } from "./words.js";

addWords({
  probability: ["probability", "확률"],
  judge_right: ["Right, that is the best move: {0}.", "맞았습니다. 가장 좋은 수입니다: {0}."],
  judge_nearly: ["Nearly: {0} against the best move. Try again.", "아깝습니다. 가장 좋은 수보다 {0}. 다시 해 보세요."],
  judge_wrong: ["Not that one: {0}. Try again.", "그 수는 아닙니다: {0}. 다시 해 보세요."],
});

const NEARLY = 0.01;

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
