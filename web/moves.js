// The list of moves, or of throws, as buttons: complete, so that every game can be played by it.

import { moveName } from "./board.js";
import { el } from "./dom.js";
import { told } from "./words.js";
import { lossText, valueText } from "./values.js";

// `level` as with hints: 2 adds values, 3 the loss. `test` names the buttons.
export function moveList({ game, position, moves, level = 0, evaluation = null, onPlay, onHover, test = "move" }) {
  const valued = new Map((evaluation?.moves ?? []).map((move) => [move.move, move]));
  const best = evaluation?.moves?.[0];
  return el("ul", { class: "move-list", "data-test": "moves" }, moves.map((move) => {
    const known = valued.get(move.move);
    const isBest = known && level >= 3 && (known === best || (known.loss ?? 1) <= 1e-9);
    return el("li", {}, el("button", {
      type: "button", "data-test": test, "data-move": move.move, class: isBest ? "move best" : "move",
      title: told(move.told), onclick: () => onPlay(move),
      onmouseenter: () => onHover?.(move), onmouseleave: () => onHover?.(null),
      onfocus: () => onHover?.(move), onblur: () => onHover?.(null),
    },
      el("span", { class: "name" }, (isBest ? "★ " : "") + moveName(game, move, position)),
      known && level >= 2 && el("span", { class: "number" }, valueText(known, evaluation.meaning)),
      known && level >= 3 && el("span", { class: "number loss" }, lossText(known, best, evaluation.meaning))));
  }));
}

// The moves in the order of their values.
export function bestFirst(moves, evaluation) {
  const ranks = new Map((evaluation.moves ?? []).map((move, i) => [move.move, i]));
  return [...moves].sort((a, b) => (ranks.get(a.move) ?? Infinity) - (ranks.get(b.move) ?? Infinity));
}

// Marks the button of a move that is chosen on the board.
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

// What chance may bring, with how likely it is and the value after it.
export function throwList({ game, evaluation, onPlay, onHover }) {
  return el("ul", { class: "move-list", "data-test": "throws" }, evaluation.throws.map((one) =>
    el("li", {}, el("button", {
      type: "button", class: "move", "data-test": "analysis-move", "data-move": one.move, title: told(one.told),
      onclick: () => onPlay(one),
      onmouseenter: () => onHover?.(one), onmouseleave: () => onHover?.(null),
    },
      el("span", { class: "name" }, moveName(game, one)),
      el("span", { class: "number" }, `${(one.chance * 100).toFixed(2)} %`),
      one.value !== undefined && el("span", { class: "number" }, valueText({ exact: evaluation.exact, ...one }, evaluation.meaning))))));
}
