// A hosted game: one screen with the board, whose turn it is, throws and moves, hints, earlier
// positions, and the end.

import * as api from "./api.js";
import { Board, moduleOf, moveName } from "./board.js";
import { button, el, focusAgain, focusMark, icon, iconButton, put, putPanel } from "./dom.js";
import { Tray } from "./draw_board.js";
import { inKorean } from "./errors.js";
import { fairPanel } from "./fair.js";
import { drawStrip, markedName, namedText } from "./players.js";
import { endingPanel, endingTitle, mistakesOf, Review, storyOf, winnerOf } from "./review.js";
import { Session } from "./session.js";
import { sharePanel, showInvitation, watchersText } from "./share.js";
import * as sound from "./sound.js";
import * as store from "./store.js";
import { bestArrows, bestFirst, emblem, evalBar, markMove, moveList, valueLine, valueShort, valueText } from "./values.js";
import { getLanguage, say, sayOf, told } from "./words.js";

const HINTS = 4;
const SCROLL_TIME = 300;
const ACTS = ["throw", "move", "choice", "close"];
// How long a throw tumbles, how much slower than usual pieces slide, and how long a step stays.
const PACES = {
  slow: { tumble: 1200, slide: 1.6, stay: 900 }, normal: { tumble: 800, slide: 1, stay: 420 },
  fast: { tumble: 380, slide: 0.45, stay: 100 }, instant: { tumble: 0, slide: 0, stay: 0 },
};

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

export class GamePage {
  // `page` has report(function), notice(text), toast(text), speak(text), keys(). `kept` is what kept()
  // of an earlier view of the same game returned.
  constructor(main, id, watchOnly, page, kept = {}) {
    this.main = main;
    this.page = page;
    this.session = new Session(id, watchOnly, {
      change: (what) => this.changed(what), presence: () => this.drawStrip(), notice: page.notice,
    });
    this.hints = 0;
    this.past = null; // the step whose position is shown; null: the present one
    this.shown = 0; // how many steps the board has shown
    this.listed = 0; // how many are in the list of steps
    this.evaluation = null;
    this.closed = false;
    Object.assign(this, kept);
  }

  get game() {
    return this.session.game;
  }

  // What survives a change of language.
  kept() {
    return { hints: this.hints, past: this.past };
  }

  async open(token) {
    await this.session.open(token).catch((error) => { throw error.code === "not_found" ? new Error(say("no_such_game")) : error; });
    const { games } = await api.getCatalogue();
    if (this.closed) return;
    this.about = games.find((one) => one.name === this.game.game);
    this.module = moduleOf(this.game.game);
    if (token) history.replaceState(null, "", `#/play/${this.session.id}`);
    this.shown = this.game.number;
    this.listed = this.shown;
    if (!this.session.watchOnly) store.rememberGame(this.session.id, this.game.game);
    this.build();
    this.refresh();
    this.session.start();
    if (document.activeElement === document.body) this.board.surface.focus({ preventScroll: true });
    this.introduce();
  }

  close() {
    this.closed = true;
    this.session.close();
    this.board?.close();
    document.title = say("title");
  }

  // Tells the server the name that this browser remembers.
  introduce() {
    const name = store.savedName();
    const mine = this.game.you.filter((seat) => this.session.isMine(seat));
    if (name && mine.length === 1 && this.game.seats[mine[0]].name !== name) this.session.rename(name);
  }

  renamed(name) {
    if (this.session.plays() && name) this.session.rename(name);
  }

  // --- changes ---

  changed({ before, isTakenBack }) {
    this.evaluation = null;
    this.review?.forget();
    if (isTakenBack) {
      this.shown = this.game.number;
      this.listed = -1;
      if (this.past !== null && this.past >= this.game.number) this.past = null;
      this.page.speak(say("taken_back"));
    }
    const asked = this.game.undo?.asked ?? [], askedBefore = before.undo?.asked ?? [];
    for (const seat of asked)
      if (!this.session.isMine(seat) && !askedBefore.includes(seat)) this.page.speak(say("undo_asks", this.nameOf(seat)));
    const isMyRequest = askedBefore.some((seat) => this.session.isMine(seat)) && !askedBefore.some((seat) => !this.session.isMine(seat));
    if (isMyRequest && asked.length === 0 && this.game.number === before.number && !isTakenBack && !this.withdrawn) this.page.toast(say("undo_declined"));
    this.withdrawn = false;
    this.catchUp();
  }

