// The explorer: what to do after everything that can be thrown; where nothing is thrown, the best reply
// to every move. It fills in as the answers arrive.

import * as api from "./api.js";
import { moduleOf, moveName } from "./board.js";
import { button, el, put } from "./dom.js";
import { num, percent, valueNum, valueText } from "./values.js";
import { addWords, say, told } from "./words.js";

addWords({
  explorer: ["Explorer", "탐색"],
  explorer_throw: ["If you throw", "나온 결과"],
  explorer_chance: ["Chance", "확률"],
  explorer_best: ["Best move", "가장 좋은 수"],
  explorer_move: ["Move", "둘 수 있는 수"],
  explorer_reply: ["Best reply", "최선의 대답"],
  explorer_again: ["throw again", "한 번 더 던지기"],
  explorer_turn_over: ["turn over", "차례 끝"],
});

const ROWS_MAX = 40;

function cell(name, ...children) {
  return el("td", { "data-label": name }, children);
}

// `onPick` gets a list of moves to play from the position; `isShown` tells whether this is still wanted.
export function explorerPanel(game, now, evaluation, onPick, isShown) {
  const isChance = now.actor === "chance";
  const events = (isChance ? evaluation.throws : evaluation.moves)?.slice(0, ROWS_MAX) ?? [];
  const headings = isChance ? ["explorer_throw", "explorer_chance", "explorer_value", "explorer_best"] : ["explorer_move", "explorer_value", "explorer_reply"];
  const rows = events.map((event) => {
    const answer = cell(say(headings.at(-1)), "…");
    const first = button(moveName(game, event), () => onPick([event.move]), { class: "step", title: told(event.told), test: "explorer-event" });
    return { event, answer, row: el("tr", { test: "explorer-row" }, cell(say(headings[0]), first),
      isChance && cell(say("explorer_chance"), num(percent(event.chance), `${(event.chance * 100).toFixed(4)} %`)),
      cell(told(evaluation.meaning), valueNum({ exact: evaluation.exact, typical_error: evaluation.typical_error, ...event }, evaluation.counted)), answer) };
  });
  const heading = (key) => (key === "explorer_value" ? told(evaluation.meaning) : say(key));
  const table = el("table", { class: "explorer" }, el("thead", {}, el("tr", {}, headings.map((key) => el("th", { scope: "col" }, heading(key))))), el("tbody", {}, rows.map(({ row }) => row)));
  const panel = el("details", { class: "card", test: "explorer", ontoggle: () => { if (panel.open && !panel.dataset.filled) { panel.dataset.filled = "1"; fill(); } } }, el("summary", {}, say("explorer")), table);

  async function fill() {
    for (const { event, answer } of rows) {
      if (!isShown() || !panel.isConnected) return;
      try {
        const after = await api.getEval({ game, rules: now.rules_text, position: event.after });
        const best = after.moves?.[0];
        if (after.actor === "end") put(answer, told(after.told));
        else if (isChance && after.actor === "chance" && after.player === now.player) put(answer, say("explorer_again"));
        else if (!best || (isChance && after.player !== now.player)) put(answer, isChance ? say("explorer_turn_over") : "");
        else put(answer, button(moduleOf(game).nameOf(best.move, best.trace ?? []), () => onPick([event.move, best.move]), { class: "step", title: valueText(best, after.counted) }));
      } catch (error) {
        put(answer, error.status === 400 ? "" : error.message);
      }
    }
  }
  return panel;
}
