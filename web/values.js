// Values as people read them: six decimals, `~` before an estimate, outcomes in words; and the
// evaluation bar.

import { moduleOf } from "./board.js";
import { el, label, svg } from "./dom.js";
import { say, told } from "./words.js";

// `counted`: values are points, and a whole number of them is written without decimals.
export function numberText(value, exact, counted) {
  if (value === null || value === undefined) return "";
  if (exact && counted && Number.isInteger(value)) return String(value);
  return `${exact ? "" : "~"}${value.toFixed(6)}`;
}

const OPPOSITE = { win: "loss", loss: "win", endless: "endless" };

// An outcome in words; `plies` is how many moves it takes.
export function outcomeText({ outcome, plies }) {
  return say(`outcome_${outcome}`, plies);
}

// The value of a position or move, which has `value`, `exact` and perhaps `outcome` and `plies`.
export function valueText(one, counted) {
  return one.outcome ? outcomeText(one) : numberText(one.value, one.exact ?? true, counted);
}

// What a move loses compared with the best one.
export function lossText(move, best, counted) {
  if (move === best || (move.loss ?? 0) <= 1e-9) return say("best");
  if (move.outcome || best.outcome) return say("best_is", valueText(best, counted));
  const exact = (move.exact ?? true) && (best.exact ?? true);
  return `${exact ? "" : "~"}−${numberText(Math.abs(move.loss), true, counted && exact)}`;
}

export function signed(number) {
  return `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(6)}`;
}

export function seatMark(game, seat) {
  return moduleOf(game).seatMark(seat);
}

export function playerName(game, seat) {
  return `${say("player", seat)} (${seatMark(game, seat)})`;
}

// The evaluation bar: a part for each player, and the values in words. For a single player only the
// words.
export function valueBar(game, evaluation) {
  const { values, exact, meaning, counted, outcome, plies, fraction, note } = evaluation;
  const parts = values.map((value, seat) => {
    const words = outcome ? outcomeText({ outcome: seat === evaluation.player ? outcome : OPPOSITE[outcome], plies }) : numberText(value, exact, counted);
    return values.length === 1 ? words : `${playerName(game, seat)} ${words}`;
  });
  const words = `${told(meaning)}: ${parts.join(" · ")}${fraction && String(fraction).includes("/") ? ` (${say("exactly", fraction)})` : ""}`;
  const panel = el("div", { class: "value" }, el("p", { "data-test": "value" }, words));
  const whole = values.reduce((sum, value) => sum + value, 0);
  if (values.length > 1 && whole > 0) {
    const bar = svg("svg", { viewBox: "0 0 100 9", class: moduleOf(game).black_and_white ? "bar black-and-white" : "bar", "aria-hidden": "true" });
    let x = 0;
    values.forEach((value, seat) => {
      const width = (value / whole) * 100;
      bar.append(svg("rect", { x, y: 0, width, height: 9, class: `part p${seat}` }));
      if (width > 5 * seatMark(game, seat).length) bar.append(label(x + width / 2, 4.7, 4.6, seatMark(game, seat), { class: `part-letter p${seat}` }));
      x += width;
    });
    panel.append(bar);
  }
  if (!exact || evaluation.moves?.some((move) => move.exact === false))
    panel.append(el("p", { class: "note" }, `${say("estimate_note")}${note ? `: ${told(note)}` : ""}`));
  return panel;
}
