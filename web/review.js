// The review of a game: step through it with the value before and after each step, the move that was
// played and the best one as arrows; go from mistake to mistake and try again.

import * as api from "./api.js";
import { drawChart } from "./chart.js";
import { button, el, iconButton, put } from "./dom.js";
import { summaryPanel } from "./luck.js";
import { judge } from "./moves.js";
import * as sound from "./sound.js";
import { addNotes } from "./store.js";
import { numberText, outcomeText, signedNum } from "./values.js";
import { addWords, say, sayOf } from "./words.js";

addWords({
  verdict_best: ["best move", "가장 좋은 수"],
  verdict_good: ["good", "좋은 수"],
  verdict_slow: ["slower than possible", "더 빠른 수가 있음"],
  verdict_small: ["inaccuracy", "조금 아쉬운 수"],
  verdict_mistake: ["mistake", "실수"],
  verdict_blunder: ["blunder", "큰 실수"],
  verdict_forced: ["the only move", "외길"],
  review_of: ["Step {0} of {1}", "{1}단계 중 {0}단계"],
  review_end: ["The end of the game", "게임의 끝"],
  before_after: ["{0} before → {1} after", "두기 전 {0} → 둔 뒤 {1}"],
  best_was: ["Better: {0}", "더 좋은 수: {0}"],
  luck_of_throw: ["Luck of this throw", "이 던지기의 운"],
  next_mistake: ["Next mistake", "다음 실수"],
  no_mistakes: ["No mistakes left.", "더 이상 실수가 없습니다."],
  try_again: ["Try again", "다시 해 보기"],
  try_now: ["{0} to play: find the best move.", "{0} 차례: 가장 좋은 수를 찾아보세요."],
  show_answer: ["Show the answer", "정답 보기"],
  leave_review: ["Leave", "나가기"],
});

const NOTHING = 1e-9;
const OPPOSITE = { win: "loss", loss: "win", endless: "endless" };
export const MARKS = { best: "★", good: "✓", forced: "·", slow: "▽", small: "?!", mistake: "?", blunder: "??" };
export const TONES = { best: "good", good: "good", forced: "", slow: "fair", small: "fair", mistake: "bad", blunder: "bad" };

// The server's verdict on step `i`; null for a throw.
export function verdictOf(review, i) {
  return review.steps[i]?.verdict ?? null;
}

// All mistakes, the costliest first: { number, verdict, loss }.
export function mistakesOf(review) {
  return review.steps.map((step, number) => ({ number, verdict: verdictOf(review, number), loss: step.loss ?? 0 }))
    .filter(({ verdict }) => verdict === "mistake" || verdict === "blunder").sort((a, b) => b.loss - a.loss);
}

// The value of every position of the game to each player: before each step, and at the end.
export function valueRows(review) {
  return [...review.steps.map((step) => step.values), review.end];
}

export class Review {
  // `page` is the GamePage whose board and panels the review uses.
  constructor(page, review) {
    this.page = page;
    this.review = review;
    this.isOpen = false;
    this.at = 0;
    this.positions = new Map();
    this.trying = null;
    this.mistakes = mistakesOf(review).map(({ number }) => number).sort((a, b) => a - b);
  }

  forget() {
    if (this.isOpen) this.leave();
  }

  open() {
    const { page } = this;
    this.isOpen = true;
    page.clearEnding();
    put(page.moves);
    put(page.value);
    page.steps.hidden = true;
    page.action.hidden = true;
    this.panel = el("section", { class: "card", test: "review" });
    put(page.reviewed, this.panel);
    this.noteMistakes();
    page.main.querySelector(".panels").scrollTop = 0;
    this.show(this.mistakes[0] ?? 0);
  }

  leave() {
    this.isOpen = false;
    put(this.page.reviewed);
    put(this.page.ended);
    this.page.steps.hidden = false;
    this.page.leaveReview();
  }

