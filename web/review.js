// The review of a game: what each move lost, and how much of the result was luck and how much skill.

import { moduleOf } from "./board.js";
import { el } from "./dom.js";
import { say, told } from "./words.js";
import { outcomeText, playerName, signed } from "./values.js";

const NOTHING = 1e-9;

// The value of every position of the game to each player: before each step, and at the end.
export function valueRows(review) {
  return [...review.steps.map((step) => step.values), review.end];
}

// For each player: how the result came about; without chance, how many moves were not best.
function sums(game, review, hasChance) {
  if (!hasChance)
    return el("ul", { class: "sums" }, review.players.map((_, seat) => {
      const lost = review.steps.filter((step, i) => game.steps[i]?.player === seat && (step.loss ?? 0) > NOTHING).length;
      return el("li", {}, el("strong", {}, playerName(game.game, seat)), ` ${say("not_best", lost)}`);
    }));
  return el("ul", { class: "sums" }, review.players.map((player, seat) => {
    const { luck, skill, others, result, start } = player;
    const mark = review.exact === false ? "~ " : "";
    return el("li", {}, el("strong", {}, playerName(game.game, seat)), ` ${mark}`,
      say("adds_up", signed(luck), signed(skill), signed(others), signed(luck + skill + others), result.toFixed(6), start.toFixed(6)));
  }));
}

function verdict(step, number, worst) {
  if (worst.has(number)) return say("worst");
  return (step.loss ?? 0) > NOTHING ? say("small_loss") : "";
}

// What a move lost; for outcomes, what the best move would have led to.
function lossWords(seen) {
  if ((seen.loss ?? 0) <= NOTHING) return "";
  return seen.outcome ? say("best_is", outcomeText(seen)) : `${seen.exact === false ? "~" : ""}−${seen.loss.toFixed(6)}`;
}

function row(game, review, number, worst, onPick) {
  const step = game.steps[number], seen = review.steps[number];
  const mark = seen.exact === false ? "~" : "";
  const isMove = step.actor === "player";
  const go = () => onPick(number);
  return el("tr", {
    "data-test": "review-row", "data-step": number, class: worst.has(number) ? "worst" : null, tabindex: "0",
    onclick: go, onkeydown: (event) => event.key === "Enter" && go(),
  },
    el("td", {}, String(number + 1)),
    el("td", {}, playerName(game.game, step.player)),
    el("td", {}, told(step.told) || step.move),
    el("td", { class: "number" }, isMove ? lossWords(seen) : `${say("luck")} ${mark}${signed(seen.luck ?? 0)}`),
    el("td", { "data-label": say("better") }, isMove && seen.best && (seen.loss ?? 0) > NOTHING ? moduleOf(game.game).nameOf(seen.best, []) : ""),
    el("td", {}, verdict(seen, number, worst)));
}

// `onPick` gets the number of a step, to show the position before it.
export function reviewPanel(game, review, hasChance, onPick) {
  const worst = new Set(review.worst ?? []);
  const numbers = review.steps.map((_, number) => number).filter((number) => game.steps[number]);
  const headings = ["step", "who", "move", "loss", "better", "review"].map((key) => el("th", { scope: "col" }, say(key)));
  return el("section", { class: "card", "data-test": "review" },
    el("h2", {}, say("review")),
    sums(game, review, hasChance),
    review.exact === false && el("p", { class: "note" }, say("estimate_note")),
    el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, headings)),
      el("tbody", {}, numbers.map((number) => row(game, review, number, worst, onPick))))));
}
