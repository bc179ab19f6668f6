// A hosted game: the board, whose turn it is, moves and throws, hints, earlier positions, undo.

import * as api from "./api.js";
import { Board, moduleOf, moveName } from "./board.js";
import { drawChart } from "./chart.js";
import { button, el, focusAgain, focusMark, put } from "./dom.js";
import { fairPanel } from "./fair.js";
import { bestFirst, markMove, moveList } from "./moves.js";
import { reviewPanel, valueRows } from "./review.js";
import { computerName } from "./seats.js";
import { sharePanel } from "./share.js";
import * as store from "./store.js";
import { playerName, valueBar } from "./values.js";
import { say, told } from "./words.js";

const HINTS = 4;
const SHOWN_ONE_BY_ONE_MAX = 24;
const RETRY_TIME = 3000;
const UNSEEN_TIME = 15000;
const PAUSE = 250;
const AIM_TIME = 400; // a list that was shown for less than this may still be reordered
const ACTS = ["throw", "move", "choice", "close"];

// Replaces a panel; it stays open if the old one was open.
function putPanel(place, panel) {
  const old = place.querySelector("details");
  put(place, panel);
  if (old && panel) panel.open ||= old.open;
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

export class GamePage {
  // `page` has report(function), notice(text), speak(text), keys(). `kept` is what kept() of an
  // earlier view of the same game returned.
  constructor(main, id, watchOnly, page, kept = {}) {
    this.main = main;
    this.id = id;
    this.watchOnly = watchOnly;
    this.page = page;
    this.hints = 0;
    this.past = null; // the step whose position is shown; null: the present one
    this.shown = 0; // how many steps the board has shown
    this.evaluation = null;
    this.review = null;
    this.busy = false;
    this.closed = false;
    Object.assign(this, kept);
  }

  // What survives a change of language.
  kept() {
    return { hints: this.hints, past: this.past };
  }

  async open(token) {
    const game = token ? await api.joinGame(this.id, token) : await api.getGame(this.id);
    const { games } = await api.getCatalogue();
    if (this.closed) return;
    this.about = games.find((one) => one.name === game.game);
    if (token) history.replaceState(null, "", `#/play/${this.id}`);
    this.game = game;
    this.shown = game.number;
    if (!this.watchOnly) store.rememberGame(this.id, game.game);
    this.build();
    this.refresh();
    this.listen();
    document.addEventListener("visibilitychange", this.seen);
  }

  close() {
    this.closed = true;
    this.source?.close();
    clearInterval(this.asking);
    document.removeEventListener("visibilitychange", this.seen);
    document.title = say("title");
  }

  // --- the server ---

  // Browsers limit the connections to one server, so a hidden page polls instead of listening.
  seen = () => (document.hidden ? this.listen() : this.retry());

  listen() {
    this.source?.close();
    clearInterval(this.asking);
    if (document.hidden) {
      this.asking = setInterval(() => api.getGame(this.id).then((game) => this.replace(game), () => {}), UNSEEN_TIME);
      return;
    }
    let wasLost = false;
    this.source = api.listen(this.id, this.game.version, (change) => this.applyChange(change), (isOpen) => {
      if (this.closed) return;
      if (!isOpen) {
        wasLost = true;
        this.page.notice(say("connection_lost"));
        if (this.source.readyState === EventSource.CLOSED) setTimeout(() => this.retry(), RETRY_TIME);
      } else if (wasLost) {
        wasLost = false;
        this.page.notice("");
        this.fetch();
      }
    });
  }

  async retry() {
    if (this.closed) return;
    try {
      this.replace(await api.getGame(this.id));
      this.page.notice("");
      this.listen();
    } catch {
      setTimeout(() => this.retry(), RETRY_TIME);
    }
  }

  fetch() {
    return this.page.report(async () => this.replace(await api.getGame(this.id)));
  }

  replace(game) {
    this.applyChange({ ...game, from: 0 });
  }

  // Applies a change: the steps from `from` on are replaced.
  applyChange(change) {
    if (this.closed || !change.steps || change.version < this.game.version) return;
    const isNews = change.version > this.game.version;
    const from = change.from ?? 0;
    const steps = [...this.game.steps.slice(0, from), ...change.steps];
    const isTakenBack = steps.length < this.game.steps.length || this.game.steps.some((step, i) => steps[i]?.position !== step.position);
    const before = this.game;
    this.game = { ...this.game, ...change, steps, number: change.number ?? steps.length };
    if (!isNews) return;
    this.evaluation = null;
    this.review = null;
    if (isTakenBack) {
      this.shown = this.game.number;
      if (this.past !== null && this.past >= this.game.number) this.past = null;
      this.page.speak(say("taken_back"));
    }
    for (const seat of this.game.undo?.asked ?? [])
      if (!this.isMine(seat) && !before.undo?.asked?.includes(seat)) this.page.speak(say("undo_asks", this.nameOf(seat)));
    this.catchUp();
  }

  // Sends a request that changes the game; if the game has moved on in the meantime, reloads it.
  async act(request) {
    if (this.busy) return;
    this.busy = true;
    this.page.notice("");
    try {
      const answer = await request();
      if (answer?.steps) this.applyChange(answer);
    } catch (error) {
      if (error.status === 409) await this.fetch();
      this.page.notice(error.message);
    } finally {
      this.busy = false;
    }
  }

  isMine(seat) {
    return !this.watchOnly && this.game.you.includes(seat);
  }

  // Whether this browser may do `what` ("move" or "throw") now.
  mayDo(what) {
    const { waits } = this.game;
    return waits && waits.for === what && this.isMine(waits.seat) && this.past === null && this.shown === this.game.number;
  }

  move(text) {
    if (this.mayDo("move")) this.act(() => api.postMove(this.id, this.game.number, text));
  }

  throws() {
    if (this.mayDo("throw")) this.act(() => api.postThrow(this.id, this.game.number));
  }

  undo() {
    if (!this.watchOnly && this.game.you.length) this.act(() => api.postUndo(this.id, this.game.number));
  }

  withdraw() {
    this.act(() => api.postUndo(this.id, this.game.number, true));
  }

  hint() {
    this.hints = (this.hints + 1) % HINTS;
    this.page.speak(say(`hint_${this.hints}`));
    this.order = null;
    this.refresh();
  }

  // --- animating steps ---

  // Shows the steps that the board has not shown yet, one by one.
  async catchUp() {
    if (this.catching) return;
    this.catching = true;
    try {
      while (!this.closed && this.shown < this.game.number) {
        const step = this.game.steps[this.shown];
        this.page.speak(told(step.told));
        const moving = store.isAnimated() && this.past === null && !document.hidden && this.game.number - this.shown <= SHOWN_ONE_BY_ONE_MAX;
        const number = this.shown;
        if (moving) await this.showStep(number);
        // The step may have been taken back in the meantime.
        if (this.shown === number && number < this.game.number) this.shown++;
      }
    } finally {
      this.catching = false;
    }
    if (this.closed) return;
    if (this.game.over) this.page.speak(this.ending());
    this.refresh();
  }

  positionAfter(number) {
    return number === 0 ? this.game.start : this.game.steps[number - 1].position;
  }

  // The squares that step `number` passed.
  traceOf(number) {
    return this.game.steps[number]?.trace ?? [];
  }

  async showStep(number) {
    const step = this.game.steps[number], { rules } = this.game;
    const trace = this.traceOf(number);
    if (this.closed || this.game.steps[number] !== step) return;
    const isThrow = step.actor === "chance";
    this.keepFocus();
    this.drawStatus();
    this.drawControls();
    this.drawMoves();
    const { showThrow } = moduleOf(this.game.game);
    if (isThrow) await showThrow?.(this.thrown, step.move, true);
    this.board.show({ position: step.position, rules, last: trace, lastTurn: step.player });
    if (isThrow && !showThrow) await this.board.roll();
    await this.board.slide(trace, step.player, this.positionAfter(number), rules);
    if (number + 1 < this.game.number) await pause(PAUSE);
  }

  // --- the page ---

  build() {
    const { game } = this.game;
    this.board = new Board(game, {
      move: (text) => this.move(text), throws: () => this.throws(), undo: () => this.undo(), hint: () => this.hint(),
      keys: () => this.page.keys(), speak: (text) => this.page.speak(text), highlight: (move) => markMove(this.moves, move),
    });
    const places = ["status", "thrown", "controls", "moves", "value", "nav", "steps", "chart", "reviewed", "shared", "fair", "text"];
    for (const name of places) this[name] = el("div", { class: `place-${name}` });
    put(this.main, el("h1", { class: "unseen" }, told(this.about.title)), el("div", { class: "board-page" },
      el("div", { class: "side-board" }, this.status, this.board.element, this.thrown, this.controls, this.nav),
      el("div", { class: "side-more" }, this.moves, this.value, this.chart, this.steps, this.shared, this.fair, this.text),
      this.reviewed));
  }

  // Draws everything for the present position, or for the earlier one that is selected.
  async refresh() {
    const { game } = this;
    const at = this.past ?? this.shown;
    const isNow = this.past === null && this.shown === game.number;
    this.keepFocus();
    this.drawStatus();
    this.drawBoard(at, isNow);
    this.drawControls();
    this.drawNav(at);
    this.drawSteps(at);
    putPanel(this.shared, sharePanel(game, this.positionAfter(at), this.page.report));
    this.drawText(at);
    this.drawFair();
    this.drawMoves();
    this.giveFocus();
    document.body.dataset.over = isNow && game.over ? "1" : "";
    await Promise.all([this.drawValue(), this.drawHistory()]);
  }

  // For keyboard users: after a step the focus moves to the next button that plays; any other button
  // keeps the focus.
  keepFocus() {
    this.mark = focusMark() ?? this.mark;
  }

  giveFocus() {
    if (document.activeElement !== document.body) this.mark = null;
    if (!this.mark) return;
    if (!ACTS.includes(this.mark.test)) {
      focusAgain(this.mark);
      this.mark = null;
      return;
    }
    const same = this.mark.move && this.moves.querySelector(`[data-move="${this.mark.move}"]`);
    const next = this.controls.querySelector('[data-test="throw"]:not(:disabled)') ?? (same || this.moves.querySelector('[data-test="move"]'));
    if (!next) return; // it is somebody else's turn
    this.mark = null;
    next.focus({ preventScroll: true });
  }

  // The board as text; for earlier positions it is requested when the panel is opened.
  drawText(at) {
    const position = this.positionAfter(at), isNow = at === this.game.number;
    const text = el("pre", { "data-test": "text-board" }, isNow ? told(this.game.now.text) : "");
    const panel = el("details", { class: "card", ontoggle: async () => {
      if (!panel.open || text.textContent) return;
      const past = await this.page.report(() => api.getPosition({ game: this.game.game, rules: this.game.rules_text, position }));
      put(text, told(past?.text));
    } }, el("summary", {}, say("text_board")), text, el("p", {}, `${say("position")}: `, el("code", {}, position)));
    putPanel(this.text, panel);
  }

  async drawBoard(at, isNow) {
    const { game } = this;
    const moves = isNow && this.mayDo("move") ? game.now.moves : [];
    const scene = { position: this.positionAfter(at), rules: game.rules, moves, marked: this.hints >= 1, running: !game.over || !isNow };
    this.board.show({ ...scene, last: [] });
    const thrown = game.steps.slice(0, at).findLast((step) => step.actor === "chance");
    moduleOf(game.game).showThrow?.(this.thrown, thrown?.move, false);
    const last = this.traceOf(at - 1);
    if (last.length > 1 && !this.closed && at === (this.past ?? this.shown) && !this.catching) this.board.setLast(last, game.steps[at - 1].player);
  }

  nameOf(seat) {
    const { kind, player } = this.game.seats[seat] ?? {};
    const who = kind === "computer" ? ` · ${computerName(player)}` : this.isMine(seat) ? ` · ${say("you")}` : "";
    return playerName(this.game.game, seat) + who;
  }

  ending() {
    return `${say("over")} ${told(this.game.now.told)}`.trim();
  }

  drawStatus() {
    const { now, waits, trouble, number, over } = this.game;
    let words;
    const showing = this.shown < number && this.game.steps[this.shown];
    if (showing) words = showing.actor === "chance" ? say("throwing", this.nameOf(showing.player)) : told(showing.told);
    else if (over) words = this.ending();
    else if (trouble) words = say("trouble", this.nameOf(now.player), trouble);
    else if (!waits) words = say("thinking", this.nameOf(now.player));
    else words = say(`${this.isMine(waits.seat) ? "your" : "to"}_${waits.for}`, this.nameOf(waits.seat));
    document.title = `${words} · ${say("title")}`;
    const isMyTurn = !showing && waits && this.isMine(waits.seat);
    if (isMyTurn && this.toldTurn !== number) this.page.speak(words);
    if (isMyTurn) this.toldTurn = number;
    const looking = this.past !== null && say("looking_back", this.past, number);
    put(this.status, el("p", { class: "status", "data-test": "status" }, words),
      looking && el("p", { class: "note" }, looking),
      (this.watchOnly || this.game.you.length === 0) && el("p", { class: "note" }, say("watching")));
  }

  drawControls() {
    const { undo, you } = this.game;
    const asked = undo?.asked ?? [];
    const mine = asked.some((seat) => this.isMine(seat)), others = asked.filter((seat) => !this.isMine(seat));
    const plays = !this.watchOnly && you.length > 0;
    put(this.controls,
      el("div", { class: "row" },
        this.game.waits?.for === "throw" && plays && button(say("throw"), () => this.throws(), { class: "main", "data-test": "throw", disabled: !this.mayDo("throw") }),
        plays && button(say("undo"), () => this.undo(), { "data-test": "undo", disabled: !undo?.possible }),
        button(say(`hint_${this.hints}`), () => this.hint(), { "data-test": "hint" })),
      plays && others.length > 0 && !mine && el("p", { class: "row ask" }, others.map((seat) => say("undo_asks", this.nameOf(seat))).join(" "),
        button(say("undo_agree"), () => this.undo(), { "data-test": "undo-agree" })),
      mine && el("p", { class: "row ask" }, say("undo_waiting"), button(say("undo_withdraw"), () => this.withdraw(), { "data-test": "undo-withdraw" })));
  }

  drawMoves() {
    const playable = this.mayDo("move");
    this.keepFocus();
    const list = playable ? moveList({
      game: this.game.game, position: this.game.now.position, moves: this.orderedMoves(), level: this.hints, evaluation: this.evaluation,
      onPlay: (move) => this.move(move.move), onHover: (move) => this.board.hover(move),
    }) : el("ul", { "data-test": "moves", class: "move-list empty" });
    put(this.moves, !this.game.over && el("details", { class: "card", open: this.hints > 0 || store.listWanted(), ontoggle: (event) => this.hints > 0 || store.saveList(event.target.open) },
      el("summary", { "data-test": "list-moves" }, say("moves")), list, !playable && el("p", { class: "note" }, say("no_moves"))));
    this.giveFocus();
  }

  // The moves, best first if values arrive in time: a list is not reordered while somebody may be
  // aiming at a button.
  orderedMoves() {
    const { version, now: { moves } } = this.game, time = performance.now();
    if (this.order?.version !== version) this.order = { version, time, moves };
    if (!this.order.isSorted && this.hints >= 2 && this.evaluation && time - this.order.time < AIM_TIME) {
      this.order.moves = bestFirst(moves, this.evaluation);
      this.order.isSorted = true;
    }
    return this.order.moves;
  }

  // The result of a check stays visible until the game changes.
  drawFair() {
    const { version } = this.game;
    if (this.about.chance && this.fairVersion !== version) putPanel(this.fair, fairPanel(this.game));
    this.fairVersion = version;
  }

  go(number) {
    this.past = number >= this.game.number ? null : Math.max(0, number);
    this.refresh();
  }

  drawNav(at) {
    const { number } = this.game;
    const step = (key, to, sign, off) => button(sign, () => this.go(to), { "data-test": `nav-${key}`, "aria-label": say(key), title: say(key), disabled: off });
    put(this.nav, el("div", { class: "row nav" },
      step("first", 0, "|◀", at === 0), step("back", at - 1, "◀", at === 0),
      step("forward", at + 1, "▶", at >= number), step("last", number, "▶|", at >= number),
      button(say("now"), () => this.go(number), { "data-test": "nav-now", disabled: this.past === null })));
  }

  drawSteps(at) {
    const { game } = this;
    const entry = (number, words) => el("li", {}, button(words, () => this.go(number), { class: number === at ? "step here" : "step", "data-test": "step", "data-step": number, "aria-current": number === at ? "step" : null }));
    const list = el("ol", { class: "steps", "data-test": "steps", start: 0 }, entry(0, say("start_position")),
      game.steps.map((step, i) => entry(i + 1, told(step.told) || moveName(game.game, step))));
    put(this.steps, el("section", { class: "card" }, el("h2", {}, say("steps")), list));
    const here = list.querySelector(".here");
    if (here) list.scrollTop = Math.max(0, here.parentElement.offsetTop - list.offsetTop - list.clientHeight / 2);
  }

  // The value of the present position, requested when hints show values.
  async drawValue() {
    const { now, version } = this.game;
    if (this.hints < 2 || this.game.over || this.past !== null) {
      put(this.value);
      return;
    }
    if (!this.evaluation) {
      put(this.value, el("p", { class: "card note" }, say("value_wait")));
      try {
        const evaluation = await api.getEval({ game: this.game.game, rules: this.game.rules_text, position: now.position });
        if (this.closed || version !== this.game.version) return;
        this.evaluation = evaluation;
      } catch (error) {
        put(this.value, el("p", { class: "card note", "data-test": "value" }, say("no_value", error.message)));
        return;
      }
    }
    if (this.hints < 2 || this.past !== null) return;
    put(this.value, el("section", { class: "card" }, el("h2", {}, say("value")), valueBar(this.game.game, this.evaluation)));
    this.drawMoves();
  }

  // The chart, and the review once the game is over.
  async drawHistory() {
    const isOver = this.game.over;
    if (this.hints < 2 && !isOver) {
      put(this.chart);
      put(this.reviewed);
      return;
    }
    const { version } = this.game;
    if (!this.review) {
      if (isOver) put(this.reviewed, el("p", { class: "card note" }, say("review_wait")));
      try {
        if (this.asked?.version !== version) this.asked = { version, review: api.getReview(this.id, !isOver) };
        const review = await this.asked.review;
        if (this.closed || version !== this.game.version) return;
        this.review = review;
      } catch (error) {
        this.asked = null;
        put(this.reviewed, isOver && el("p", { class: "card note" }, say("no_value", error.message)));
        return;
      }
    }
    const rows = valueRows(this.review);
    put(this.chart, el("section", { class: "card" }, el("h2", {}, say("history")), drawChart(this.game.game, rows, this.past ?? this.shown, (number) => this.go(number))));
    put(this.reviewed, isOver && reviewPanel(this.game, this.review, this.about.chance, (number) => this.go(number)));
  }
}