  isMine(seat) {
    return this.session.isMine(seat);
  }

  // Whether this browser may do `what` ("move" or "throw") now.
  mayDo(what) {
    const { waits, number } = this.game;
    return Boolean(waits && waits.for === what && this.isMine(waits.seat) && this.past === null && this.shown === number && !this.review?.isOpen);
  }

  move(text) {
    if (this.review?.isOpen) this.review.tried(text);
    else if (this.mayDo("move")) this.session.move(text);
  }

  throws() {
    if (!this.mayDo("throw")) return;
    this.isRolling = Boolean(this.module.throwsTogether?.(this.board.state));
    this.session.throws();
  }

  undo() {
    if (this.session.plays()) this.session.undo();
  }

  hint() {
    this.hints = (this.hints + 1) % HINTS;
    this.page.speak(say(`hint_${this.hints}`));
    this.order = null;
    this.refresh();
  }

  flip() {
    this.board.flip();
    this.drawBar();
  }

  // A key that is not typed into anything; whether it means something here.
  key(name) {
    if (this.review?.isOpen && this.review.key(name)) return true;
    const isLive = this.past === null && this.shown === this.game.number;
    const keys = {
      ArrowRight: () => (isLive ? this.board.step(1) : this.go(this.past + 1)), ArrowDown: () => this.board.step(1),
      ArrowLeft: () => (isLive && this.board.moves.length ? this.board.step(-1) : this.go((this.past ?? this.game.number) - 1)), ArrowUp: () => this.board.step(-1),
      Home: () => this.go(0), End: () => this.go(this.game.number),
      Enter: () => this.board.playChosen(), Escape: () => this.board.clearChoice(),
      " ": () => (this.mayDo("throw") ? this.throws() : this.board.playChosen()),
      t: () => this.throws(), u: () => this.undo(), h: () => this.hint(), f: () => this.flip(),
    };
    if (!keys[name]) return false;
    keys[name]();
    return true;
  }

  // --- showing steps one by one ---

  pace(step) {
    const mine = this.isMine(step.player);
    return PACES[mine && step.actor !== "chance" ? "normal" : store.savedPace()] ?? PACES.normal;
  }

  // Shows the steps that the board has not shown yet, one by one.
  async catchUp() {
    if (this.catching) return;
    this.catching = true;
    try {
      while (!this.closed && this.shown < this.game.number) {
        const number = this.shown, step = this.game.steps[number];
        this.page.speak(this.tell(step.told));
        const isSeen = this.past === null && !document.hidden && !this.review?.isOpen;
        const pace = this.pace(step);
        if (isSeen && store.isAnimated() && pace.tumble > 0 && !this.skipping) await this.showStep(number, pace);
        else if (isSeen) this.soundStep(number);
        // The step may have been taken back in the meantime.
        if (this.shown === number && number < this.game.number) this.shown++;
      }
    } finally {
      this.catching = false;
      this.skipping = false;
    }
    if (this.closed) return;
    if (this.isRolling && this.mayDo("throw")) {
      this.drawBoard(this.shown, true);
      this.session.pending.then(() => this.mayDo("throw") && this.session.throws());
      return;
    }
    this.isRolling = false;
    if (this.game.over) this.announceEnd();
    this.refresh();
  }

  announceEnd() {
    if (this.announced === this.game.version) return;
    this.announced = this.game.version;
    this.page.speak(`${say("over")} ${this.tell(this.game.now.told)}`.trim());
    const winner = winnerOf(this.game);
    sound.play(winner >= 0 && this.session.plays() && !this.isMine(winner) ? "lose" : "win");
  }

  positionAfter(number) {
    return number === 0 ? this.game.start : this.game.steps[number - 1].position;
  }

  parse(position) {
    return this.module.parse(position, this.game.rules);
  }

  // What a step sounds like, and a word over the board if it deserves one.
  soundStep(number) {
    const step = this.game.steps[number];
    const beat = this.module.beat?.(this.parse(this.positionAfter(number)), this.parse(step.position), step);
    sound.play(beat?.[1] ?? (step.actor === "chance" ? "land" : this.module.chooses_sets ? "close" : "move"));
    if (beat) this.board.callout(say(beat[0], beat[2]), store.isAnimated());
  }

  throwView(number) {
    const step = this.game.steps[number];
    return step && this.module.throwView?.(step.move, this.parse(this.positionAfter(number)));
  }

