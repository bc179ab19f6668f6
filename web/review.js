// The review of a game: step through it with the value before and after each step, the move that was
// played and the best one as arrows; go from mistake to mistake and try again.

import * as api from "./api.js";
import { moveName } from "./board.js";
import { button, el, iconButton, label, put, svg } from "./dom.js";
import { namedText, seatName } from "./players.js";
import * as sound from "./sound.js";
import { addNotes, savedName } from "./store.js";
import { capital, judge, numberText, outcomeText, seatMark, signedNum, signedText } from "./values.js";
import { addWords, say, sayOf, told } from "./words.js";

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
  accuracy: ["{0}: {1} of {2} moves best or nearly", "{0}: {2}수 가운데 {1}수가 가장 좋거나 그에 가까운 수"],
  accuracy_mistakes: [" · mistakes: {0}", " · 실수 {0}번"],
  luck: ["luck", "운"],
  skill: ["mistakes", "실수"],
  others: ["others", "상대"],
  sum_words: [": luck {0}, own mistakes {1}, the others {2}.", ": 운 {0}, 자기 실수 {1}, 상대 {2}."],
  sum_exact: ["Together they are exactly the change from the value at the start to the result.", "이 셋을 더하면 시작할 때의 승률에서 결과까지의 변화와 정확히 같습니다."],
  sum_estimate: ["The values are estimates, so {0} of the change remains unexplained.", "승률이 추정값이라 {0}만큼은 설명되지 않습니다."],
  luck_picture: ["Luck, mistakes and the others as bars", "운, 실수, 상대를 나타낸 막대그래프"],
});

const NOTHING = 1e-9;
const SLIGHT = 0.03;
const WORDS_MIN = 24; // a shorter text only repeats who won
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

// --- the chart: the value over the game, one line per player; clicking a point goes to that position ---

const WIDTH = 320;
const HEIGHT = 130;
const LEFT = 40;
const RIGHT = 44;
const TOP = 8;
const BOTTOM = 18;
const DASHES = [null, "6 3", "2 3", "8 3 2 3"];

