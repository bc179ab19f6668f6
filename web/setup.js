// Setting up a game in three clicks: with whom, how strong, start. House rules are switches with a
// sentence each; everything else is under "advanced". The last setup is remembered.

import { boardAddress, getCatalogue, getPosition, hasServer, makeGame, openMade } from "./api.js";
import { loadGuide, moduleOf, picture } from "./board.js";
import { button, el, once, put } from "./dom.js";
import { levelsOf, nameButton, Seats } from "./players.js";
import * as store from "./store.js";
import { getLanguage, pick, say, told } from "./words.js";

const OPTION_DELAY = 200;

// --- the form for the rule options of a game: house rules with a title and a sentence, from the game's
// guide, and all other options as they are typed on the command line. text() gives those that differ from
// the default. ---

const optionWords = ({ name, help }) => (getLanguage() === "en" ? `${name.replaceAll("-", " ")}: ${told(help)}` : told(help));

function isOn(value) {
  return value === true || value === "on" || value === "true";
}

const isSwitch = ({ argument, choices }) => argument === null || choices?.join() === "on,off";

class RuleForm {
  // `houseRules`: { option, title, about, on, off } for a switch between two values, or with `values`
  // instead for a choice; each text as [English, Korean].
  constructor(options, houseRules, onChange) {
    this.onChange = onChange;
    this.fields = options.map((option) => this.field(option, houseRules.find((rule) => rule.option === option.name)));
    const house = this.fields.filter(({ rule }) => rule), other = this.fields.filter(({ rule }) => !rule);
    this.element = el("details", { class: "rules", test: "rules" }, el("summary", {}, say("rules")),
      house.map(({ rule, option, input }) => el("div", { class: "house-rule" }, el("label", { for: input.id }, pick(rule.title)), el("small", {}, pick(rule.about)), input)),
      other.length > 0 && el("details", { test: "advanced", open: house.length === 0 }, el("summary", {}, say("advanced")), other.map(({ option, input }) =>
        el("div", { class: "option" }, el("label", { for: input.id }, optionWords(option), " ", el("code", {}, `--${option.name}`)), input))));
  }

  field(option, rule) {
    const shared = { id: `option-${option.name}`, test: `option-${option.name}`, onchange: this.onChange };
    const initial = option.value ?? "";
    if (rule?.on || isSwitch(option)) {
      const on = rule?.on ?? "on", off = rule?.off ?? "off";
      const input = el("input", { ...shared, type: "checkbox", class: "switch", role: "switch", checked: rule?.on ? String(initial) === on : isOn(initial) });
      const isFlag = option.argument === null;
      return { option, rule, input,
        read: () => (isFlag ? (input.checked ? "" : null) : input.checked ? on : off),
        write: (value) => { input.checked = isFlag ? value !== null && value !== undefined && value !== "off" : String(value) === on; } };
    }
    const choices = rule?.values ?? option.choices;
    if (choices) {
      const list = option.value || rule?.values ? choices : ["", ...choices];
      const words = (value) => (rule?.names?.[value] ? pick(rule.names[value]) : value);
      const input = el("select", shared, list.map((value) => el("option", { value, selected: value === String(initial) }, words(value))));
      return { option, rule, input, read: () => input.value, write: (value) => { input.value = value; } };
    }
    const isNumber = option.argument === "N" && /^\d+$/.test(initial);
    const input = el("input", {
      ...shared, oninput: this.onChange, type: isNumber ? "number" : "text", min: isNumber ? 0 : null, value: initial, placeholder: option.argument,
      autocomplete: "off", spellcheck: "false", autocapitalize: "off",
    });
    return { option, rule, input, read: () => input.value.trim(), write: (value) => { input.value = value; } };
  }

  text() {
    return this.fields.map(({ option, read }) => {
      const value = read();
      if (option.argument === null) return (value !== null) === isOn(option.value) ? "" : `--${option.name}`;
      return value === "" || value === String(option.value ?? "") ? "" : `--${option.name} ${value}`;
    }).filter(Boolean).join(" ");
  }

  // Whether a preset is chosen.
  hasPreset() {
    return this.fields.some(({ option, input }) => option.choices && !option.value && input.value);
  }

  // Shows the rules that `text` gives.
  fill(text) {
    const words = text.split(/\s+/);
    for (const { option, write } of this.fields) {
      const at = words.indexOf(`--${option.name}`);
      if (option.argument === null) write(at < 0 ? (isOn(option.value) ? "" : null) : "");
      else write(at < 0 ? option.value ?? "" : words[at + 1]);
    }
  }
}

// --- the page ---

export class SetupPage {
  constructor(main, name, page) {
    this.main = main;
    this.name = name;
    this.page = page;
    this.closed = false;
  }