  async showStep(number, pace) {
    const step = this.game.steps[number], { rules } = this.game, trace = step.trace ?? [];
    const isThrow = step.actor === "chance", speed = this.isRolling ? 0.35 : 1;
    this.keepFocus();
    this.drawStatus();
    this.drawControls();
    if (isThrow) {
      sound.play("throw");
      await this.tray.show(this.throwView(number), pace.tumble * speed);
      if (this.closed || this.game.steps[number] !== step) return;
    }
    this.board.show({ position: step.position, rules, last: trace, lastTurn: step.player });
    this.drawList(number + 1);
    if (isThrow || trace.length < 2) this.soundStep(number);
    await this.board.slide(trace, step.player, this.positionAfter(number), rules, pace.slide);
    if (!isThrow && trace.length >= 2) this.soundStep(number);
    const isLast = number + 1 >= this.game.number && this.isMine(this.game.waits?.seat);
    if (!isLast || isThrow) await pause((isLast ? 120 : pace.stay) * speed);
  }

  // --- the page ---

  build() {
    for (const name of ["strip", "status", "act", "bar", "asks", "ended", "tools", "moves", "value", "reviewed", "steps", "shared", "fair", "text"]) this[name] = el("div", {});
    this.board = new Board(this.game.game, {
      move: (text) => this.move(text), speak: (text) => this.page.speak(text), explain: (text) => this.explain(text),
      highlight: (move) => markMove(this.moves, move), describe: (move) => this.describe(move), choices: (any) => this.drawAct(any),
    }, this.game.seats.length > 1 ? this.bar : null);
    const mine = this.game.you.filter((seat) => this.isMine(seat));
    this.board.flip(Boolean(this.module.black_and_white) && mine.length === 1 && mine[0] === 1);
    this.tray = new Tray();
    this.trayPlace = el("div", { class: "tray-place" }, this.tray.element);
    this.hasThrows = this.about.chance;
    this.status.className = "status";
    this.act.className = "act";
    this.bar.className = "eval-place";
    this.ended.className = "ending-place";
    this.tools.className = "toolbar";
    this.action = el("div", { class: this.hasThrows ? "action" : "action no-tray", hidden: !this.hasThrows && this.module.plays_at_once }, this.hasThrows && this.trayPlace, this.act);
    put(this.main, el("h1", { class: "unseen" }, told(this.about.title)), el("div", { class: "play" },
      el("div", { class: "first" }, this.strip,
        this.board.element,
        el("div", { class: "controls" }, this.status, this.action, this.ended, this.asks, this.tools)),
      el("div", { class: "panels" }, this.reviewed, this.moves, this.value, this.steps, this.shared, this.fair, this.text)));
    this.buildSteps();
  }

  explain(text) {
    const { waits } = this.game;
    if (this.past !== null || !waits || !this.isMine(waits.seat)) return;
    sound.play("wrong");
    this.page.toast(waits.for === "throw" ? sayOf(this.module, "your_throw", this.nameOf(waits.seat)) : text);
  }

  // The value of a move in words, for screen readers.
  describe(move) {
    const known = this.hints >= 2 && this.evaluation?.moves?.find((one) => one.move === move.move);
    return known ? valueText(known, this.evaluation.counted) : "";
  }

  // Draws everything for the present position, or for the earlier one that is selected.
  async refresh() {
    const { game } = this;
    if (this.review?.isOpen) return;
    const at = this.past ?? this.shown;
    const isNow = this.past === null && this.shown === game.number;
    this.keepFocus();
    this.drawStrip();
    this.drawStatus();
    this.drawBoard(at, isNow);
    this.drawControls();
    this.drawList(at);
    putPanel(this.shared, sharePanel(this.session, this.positionAfter(at), this.page.report));
    this.drawText(at);
    this.drawFair();
    this.drawMoves();
    this.giveFocus();
    document.body.dataset.over = isNow && game.over ? "1" : "";
    if (isNow && game.over) this.drawEnding();
    else this.clearEnding();
    await this.drawValue();
  }

  drawStrip() {
    const watchers = this.shared.querySelector('[data-test="watchers"]');
    if (watchers) put(watchers, watchersText(this.session));
    const showing = this.shown < this.game.number ? this.game.steps[this.shown] : null;
    drawStrip(this.strip, this.session, this.game.over && !showing ? -1 : showing?.player ?? this.game.now.player, (link) => showInvitation(this.session, link));
  }