  // Keeps the mistakes of this browser's owner for later.
  noteMistakes() {
    const { game } = this.page;
    addNotes(this.mistakes.filter((number) => this.page.isMine(game.steps[number].player)).map((number) => ({
      game: game.game, rules: game.rules_text, position: this.page.positionAfter(number), played: game.steps[number].move,
      best: this.review.steps[number].best, loss: this.review.steps[number].loss, verdict: verdictOf(this.review, number), when: Date.now(),
    })));
  }

  key(name) {
    const keys = {
      ArrowRight: () => this.show(this.at + 1), ArrowLeft: () => this.show(this.at - 1), n: () => this.nextMistake(),
      Home: () => this.show(0), End: () => this.show(this.review.steps.length), Escape: () => (this.trying ? this.show(this.at) : this.leave()),
    };
    if (!keys[name] || (this.trying && name.startsWith("Arrow"))) return false;
    keys[name]();
    return true;
  }

  nextMistake() {
    const next = this.mistakes.find((number) => number > this.at) ?? this.mistakes[0];
    if (next === undefined) this.page.page.toast(say("no_mistakes"));
    else this.show(next);
  }

  // The legal moves of the position before step `number`.
  async movesAt(number) {
    const { game } = this.page;
    if (!this.positions.has(number))
      this.positions.set(number, api.getPosition({ game: game.game, rules: game.rules_text, position: this.page.positionAfter(number) }));
    return (await this.positions.get(number)).moves ?? [];
  }

  // Shows the position before step `number`, and what happened there.
  async show(number) {
    const { page, review } = this, { game } = page;
    this.at = Math.max(0, Math.min(number, review.steps.length));
    this.trying = null;
    const step = game.steps[this.at], { at } = this;
    page.past = at;
    page.board.show({ position: page.positionAfter(at), rules: game.rules, running: true });
    page.drawTray(at);
    page.drawBar();
    this.draw();
    if (step?.actor !== "player") return;
    const verdict = verdictOf(review, at), { best } = review.steps[at];
    const arrows = [{ move: step.move, trace: step.trace, turn: step.player, tone: TONES[verdict] === "bad" ? "bad" : TONES[verdict] === "fair" ? "even" : "good", label: MARKS[verdict] }];
    page.board.setArrows(arrows);
    if (verdict === "best" || best === step.move) return;
    const moves = await this.movesAt(at).catch(() => []);
    const better = moves.find((move) => move.move === best);
    if (better && this.at === at && this.isOpen && !this.trying) page.board.setArrows([...arrows, { move: best, trace: better.trace, turn: step.player, tone: "good", label: "★" }]);
  }

  // The values of the position that is shown, for the bar beside the board.
  evaluation() {
    const { review, at } = this, seen = review.steps[at];
    return { ...review, values: valueRows(review)[at], player: seen?.player ?? 0, exact: seen?.exact ?? review.exact, outcome: seen?.outcome, plies: seen?.plies };
  }

  valueWords(values, number, player) {
    const { review } = this, seen = review.steps[number];
    if (seen?.outcome) return outcomeText({ outcome: seen.player === player ? seen.outcome : OPPOSITE[seen.outcome], plies: seen.plies });
    return numberText(values[player], seen?.exact ?? review.exact, review.counted, seen?.typical_error);
  }

  // What is said about the step that is shown.
  words() {
    const { page, review, at } = this, { game } = page, step = game.steps[at], seen = review.steps[at];
    if (!step) return [el("p", {}, say("review_end"))];
    const rows = valueRows(review), { player } = step;
    const change = el("p", {}, `${page.nameOf(player)}: `, say("before_after", this.valueWords(rows[at], at, player), this.valueWords(rows[at + 1], at + 1, player)));
    const title = el("p", {}, el("strong", {}, page.tell(step.told) || step.move));
    if (step.actor !== "player") return [title, change, el("p", {}, `${sayOf(page.module, "luck_of_throw")}: `, signedNum(seen.luck ?? 0, review.counted, seen.exact !== false))];
    const verdict = verdictOf(review, at);
    const lost = (seen.loss ?? 0) > NOTHING && !seen.outcome && signedNum(-seen.loss, review.counted, seen.exact !== false);
    return [title, el("p", { class: TONES[verdict], test: "verdict" }, `${MARKS[verdict]} ${say(`verdict_${verdict}`)} `, lost), change,
      verdict !== "best" && seen.best !== step.move && el("p", {}, say("best_was", page.module.nameOf(seen.best, [])))];
  }