// `rows` are the values before each step and at the end; `at` is the position shown; `marks` maps the
// numbers of steps to "bad" or "fair".
function drawChart(game, rows, at, onPick, marks = new Map()) {
  const all = rows.flat();
  const low = Math.min(0, ...all), high = Math.max(1, ...all);
  const x = (i) => LEFT + ((WIDTH - LEFT - RIGHT) * i) / Math.max(rows.length - 1, 1);
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - low)) / (high - low);
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": say("history"), test: "chart" });
  for (const part of [0, 0.5, 1]) {
    const value = low + (high - low) * part;
    root.append(svg("path", { d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}`, class: "grid" }));
    root.append(label(LEFT - 4, y(value), 11, high > 1 ? Math.round(value) : `${Math.round(value * 100)} %`, { class: "small", "text-anchor": "end" }));
  }
  root.append(label(x(0), HEIGHT - 6, 11, 0, { class: "small" }), label(x(rows.length - 1), HEIGHT - 6, 11, rows.length - 1, { class: "small" }));
  if (rows[at]) root.append(svg("path", { d: `M${x(at)} ${TOP}V${HEIGHT - BOTTOM}`, class: "at" }));
  // With two players the second line would mirror the first.
  const players = rows[0].length === 2 ? [0] : rows[0].map((_, player) => player);
  for (const player of players) {
    const line = rows.map((values, i) => `${x(i).toFixed(1)},${y(values[player]).toFixed(1)}`).join(" ");
    if (players.length === 1) root.append(svg("polygon", { points: `${x(0)},${y(low)} ${line} ${x(rows.length - 1)},${y(low)}`, class: `area p${player}` }));
    root.append(svg("polyline", { points: line, class: `line p${player}`, "stroke-dasharray": DASHES[player % DASHES.length] }));
    if (rows[0].length > 1) root.append(label(WIDTH - 1, Math.min(Math.max(y(rows.at(-1)[player]), 12), HEIGHT - 24), 11, capital(seatMark(game, player)), { class: `line-letter p${player}`, "text-anchor": "end" }));
  }
  rows.forEach((values, i) => {
    const mark = marks.get(i);
    const point = svg("g", { class: `point p0${i === at ? " here" : ""}${mark ? ` ${mark}` : ""}`, test: "chart-point", "data-step": i, onclick: () => onPick(i) });
    const half = (WIDTH - LEFT - RIGHT) / Math.max(rows.length - 1, 1) / 2;
    point.append(svg("rect", { x: x(i) - half, y: 0, width: half * 2, height: HEIGHT, class: "hit" }));
    if (mark) point.append(svg("path", { d: `M${x(i)} ${y(values[0]) - 4.4}l3.8 6.6h-7.6Z` }));
    else point.append(svg("circle", { cx: x(i), cy: y(values[0]), r: i === at ? 3.4 : rows.length > 80 ? 0.8 : 1.8 }));
    root.append(point);
  });
  return root;
}

// --- accuracy and luck of each player in one sentence and one picture. The numbers are the sums of what
// the steps show; for estimates, what is left unexplained is said. ---

const NEARLY = ["best", "good", "slow", "forced"];

// What the steps add up to for a player: its luck, its mistakes, the others, and what is unexplained.
function accountsOf(game, review, seat) {
  let luck = 0, skill = 0;
  review.steps.forEach((step, i) => {
    if (game.steps[i]?.player !== seat) return;
    luck += step.luck ?? 0;
    skill -= step.loss ?? 0;
  });
  if (review.lower_is_better) skill = -skill;
  const { others, result, start } = review.players[seat];
  return { luck, skill, others, rest: result - start - luck - skill - others };
}

// Bars from a common axis, one row per player.
function drawSplit(page, review, accounts) {
  const height = 17, row = 3 * height + 10, width = 320, middle = 190, most = Math.max(0.01, ...accounts.flatMap(({ luck, skill, others }) => [luck, skill, others].map(Math.abs)));
  const scale = 74 / most;
  const root = svg("svg", { viewBox: `0 0 ${width} ${accounts.length * row}`, class: "chart split", role: "img", "aria-label": say("luck_picture"), test: "split" });
  accounts.forEach((account, seat) => {
    const top = seat * row + 4;
    root.append(label(2, top + 1.5 * height, 13, page.module.seatMark(seat), { class: `line-letter p${seat}`, "text-anchor": "start" }));
    ["luck", "skill", "others"].forEach((name, i) => {
      const value = account[name], length = Math.max(0.8, Math.abs(value) * scale), y = top + i * height;
      root.append(svg("rect", { x: value < 0 ? middle - length : middle, y: y + 2, width: length, height: height - 4, rx: 2, class: name }));
      root.append(label(108, y + height / 2, 11, say(name), { class: "small", "text-anchor": "end" }));
      root.append(label(value < 0 ? middle + 4 : middle - 4, y + height / 2, 11, signedText(value, review.counted), { "text-anchor": value < 0 ? "start" : "end" }));
    });
    root.append(svg("path", { d: `M${middle} ${top}v${3 * height}`, class: "axis" }));
  });
  return root;
}

// Accuracy in words; with luck, also the picture and the sums.
function summaryPanel(page, review) {
  const { game } = page, hasLuck = review.steps.some((step) => step.luck !== undefined);
  const sentences = review.players.map((_, seat) => {
    const verdicts = review.steps.map((_, i) => (game.steps[i]?.player === seat ? verdictOf(review, i) : null)).filter(Boolean);
    const bad = verdicts.filter((one) => one === "mistake" || one === "blunder").length;
    if (verdicts.length === 0) return null;
    return el("li", { test: "accuracy" }, say("accuracy", page.nameOf(seat), verdicts.filter((one) => NEARLY.includes(one)).length, verdicts.length), bad > 0 && say("accuracy_mistakes", bad));
  });
  if (!hasLuck) return el("ul", { class: "plain" }, sentences);
  const accounts = review.players.map((_, seat) => accountsOf(game, review, seat));
  const rest = Math.max(...accounts.map((account) => Math.abs(account.rest)));
  const isExact = review.exact !== false && rest < 1e-6;
  return el("div", {}, el("ul", { class: "plain" }, sentences), drawSplit(page, review, accounts),
    el("ul", { class: "plain" }, accounts.map((account, seat) => el("li", { test: "sum", "data-luck": account.luck, "data-skill": account.skill, "data-others": account.others },
      page.nameOf(seat), sumWords(account, review)))),
    el("p", { class: "note", test: "sum-note" }, isExact ? say("sum_exact") : say("sum_estimate", signedText(rest, review.counted).slice(1))));
}

function sumWords({ luck, skill, others }, review) {
  const parts = say("sum_words", "\u0001", "\u0002", "\u0003").split(/([\u0001-\u0003])/);
  const values = { "\u0001": luck, "\u0002": skill, "\u0003": others };
  return parts.map((part) => (part in values ? signedNum(values[part], review.counted, review.exact !== false) : part));
}

// --- the end of a game: who won, one sentence of the story, and what to do next ---

// The seat that won alone, or -1.
export function winnerOf(game) {
  const result = game.now.result ?? [];
  if (result.length < 2) return -1;
  const best = Math.max(...result);
  return result.filter((value) => value === best).length === 1 ? result.indexOf(best) : -1;
}

export function endingTitle(session) {
  const { game } = session, { result } = game.now, winner = winnerOf(game);
  if (!result) return say("over");
  if (result.length === 1) return namedText(told(game.now.told), (seat) => seatName(game, seat, session.isMine(seat))) || say("ending_score", result[0]);
  if (winner < 0) return say("ending_tie");
  if (!session.plays() || game.you.length > 1) return say("ending_won", seatName(game, winner, session.isMine(winner)));
  return say(session.isMine(winner) ? "ending_you" : "ending_lost");
}

// One sentence about luck and mistakes, from the review.
export function storyOf(session, review, worstStep) {
  const { game } = session, winner = winnerOf(game), words = [];
  const name = (seat) => seatName(game, seat, session.isMine(seat));
  const exact = review.exact !== false;
  if (winner >= 0 && review.steps.some((step) => step.luck !== undefined)) {
    const { luck } = review.players[winner], others = Math.max(...review.players.filter((_, seat) => seat !== winner).map((player) => player.luck));
    if (Math.abs(luck - others) < SLIGHT) words.push(say("story_even"));
    else words.push(say(luck > others ? "story_lucky" : "story_unlucky", name(winner), ...[luck, others].map((one) => signedText(one, review.counted, exact))));
  }
  if (worstStep === null) words.push(say("story_clean"));
  else {
    const { loss, outcome } = review.steps[worstStep];
    words.push(say("story_mistake", worstStep + 1, name(game.steps[worstStep].player), outcome ? "" : ` (${signedText(-loss, review.counted, exact)})`));
  }
  return words.join(" ");
}

// The same game once more; with `swap`, everybody one seat further.
async function playAgain(game, swap) {
  const seats = game.seats.map(({ kind, player }) => (kind === "computer" ? { kind, player } : { kind, ...(kind === "here" && savedName() ? { name: savedName() } : {}) }));
  if (swap) seats.unshift(seats.pop());
  api.openMade(await api.makeGame({ game: game.game, rules: game.rules_text, seats, position: game.start }));
}

// `actions`: review(), report(function). `tray` shows the last throw; or null.
export function endingPanel(session, actions, tray) {
  const { game } = session;
  const story = el("p", { test: "story" }, say("story_wait"));
  const again = (swap) => actions.report(() => playAgain(game, swap));
  const panel = el("section", { class: "card ending", test: "ending" },
    el("div", { class: "ending-head" }, el("h2", { test: "ending-title" }, endingTitle(session).replace(/\.$/, "")), tray),
    game.now.result?.length > 1 && told(game.now.told).length > WORDS_MIN && el("p", { class: "note" }, namedText(told(game.now.told), (seat) => seatName(game, seat, session.isMine(seat)))),
    story,
    el("div", { class: "row" },
      button(say("review"), actions.review, { class: "main", test: "open-review" }),
      session.plays() && button(say("rematch"), () => again(false), { test: "rematch" }),
      session.plays() && game.seats.length > 1 && button(say("swap_seats"), () => again(true), { test: "swap" }),
      el("a", { class: "button", href: `#/new/${game.game}`, test: "new-game" }, say("new_game"))));
  return { panel, tell: (words) => put(story, words) };
}

// --- the review ---

export class Review {
  // `page` is the GamePage whose board and panels the review uses.
  constructor(page, review) {
    this.page = page;
    this.review = review;
    this.isOpen = false;
    this.at = 0;
    this.positions = new Map();
    this.better = new Map(); // the best moves in words, by the number of the step
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
    page.board.clearCallout();
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
    if (!better || this.at !== at || !this.isOpen || this.trying) return;
    this.better.set(at, moveName(game.game, better, page.positionAfter(at), game.rules));
    put(page.ended.querySelector('[data-test="better"]'), say("best_was", this.better.get(at)));
    page.board.setArrows([...arrows, { move: best, trace: better.trace, turn: step.player, tone: "good", label: "★" }]);
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
    const title = el("p", {}, el("strong", {}, page.stepText(at)));
    if (step.actor !== "player") return [title, change, el("p", {}, `${sayOf(page.module, "luck_of_throw")}: `, signedNum(seen.luck ?? 0, review.counted, seen.exact !== false))];
    const verdict = verdictOf(review, at);
    const lost = (seen.loss ?? 0) > NOTHING && !seen.outcome && signedNum(-seen.loss, review.counted, seen.exact !== false);
    return [title, el("p", { class: TONES[verdict], test: "verdict" }, `${MARKS[verdict]} ${say(`verdict_${verdict}`)} `, lost), change,
      verdict !== "best" && seen.best !== step.move && el("p", { test: "better" }, say("best_was", this.better.get(at) ?? page.module.nameOf(seen.best, [])))];
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
