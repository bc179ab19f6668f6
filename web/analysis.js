// The analysis board: any position, every move or throw with its value, and the moves tried so far.
// The address always contains the position.

import * as api from "./api.js";
import { Board, moduleOf, moveName, picture } from "./board.js";
import { button, el, focusAgain, focusMark, put } from "./dom.js";
import { boardAddress, once, openMade } from "./lobby.js";
import { bestFirst, markMove, moveList, throwList } from "./moves.js";
import { Seats } from "./seats.js";
import { valueBar } from "./values.js";
import { say, told } from "./words.js";

const PAINT_DELAY = 300;

export class AnalysisPage {
  // `kept` is what kept() of an earlier view of the same board returned.
  constructor(main, game, page, kept = {}) {
    this.main = main;
    this.game = game;
    this.page = page;
    this.trail = []; // { rules, now, words, move }: positions visited; `rules` as text, as given
    this.place = -1;
    this.brush = null;
    this.asked = 0;
    this.closed = false;
    Object.assign(this, kept);
  }

  // What survives a change of language.
  kept() {
    return { trail: this.trail, place: this.place, brush: this.brush };
  }

  async open(rules, position) {
    this.catalogue = await api.getCatalogue();
    this.about = this.catalogue.games.find((game) => game.name === this.game);
    if (!this.about || !moduleOf(this.game)) throw new Error(say("not_found"));
    if (this.closed) return;
    this.build();
    if (this.place >= 0) {
      this.goTo(this.place, "replaceState");
      return;
    }
    try {
      await this.go(rules, position, say("position"), { address: "replaceState" });
    } catch (error) {
      await this.go("", "", say("start_position"), { address: "replaceState" });
      put(this.trouble, error.message);
      this.input.value = position;
    }
  }

  // The browser's back and forward buttons changed the address.
  async moveTo(rules, position) {
    const place = this.trail.findIndex((one) => one.now.position === position && one.rules === rules);
    if (place >= 0) this.goTo(place, "replaceState");
    else await this.page.report(() => this.go(rules, position, say("position"), { address: "replaceState" }));
  }

  isBoardOf(game) {
    return this.game === game;
  }

  close() {
    this.closed = true;
    clearTimeout(this.painting);
  }

  // Goes to a position and appends it to the trail after the present one. `address` is the method of
  // `history` that updates the address.
  async go(rules, position, words, { address = "pushState", move = null } = {}) {
    const asked = ++this.asked, { place } = this;
    const now = await api.getPosition({ game: this.game, rules, position });
    if (this.closed || asked !== this.asked) return; // the user went elsewhere in the meantime
    this.trail = [...this.trail.slice(0, place + 1), { rules, now, words, move }];
    this.goTo(this.trail.length - 1, address);
  }

  writeAddress(method) {
    const { rules, now } = this.trail[this.place];
    const address = boardAddress(this.game, rules, now.position);
    if (address !== location.hash) history[method](null, "", address);
  }

  goTo(place, method = "pushState") {
    this.asked++;
    this.place = place;
    this.writeAddress(method);
    this.refresh();
  }

  step(move) {
    this.page.speak(told(move.told));
    this.page.report(() => this.go(this.trail[this.place].rules, move.after, moveName(this.game, move), { move }));
  }

  // --- the page ---