  drawBar() {
    const known = this.hints >= 2 && this.past === null && this.evaluation;
    this.bar.classList.toggle("flipped", this.board.flipped);
    put(this.bar, evalBar(this.game.game, (this.review?.isOpen ? this.review.evaluation() : known) || null, this.game.seats.length));
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
    const next = this.act.querySelector('[data-test="throw"]:not(:disabled)') ?? (same || this.moves.querySelector('[data-test="move"]'));
    if (!next) return; // it is somebody else's turn
    this.mark = null;
    next.focus({ preventScroll: true });
  }

  // The board as text; for earlier positions it is requested when the panel is opened.
  drawText(at) {
    const position = this.positionAfter(at), isNow = at === this.game.number;
    const text = el("pre", { test: "text-board" }, isNow ? told(this.game.now.text) : "");
    const panel = el("details", { class: "card", ontoggle: async () => {
      if (!panel.open || text.textContent) return;
      const past = await this.page.report(() => api.getPosition({ game: this.game.game, rules: this.game.rules_text, position }));
      put(text, told(past?.text));
    } }, el("summary", {}, say("text_board")), text, el("p", {}, el("code", {}, position)));
    putPanel(this.text, panel);
  }

  drawBoard(at, isNow) {
    const { game } = this, before = game.steps[at - 1];
    const moves = isNow && this.mayDo("move") ? game.now.moves : [];
    const arrows = isNow && moves.length && this.hints >= 3 && this.evaluation ? bestArrows(this.evaluation, this.module.chooses_sets ? 1 : 3) : [];
    this.board.show({
      position: this.positionAfter(at), rules: game.rules, moves, arrows, marked: this.hints >= 1, running: !game.over || !isNow,
      last: before?.trace?.length > 1 && !this.catching ? before.trace : [], lastTurn: before?.player,
    });
    this.drawTray(at);
    this.drawBar();
  }

  // The last throw stays visible until the next one.
  drawTray(at) {
    if (!this.hasThrows) return;
    const number = this.game.steps.slice(0, at).findLastIndex((step) => step.actor === "chance");
    const state = this.parse(this.positionAfter(at));
    this.tray.show(this.module.currentThrow?.(state) ?? (number >= 0 ? this.throwView(number) : null), 0, this.module.throwView?.("", state));
  }

  // A text from the server, with names instead of numbers of players.
  tell(text) {
    return namedText(told(text), (seat) => this.nameOf(seat));
  }

  nameOf(seat) {
    return markedName(this.game, seat, this.isMine(seat));
  }

  drawStatus() {
    const { now, waits, trouble, number, over } = this.game;
    let words;
    const showing = this.shown < number && this.game.steps[this.shown];
    if (showing) words = showing.actor === "chance" ? sayOf(this.module, "throwing", this.nameOf(showing.player)) : this.stepText(this.shown);
    else if (over) words = say("over");
    else if (trouble) words = say("trouble", this.nameOf(now.player), getLanguage() === "en" ? trouble : inKorean(trouble) ?? say("error_failed"));
    else if (!waits) words = say("thinking", this.nameOf(now.player));
    else words = sayOf(this.module, `${this.isMine(waits.seat) ? "your" : "to"}_${waits.for}`, this.nameOf(waits.seat));
    document.title = `${over && !showing ? endingTitle(this.session) : words} · ${say("title")}`;
    const isMyTurn = !showing && waits && this.isMine(waits.seat);
    if (isMyTurn && this.toldTurn !== number) this.page.speak(words);
    if (isMyTurn) this.toldTurn = number;
    const shown = this.past !== null ? say("looking_back", this.past, number) : words;
    const watching = !this.session.plays() && !over && this.past === null ? ` · ${say("watching")}` : "";
    const known = this.hints >= 2 && this.past === null && !showing && this.evaluation;
    put(this.status, el("span", { test: "status", title: shown }, shown + watching),
      known && el("span", { class: "value-now" }, valueShort({ ...known, value: known.values[known.player], typical_error: 0 }, known.counted)));
  }

