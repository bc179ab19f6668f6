// Values as people read them, as the command line prints them: six digits, `~` before an estimate,
// outcomes in words; and the bar that shows how everybody stands.

import { el, label, svg } from "./dom.js";
import { LETTERS } from "./pieces.js";
import { say, told } from "./words.js";

// Points are counted; what is a whole number of them is told as one.
function isCounted(meaning) {
  return meaning?.counted === true;
}

export function numberText(value, exact, meaning) {
  if (value === null || value === undefined) return "";
  if (exact && isCounted(meaning) && Number.isInteger(value)) return String(value);
  return `${exact ? "" : "~"}${value.toFixed(6)}`;
}

// `win 9` in words.
export function outcomeText(outcome) {
  const [what, moves] = outcome.split(" ");
  if (what === "win") return say("win_in", moves);
  if (what === "loss") return say("loss_in", moves);
  return what === "endless" ? say("endless") : outcome;
}

function otherSide(outcome) {
  return outcome.startsWith("win") ? outcome.replace("win", "loss") : outcome.replace("loss", "win");
}

// The value of a position or move; `one` has value, exact and perhaps outcome.
export function valueText(one, meaning) {
  if (one.outcome) return outcomeText(one.outcome);
  return numberText(one.value, one.exact ?? true, meaning);
}

// What a move loses to the best one.
export function lossText(move, best, meaning) {
  if (move === best || (move.loss ?? 0) <= 1e-9) return say("best");
  if (move.outcome || best.outcome) return say("best_is", valueText(best, meaning));
  const exact = (move.exact ?? true) && (best.exact ?? true);
  return `${exact ? "" : "~"}−${numberText(Math.abs(move.loss), true, isCounted(meaning) && exact ? meaning : "")}`;
}

export function signed(number) {
  return `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(6)}`;
}

// How a seat is marked on the board: by a letter, or by the side it plays.
export function seatMark(game, seat) {
  return game === "valley" ? say(seat ? "black" : "white") : LETTERS[seat];
}

export function playerName(game, seat) {
  return `${say("player", seat)} (${seatMark(game, seat)})`;
}

// How everybody stands: parts of a bar, and the numbers in words. For one player alone a number.
export function valueBar(game, evaluation) {
  const { values, exact, meaning, outcome, fraction, note } = evaluation;
  const parts = values.map((value, seat) => {
    const words = outcome ? outcomeText(seat === evaluation.turn ? outcome : otherSide(outcome)) : numberText(value, exact, meaning);
    return values.length === 1 ? words : `${playerName(game, seat)} ${words}`;
  });
  const words = `${told(meaning)}: ${parts.join(" · ")}${fraction && String(fraction).includes("/") ? ` (${say("exactly", fraction)})` : ""}`;
  const box = el("div", { class: "value" }, el("p", { "data-test": "value" }, words));
  const whole = values.reduce((sum, value) => sum + value, 0);
  if (values.length > 1 && whole > 0) {
    const bar = svg("svg", { viewBox: "0 0 100 9", class: `bar bar-${game}`, "aria-hidden": "true" });
    let x = 0;
    values.forEach((value, seat) => {
      const width = (value / whole) * 100;
      bar.append(svg("rect", { x, y: 0, width, height: 9, class: `part p${seat}` }));
      if (width > 5 * seatMark(game, seat).length) bar.append(label(x + width / 2, 4.7, 4.6, seatMark(game, seat), { class: `part-letter p${seat}` }));
      x += width;
    });
    box.append(bar);
  }
  if (!exact || evaluation.moves?.some((move) => move.exact === false))
    box.append(el("p", { class: "note" }, `${say("estimate_note")}${note ? `: ${told(note)}` : ""}`));
  return box;
}