  kept() {
    return {};
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  renamed() {
    this.refresh();
  }

  async open() {
    const { games, players } = await getCatalogue();
    this.game = games.find((game) => game.name === this.name);
    if (!this.game || !moduleOf(this.name)) throw new Error(say("not_found"));
    const guide = await loadGuide(this.game.board);
    if (this.closed) return;
    const last = store.savedSetup(this.name);
    this.levels = levelsOf(players, this.name);
    this.players = this.game.players;
    this.seats = new Seats(players, this.name);
    this.seats.show(this.players, false);
    this.form = new RuleForm(this.game.options, guide.houseRules ?? [], () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.update(), OPTION_DELAY);
    });
    this.opponent = this.players === 1 ? "here" : last.opponent ?? (this.levels.length ? "computer" : "here");
    this.level = this.levels.some(([level]) => level === last.level) ? last.level : (this.levels.find(([level]) => level === "normal") ?? this.levels.at(-1))?.[0];
    this.first = last.first ?? "me";
    if (last.rules) this.form.fill(last.rules);
    this.build();
    if (last.rules) await this.update();
  }

  build() {
    const { game } = this;
    this.trouble = el("p", { class: "bad", role: "status" });
    this.preview = el("div", { class: "preview" }, picture(this.name, game.start, game.rules));
    for (const place of ["opponents", "strengths", "beginners", "names"]) this[place] = el("div", {});
    this.analysis = el("a", { class: "button", href: boardAddress(this.name), test: "open-analysis" }, say("open_analysis"));
    this.advancedSeats = el("details", { test: "advanced-seats" }, el("summary", {}, say("advanced_seats")), this.seats.element);
    put(this.main, el("h1", {}, told(game.title)), el("p", { class: "about" }, told(game.about)), el("p", { class: "row" },
      el("a", { class: "button", href: `#/rules/${this.name}`, test: "open-rules" }, say("read_rules")),
      el("a", { class: "button", href: `#/lesson/${this.name}`, test: "open-lesson" }, say("take_lesson")), this.analysis),
    el("div", { class: "setup", test: "setup" },
      el("div", {}, this.opponents, this.strengths, this.beginners, this.names,
        el("div", { class: "setup-go" }, button(say("start"), once(() => this.begin()), { class: "main", test: "start" })),
        this.trouble, this.form.element, this.advancedSeats),
      this.preview));
    this.refresh();
  }

  // Draws the choices for the number of players that the rules give.
  refresh() {
    const choice = (value, words, about, isOn, pick, test) => el("button", { type: "button", class: "choice-card", "aria-pressed": String(isOn), test, onclick: () => { pick(value); this.refresh(); } }, el("strong", {}, words), about && el("span", {}, about));
    const kinds = [...(this.levels.length && this.players > 1 ? ["computer"] : []), ...(this.players > 1 ? hasServer ? ["link", "here"] : ["here"] : [])];
    put(this.opponents, kinds.length > 0 && [el("h2", {}, say("opponent")), el("div", { class: "choice-row" }, kinds.map((kind) =>
      choice(kind, say(`with_${kind}`), say(`with_${kind}_about`), this.opponent === kind, (value) => { this.opponent = value; this.seats.touched = false; }, `with-${kind}`))), !hasServer && el("p", { class: "note", test: "needs-server" }, say("needs_server"), " ", el("code", {}, "malpan serve"))]);
    put(this.strengths, this.opponent === "computer" && this.players > 1 && [el("h2", {}, say("level")), el("div", { class: "choice-row" }, this.levels.map(([level]) =>
      choice(level, say(`level_${level}`), null, this.level === level, (value) => { this.level = value; this.seats.touched = false; }, `level-${level}`)))]);
    put(this.beginners, this.opponent !== "here" && this.players > 1 && [el("h2", {}, say("who_begins")), el("div", { class: "segments" }, ["me", "other", "any"].map((who) =>
      el("button", { type: "button", "aria-pressed": String(this.first === who), test: `first-${who}`, onclick: () => { this.first = who; this.seats.touched = false; this.refresh(); } }, say(`begin_${who}`))))]);
    put(this.names, this.players > 1 && this.opponent === "link" && el("p", { class: "row" }, say("your_name"), nameButton(() => this.refresh())));
    this.fillSeats();
  }

  // What the choices mean for each seat.
  seatAt(number, mine) {
    if (number === mine || this.opponent === "here") return { kind: "here" };
    if (this.opponent === "link") return { kind: "link" };
    return { kind: "computer", player: this.levels.find(([level]) => level === this.level)?.[1] };
  }

  // The seats as they are chosen one by one, or else as the choices say.
  fillSeats() {
    if (this.seats.touched) return;
    const mine = this.first === "me" ? 0 : this.first === "other" ? Math.min(1, this.players - 1) : Math.floor(Math.random() * Math.min(2, this.players));
    this.seats.fill((number) => this.seatAt(number, mine));
  }

  // Checks the rules with the server and shows the board that they give.
  async update() {
    const rules = this.form.text();
    try {
      const position = await getPosition({ game: this.name, rules });
      if (rules !== this.form.text() || this.closed) return;
      put(this.trouble);
      if (this.form.hasPreset()) this.form.fill(position.rules_text);
      const isOther = position.players !== this.players;
      this.players = position.players;
      if (isOther || this.seats.unusual !== (rules !== "")) this.seats.show(position.players, rules !== "");
      put(this.preview, picture(this.name, position.position, position.rules));
      this.analysis.href = boardAddress(this.name, rules, position.position);
      if (isOther) this.refresh();
    } catch (error) {
      put(this.trouble, error.message);
    }
  }

  async begin() {
    clearTimeout(this.timer);
    await this.update();
    if (this.trouble.textContent) return;
    this.fillSeats();
    const rules = this.form.text();
    store.saveSetup(this.name, { opponent: this.opponent, level: this.level, first: this.first, rules });
    await this.page.report(async () => openMade(await makeGame({ game: this.name, rules, seats: this.seats.values(store.savedName()), position: null })));
  }
}
