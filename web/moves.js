// The list of moves or throws as buttons. It is complete, so every game can be played with it.

import { moveName } from "./board.js";
import { el } from "./dom.js";
import { told } from "./words.js";
import { lossText, valueText } from "./values.js";

// `level` is the level of hints: 2 adds values, 3 adds losses. `test` names the buttons for tests.
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
      known && level >= 2 && el("span", { class: "number" }, valueText(known, evaluation.counted)),
      known && level >= 3 && el("span", { class: "number loss" }, lossText(known, best, evaluation.counted))));
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

// What can be thrown, with its probability and the value after it.
export function throwList({ game, evaluation, onPlay, onHover }) {
  return el("ul", { class: "move-list", "data-test": "throws" }, evaluation.throws.map((one) =>
    el("li", {}, el("button", {
      type: "button", class: "move", "data-test": "analysis-move", "data-move": one.move, title: told(one.told),
      onclick: () => onPlay(one),
      onmouseenter: () => onHover?.(one), onmouseleave: () => onHover?.(null),
    },
      el("span", { class: "name" }, moveName(game, one)),
      el("span", { class: "number" }, `${(one.chance * 100).toFixed(2)} %`),
      one.value !== undefined && el("span", { class: "number" }, valueText({ exact: evaluation.exact, ...one }, evaluation.counted))))));
}