  build() {
    this.board = new Board(this.game, {
      move: (text) => this.step(this.now().moves.find((move) => move.move === text)),
      keys: () => this.page.keys(), speak: (text) => this.page.speak(text), edit: (key) => this.paint(key), highlight: (move) => markMove(this.list, move),
    });
    this.thrown = el("div", { class: "place-thrown" });
    this.input = el("input", { id: "position", type: "text", "data-test": "position-input", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
    this.rulesInput = el("input", { id: "rules", type: "text", "data-test": "rules-input", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
    this.trouble = el("p", { class: "bad", role: "alert", "data-test": "position-error" });
    for (const name of ["value", "list", "nav", "brushes", "seatsBox", "text"]) this[name] = el("div", {});
    const form = el("form", { class: "card position-form", onsubmit: (event) => { event.preventDefault(); this.typed(); } },
      el("label", { for: "position" }, say("position")),
      el("div", { class: "row" }, this.input, el("button", { type: "submit", class: "main", "data-test": "position-go" }, say("position_go"))),
      this.trouble,
      el("small", {}, say("position_shape", this.about.position_shape)),
      this.brushes,
      el("details", {}, el("summary", {}, say("rules")), this.rulesInput));
    const more = el("p", { class: "row" },
      button(say("go_start"), () => this.page.report(() => this.go(this.rulesInput.value.trim(), "", say("start_position"))), { "data-test": "go-start" }),
      button(say("play_from_here"), () => this.offerSeats(), { "data-test": "play-from-here" }));
    put(this.main, el("h1", {}, `${told(this.about.title)}: ${say("analysis")}`),
      el("div", { class: "board-page" },
        el("div", { class: "side-board" }, this.board.element, this.thrown, this.nav, form),
        el("div", { class: "side-more" }, this.value, this.list, more, this.seatsBox, this.text,
          el("details", { class: "card" }, el("summary", {}, say("examples")), el("ul", { class: "plain" }, (this.about.examples ?? []).map((example) =>
            el("li", {}, el("a", { href: boardAddress(this.game, example.rules, example.position) }, told(example.what)))))))));
  }

  now() {
    return this.trail[this.place].now;
  }

  // Shows the position that was typed, or what is wrong with it.
  async typed() {
    clearTimeout(this.painting);
    try {
      await this.go(this.rulesInput.value.trim(), this.input.value.trim(), say("position"));
    } catch (error) {
      put(this.trouble, error.message);
    }
  }

  refresh() {
    const { now, move, rules } = this.trail[this.place];
    const mark = focusMark();
    put(this.trouble);
    this.input.value = now.position;
    this.rulesInput.value = rules;
    this.board.show({ position: now.position, rules: now.rules, moves: now.moves ?? [], running: now.actor !== "end", last: move?.trace ?? [], lastTurn: this.trail[this.place - 1]?.now.player });
    moduleOf(this.game).showThrow?.(this.thrown, move?.move, false);
    this.drawNav();
    this.drawBrushes();
    put(this.seatsBox);
    put(this.text, el("details", { class: "card" }, el("summary", {}, say("text_board")), el("pre", { "data-test": "text-board" }, told(now.text))));
    this.drawValues(now);
    focusAgain(mark);
    document.body.dataset.ready = "1";
  }

  drawNav() {
    const last = this.trail.length - 1;
    const step = (key, to, sign, off) => button(sign, () => this.goTo(to), { "data-test": `nav-${key}`, "aria-label": say(key), title: say(key), disabled: off });
    put(this.nav, el("div", { class: "row nav" },
      step("first", 0, "|◀", this.place === 0), step("back", this.place - 1, "◀", this.place === 0),
      step("forward", this.place + 1, "▶", this.place === last), step("last", last, "▶|", this.place === last)),
      this.trail.length > 1 && el("p", { class: "trail" }, this.trail.map((one, i) =>
        button(one.words, () => this.goTo(i), { class: i === this.place ? "step here" : "step", "data-test": "step", "data-step": i }))));
  }

  // Lists the moves or throws at once, and adds values when they arrive.
  async drawValues(now) {
    const place = this.trail[this.place];
    this.drawList(now, place.evaluation ?? null);
    if (now.actor === "end" && now.told) put(this.value, el("p", { class: "card status", "data-test": "status" }, told(now.told)));
    else put(this.value, place.evaluation ? this.valueCard(place.evaluation) : el("p", { class: "card note" }, say("value_wait")));
    if (place.evaluation || now.actor === "end") return;
    try {
      place.evaluation = await api.getEval({ game: this.game, rules: now.rules_text, position: now.position });
    } catch (error) {
      if (!this.closed && this.trail[this.place] === place) put(this.value, el("p", { class: "card note", "data-test": "value" }, say("no_value", error.message)));
      return;
    }
    if (this.closed || this.trail[this.place] !== place) return;
    put(this.value, this.valueCard(place.evaluation));
    const mark = focusMark();
    this.drawList(now, place.evaluation);
    focusAgain(mark);
  }

  valueCard(evaluation) {
    return el("section", { class: "card" }, el("h2", {}, say("value")), valueBar(this.game, evaluation));
  }

  drawList(now, evaluation) {
    const onPlay = (move) => this.step(move), onHover = (move) => this.board.hover(move);
    const isChance = now.actor === "chance";
    const list = isChance ? throwList({ game: this.game, evaluation: evaluation ?? now, onPlay, onHover })
      : moveList({ game: this.game, position: now.position, moves: evaluation ? bestFirst(now.moves ?? [], evaluation) : now.moves ?? [], level: evaluation ? 3 : 0, evaluation, onPlay, onHover, test: "analysis-move" });
    put(this.list, now.actor !== "end" && el("section", { class: "card" }, el("h2", {}, say(isChance ? "throws" : "moves")), list));
  }

  // --- editing ---

  drawBrushes() {
    const module = moduleOf(this.game), kinds = module.brushes(this.board.state);
    const toggle = el("input", {
      type: "checkbox", checked: this.brush !== null, "data-test": "edit",
      onchange: (event) => this.take(event.target.checked ? kinds[0]?.[0] ?? "" : null),
    });
    const choices = this.brush === null ? [] : kinds.map(([id, words]) =>
      button(words, () => this.take(id), { class: id === this.brush ? "brush here" : "brush", "data-test": `brush-${id}`, "aria-pressed": String(id === this.brush) }));
    put(this.brushes, el("label", { class: "check" }, toggle, say("edit")), el("div", { class: "row" }, choices),
      this.brush !== null && el("small", {}, say("edit_help")));
  }

  take(brush) {
    const mark = focusMark();
    this.brush = brush;
    this.drawBrushes();
    focusAgain(mark);
  }

  // A click while editing changes the text and the board; shortly after the last click the server
  // checks the position.
  paint(key) {
    if (this.brush === null) return false;
    const module = moduleOf(this.game);
    const { rules } = this.now();
    const readable = picture(this.game, this.input.value, rules) ? this.input.value : this.now().position;
    const state = module.edit(module.parse(readable, rules), key, this.brush);
    this.input.value = module.write(state);
    this.board.show({ position: this.input.value, rules });
    clearTimeout(this.painting);
    this.painting = setTimeout(() => this.typed(), PAINT_DELAY);
    return true;
  }

  offerSeats() {
    const now = this.now(), seats = new Seats(this.catalogue.players, this.game);
    seats.show(now.players, true);
    const begin = once(() => this.page.report(async () => openMade(await api.makeGame({ game: this.game, rules: now.rules_text, seats: seats.values(), position: now.position }))));
    put(this.seatsBox, el("section", { class: "card" }, seats.element, button(say("start"), begin, { class: "main", "data-test": "start" })));
  }
}