  drawControls() {
    const { undo } = this.game, plays = this.session.plays();
    const asked = undo?.asked ?? [];
    const mine = asked.some((seat) => this.isMine(seat)), others = asked.filter((seat) => !this.isMine(seat));
    this.drawAct(this.board.choices.childElementCount > 0);
    this.action.hidden = (!this.hasThrows && this.module.plays_at_once) || (this.game.over && this.shown === this.game.number) || (!this.hasThrows && !this.module.chooses_sets);
    const isBehind = this.catching && this.game.number - this.shown > 4;
    put(this.tools,
      plays && iconButton("undo", say("undo"), () => this.undo(), { test: "undo", disabled: !undo?.possible }),
      el("button", { type: "button", class: "grow", test: "hint", title: say("hints"), onclick: () => this.hint() }, icon("hint"), el("span", { class: "hint-label" }, say(`hint_${this.hints}`))),
      isBehind && button("⏭", () => { this.skipping = true; }, { test: "skip", title: say("skip"), "aria-label": say("skip") }),
      this.module.flips && iconButton("flip", say("flip"), () => this.flip(), { test: "flip" }));
    put(this.asks,
      plays && others.length > 0 && !mine && el("div", { class: "row ask" }, el("p", {}, others.map((seat) => say("undo_asks", this.nameOf(seat))).join(" ")),
        button(say("undo_agree"), () => this.undo(), { test: "undo-agree" }),
        button(say("undo_decline"), () => this.session.undo("decline"), { test: "undo-decline" })),
      mine && el("div", { class: "row ask" }, el("p", {}, say("undo_waiting")),
        button(say("undo_withdraw"), () => { this.withdrawn = true; this.session.undo("withdraw"); }, { test: "undo-withdraw" })));
  }

  // The one button that acts: to throw, or what the board asks to choose from.
  drawAct(hasChoices) {
    if (hasChoices) {
      if (this.act.firstChild !== this.board.choices) put(this.act, this.board.choices);
      return;
    }
    const { state } = this.board, words = (state && this.module.throwWords?.(state)) ?? sayOf(this.module, "throw");
    this.action.classList.toggle("only-tray", Boolean(state && this.module.currentThrow?.(state)));
    if (this.hasThrows && !this.game.over) {
      const isOff = !this.mayDo("throw"), old = this.act.querySelector('[data-test="throw"]');
      if (old && old.textContent === words) old.disabled = isOff;
      else put(this.act, button(words, () => this.throws(), { class: "main", test: "throw", disabled: isOff }));
    } else put(this.act);
  }

  drawMoves() {
    const playable = this.mayDo("move");
    this.keepFocus();
    const list = playable ? moveList({
      game: this.game.game, position: this.game.now.position, rules: this.game.rules, moves: this.orderedMoves(), level: this.hints, evaluation: this.evaluation,
      onPlay: (move) => this.move(move.move), onHover: (move) => this.board.hover(move),
    }) : el("ul", { test: "moves", class: "move-list empty" });
    const panel = el("details", { class: "card", open: this.hints > 0 || store.listWanted(), ontoggle: (event) => this.hints > 0 || store.saveList(event.target.open) },
      el("summary", { test: "list-moves" }, sayOf(this.module, "moves")), list, !playable && el("p", { class: "note" }, say("no_moves")));
    // A list that would look the same stays, so that a button being pressed is not replaced.
    if (this.game.over || !this.moves.firstElementChild?.isEqualNode(panel)) put(this.moves, !this.game.over && panel);
    this.giveFocus();
  }

  // The moves, best first once values are there: a list is not reordered while somebody may be aiming at
  // a button.
  orderedMoves() {
    const { version, now: { moves } } = this.game;
    if (this.order?.version !== version) this.order = { version, moves };
    const isUsed = this.moves.matches(":hover") || this.moves.contains(document.activeElement);
    if (!this.order.isSorted && this.hints >= 2 && this.evaluation && !isUsed) {
      this.order.moves = bestFirst(moves, this.evaluation);
      this.order.isSorted = true;
    }
    return this.order.moves;
  }

  // The result of a check stays visible until the game changes.
  drawFair() {
    const key = `${this.game.version} ${Boolean(this.game.seed)}`;
    if (this.fairKey === key) return;
    this.fairKey = key;
    if (this.hasThrows) putPanel(this.fair, fairPanel(this.game));
  }

  // --- earlier positions ---

  // Shows the position after `number` steps.
  go(number) {
    const to = Math.max(0, Math.min(number, this.game.number));
    this.past = to === this.game.number ? null : to;
    this.board.clearCallout();
    this.refresh();
  }

  buildSteps() {
    this.list = el("ol", { class: "steps", test: "steps" });
    this.navigation = el("div", { class: "nav-row" });
    put(this.steps, el("section", { class: "card" }, el("h2", {}, say("steps")), this.navigation, this.list));
    this.listed = -1;
  }