  draw() {
    const { page, review, at } = this, { game } = page, last = review.steps.length;
    const marks = new Map(review.steps.map((_, i) => [i, TONES[verdictOf(review, i)]]).filter(([i]) => ["small", "mistake", "blunder"].includes(verdictOf(review, i))));
    const verdict = at < last && verdictOf(review, at);
    put(page.status, el("span", { test: "status" }, at < last ? say("review_of", at + 1, last) : say("review_end"),
      verdict && el("span", { class: TONES[verdict] }, ` · ${MARKS[verdict]} ${say(`verdict_${verdict}`)}`)));
    put(page.tools,
      iconButton("first", say("first"), () => this.show(0), { test: "review-first", disabled: at === 0 }),
      iconButton("back", say("back"), () => this.show(at - 1), { test: "review-back", disabled: at === 0 }),
      iconButton("forward", say("forward"), () => this.show(at + 1), { test: "review-forward", disabled: at === last }),
      button(say("next_mistake"), () => this.nextMistake(), { class: "grow", test: "next-mistake", disabled: this.mistakes.length === 0 }),
      iconButton("close", say("leave_review"), () => this.leave(), { test: "leave-review" }));
    const canTry = ["small", "mistake", "blunder", "slow"].includes(verdictOf(review, at));
    this.message = el("p", { class: "row", role: "status", test: "try-result" });
    put(page.ended, el("div", { class: "review-words" }, this.words(), this.message,
      canTry && el("p", { class: "row" }, button(say("try_again"), () => this.tryAgain(), { class: "main", test: "try-again" }))));
    put(this.panel,
      drawChart(game.game, valueRows(review), at, (number) => this.show(number), marks),
      summaryPanel(page, review));
  }

  // --- trying again ---

  async tryAgain() {
    const { page, at } = this, { game } = page;
    const evaluation = await page.page.report(() => api.getEval({ game: game.game, rules: game.rules_text, position: page.positionAfter(at) }));
    if (!evaluation || !this.isOpen || this.at !== at) return;
    this.trying = evaluation;
    page.board.show({ position: page.positionAfter(at), rules: game.rules, moves: evaluation.moves, marked: true, running: true });
    page.action.hidden = !page.module.chooses_sets;
    put(page.ended, el("div", { class: "review-words" }, el("p", {}, el("strong", { test: "try-words" }, say("try_now", page.nameOf(game.steps[at].player)))), this.message,
      el("p", { class: "row" }, button(say("show_answer"), () => this.answer(), { test: "show-answer" }))));
    page.board.surface.focus({ preventScroll: true });
  }

  tried(text) {
    if (!this.trying) return;
    const { isRight, words } = judge(this.trying, text);
    sound.play(isRight ? "right" : "wrong");
    this.page.page.speak(words);
    put(this.message, el("span", { class: isRight ? "good" : "bad" }, `${isRight ? "✓" : "✗"} ${words}`));
    if (isRight) this.answer(false);
  }

  // Shows the best move.
  answer(clear = true) {
    const { page } = this, [best] = this.trying.moves;
    page.board.show({ position: this.trying.position, rules: page.game.rules, running: true, arrows: [{ move: best.move, trace: best.trace, turn: this.trying.player, tone: "good", label: "★" }] });
    const words = this.message.firstChild;
    this.trying = null;
    page.action.hidden = true;
    this.draw();
    if (!clear && words) put(this.message, words);
  }
}