  // A step in words: a move as in the list, a throw as the server tells it.
  stepText(number) {
    const { game, module } = this, step = game.steps[number];
    if (step.actor !== "player") return this.tell(step.told);
    const words = module.stepName?.(step, this.parse(this.positionAfter(number)), this.parse(step.position)) ?? moveName(game.game, { ...step, after: step.position }, this.positionAfter(number), game.rules);
    return game.seats.length > 1 ? `${this.nameOf(step.player)}: ${words}` : words;
  }

  // A step in the list: who made it, drawn, and what it was.
  stepWords(number) {
    const { game } = this, step = game.steps[number];
    if (this.module.stepName) return [this.module.stepName(step, this.parse(this.positionAfter(number)), this.parse(step.position))];
    if (game.seats.length < 2 || step.player === undefined) return [this.tell(step.told)];
    const words = step.actor === "player" && this.module.remarks ? moveName(game.game, { ...step, after: step.position }, this.positionAfter(number), game.rules)
      : told(step.told).replace(new RegExp(`^((player|선수) \\d|${this.module.seatMark(step.player)}(?=:)):? *`, "i"), "");
    return [emblem(game.game, step.player), el("span", { class: "unseen" }, `${this.nameOf(step.player)}: `), words];
  }

  // Keeps the list of steps up to date: `at` is the position shown.
  drawList(at) {
    const { game, list } = this;
    const until = Math.max(this.shown, at);
    const entry = (number, words) => el("li", {}, button(words, () => this.go(number), { class: "step", test: "step", "data-step": number }));
    if (this.listed < 0) put(list, entry(0, say("start_position")));
    for (let i = Math.max(0, this.listed); i < until; i++) list.append(entry(i + 1, this.stepWords(i)));
    this.listed = until;
    list.querySelector(".here")?.classList.remove("here");
    const here = list.children[at]?.firstChild;
    here?.classList.add("here");
    // Later, because it lays out the page: not while a piece begins to move.
    setTimeout(() => { if (here?.isConnected) list.scrollTop = Math.max(0, here.parentElement.offsetTop - list.clientHeight / 2); }, this.catching ? SCROLL_TIME : 0);
    const step = (key, to, off) => iconButton(key, say(key), () => this.go(to), { test: `nav-${key}`, disabled: off });
    put(this.navigation, step("first", 0, at === 0), step("back", at - 1, at === 0), step("forward", at + 1, at >= game.number), step("last", game.number, at >= game.number),
      button(say("now"), () => this.go(game.number), { test: "nav-now", disabled: this.past === null, hidden: this.past === null }));
  }

  // --- values and the end ---

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
        put(this.value, el("p", { class: "card note", test: "value" }, say("no_value", error.message)));
        return;
      }
    }
    if (this.hints < 2 || this.past !== null || this.closed) return;
    put(this.value, el("section", { class: "card" }, valueLine(this.game.game, this.evaluation, (seat) => this.nameOf(seat))));
    this.drawStatus();
    this.drawMoves();
    this.drawBar();
    if (this.hints >= 3 && this.mayDo("move")) this.board.setArrows(bestArrows(this.evaluation, this.module.chooses_sets ? 1 : 3));
  }

  clearEnding() {
    if (this.tray.element.parentNode !== this.trayPlace) put(this.trayPlace, this.tray.element);
    put(this.ended);
  }

  async drawEnding() {
    const { version } = this.game;
    if (this.endingOf !== version || !this.ended.firstChild) {
      this.endingOf = version;
      this.endingCard = endingPanel(this.session, { review: () => this.openReview(), report: this.page.report }, this.hasThrows ? this.tray.element : null);
      put(this.ended, this.endingCard.panel);
    }
    try {
      const review = await this.loadReview();
      if (this.closed || version !== this.game.version) return;
      this.endingCard.tell(storyOf(this.session, review, mistakesOf(review)[0]?.number ?? null));
    } catch (error) {
      if (!this.closed) this.endingCard.tell(say("no_value", error.message));
    }
  }

  loadReview() {
    const { version } = this.game;
    if (this.asked?.version !== version) {
      const review = api.getReview(this.session.id, !this.game.over);
      this.asked = { version, review };
      review.catch(() => { this.asked = null; });
    }
    return this.asked.review;
  }

  async openReview() {
    const review = await this.page.report(() => this.loadReview());
    if (!review || this.closed) return;
    this.review = new Review(this, review);
    this.review.open();
  }

  // The review is left: back to the end of the game.
  leaveReview() {
    this.review = null;
    this.past = null;
    this.refresh();
  }
}
