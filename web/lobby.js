// The lobby: choose a game, its rules and its players; import a game; find recent games.

import { getCatalogue, getPosition, importGame, makeGame } from "./api.js";
import { picture } from "./board.js";
import { button, el, put } from "./dom.js";
import { forgetGames, recentGames, saveSeatLinks } from "./store.js";
import { getLanguage, say, told } from "./words.js";
import { Seats } from "./seats.js";

const OPTION_DELAY = 250;

export function boardAddress(game, rules, position) {
  const query = new URLSearchParams(Object.entries({ rules, position }).filter(([, value]) => value)).toString();
  return `#/board/${game}${query && `?${query}`}`;
}

// Wraps an async function so that calls during a call do nothing: a double click starts one game.
export function once(work) {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
    } finally {
      isBusy = false;
    }
  };
}

// Opens a new game. The server sends its seat links only once, so they are saved.
export function openMade(game) {
  saveSeatLinks(game.id, game.links);
  location.hash = `#/play/${game.id}`;
}

// In English the help follows the name of the option, as on the command line; in Korean it stands
// alone.
const optionWords = ({ name, help }) => (getLanguage() === "en" ? `${name.replaceAll("-", " ")}: ${told(help)}` : told(help));

const isSwitch = ({ argument, choices }) => argument === null || choices?.join() === "on,off";

// A form for the rule options; text() gives those that differ from the default as they are typed.
class RuleForm {
  constructor(options, onChange) {
    this.inputs = options.map((option) => [option, this.input(option, onChange)]);
    this.element = el("details", { class: "rules" }, el("summary", {}, say("rules")), this.inputs.map(([option, input]) => {
      const words = el("label", { for: input.id }, isSwitch(option) && input, optionWords(option));
      return el("div", { class: "option" }, words, !isSwitch(option) && input, el("small", {}, el("code", {}, `--${option.name}`)));
    }));
  }

  input(option, onChange) {
    const shared = { id: `option-${option.name}`, "data-test": `option-${option.name}` };
    if (isSwitch(option)) return el("input", { ...shared, type: "checkbox", checked: isOn(option.value), onchange: onChange });
    if (option.choices) {
      const choices = option.value ? option.choices : ["", ...option.choices];
      return el("select", { ...shared, onchange: onChange }, choices.map((value) => el("option", { value, selected: value === (option.value ?? "") }, value)));
    }
    const isNumber = option.argument === "N" && /^\d+$/.test(option.value ?? "");
    return el("input", {
      ...shared, type: isNumber ? "number" : "text", min: isNumber ? 0 : null, value: option.value ?? "", placeholder: option.argument,
      autocomplete: "off", spellcheck: "false", autocapitalize: "off", oninput: onChange,
    });
  }

  text() {
    return this.inputs.map(([option, input]) => {
      if (isSwitch(option)) {
        if (input.checked === isOn(option.value)) return "";
        return option.argument === null ? `--${option.name}` : `--${option.name} ${input.checked ? "on" : "off"}`;
      }
      const value = input.value.trim();
      return value === "" || value === String(option.value ?? "") ? "" : `--${option.name} ${value}`;
    }).filter(Boolean).join(" ");
  }

  // Whether a preset is chosen.
  hasPreset() {
    return this.inputs.some(([option, input]) => option.choices && !option.value && input.value);
  }

  // Shows the rules that `text` gives.
  fill(text) {
    const words = text.split(/\s+/);
    for (const [option, input] of this.inputs) {
      const at = words.indexOf(`--${option.name}`);
      const value = at < 0 ? option.value ?? "" : option.argument === null ? "on" : words[at + 1];
      if (isSwitch(option)) input.checked = isOn(value);
      else input.value = value;
    }
  }
}

function isOn(value) {
  return value === true || value === "on" || value === "true";
}

// The panel below the cards of a chosen game.
function setupPanel(game, players, report) {
  const seats = new Seats(players, game.name);
  const preview = el("div", { class: "preview" });
  const trouble = el("p", { class: "bad", role: "status" });
  let timer = 0;
  const update = async () => {
    const rules = form.text();
    try {
      const position = await getPosition({ game: game.name, rules });
      if (rules !== form.text()) return;
      put(trouble);
      if (form.hasPreset()) form.fill(position.rules_text);
      seats.show(position.players, rules !== "");
      put(preview, picture(game.name, position.position, position.rules));
      analysis.href = boardAddress(game.name, rules, position.position);
    } catch (error) {
      put(trouble, error.message);
    }
  };
  const form = new RuleForm(game.options, () => {
    clearTimeout(timer);
    timer = setTimeout(update, OPTION_DELAY);
  });
  const analysis = el("a", { class: "button", href: boardAddress(game.name), "data-test": "open-analysis" }, say("open_analysis"));
  const begin = once(async () => {
    clearTimeout(timer);
    await update();
    if (trouble.textContent) return;
    await report(async () => openMade(await makeGame({ game: game.name, rules: form.text(), seats: seats.values(), position: null })));
  });
  seats.show(game.players, false);
  put(preview, picture(game.name, game.start, game.rules));
  return el("section", { class: "card setup", "data-test": "setup" },
    el("h2", {}, told(game.title)), el("p", {}, told(game.about)),
    el("div", { class: "columns" },
      el("div", {}, seats.element, form.element, trouble, el("p", { class: "row" }, button(say("start"), begin, { class: "main", "data-test": "start" }), analysis)),
      el("div", {}, preview)),
    el("details", {}, el("summary", {}, say("examples")), el("ul", { class: "plain" }, (game.examples ?? []).map((example) =>
      el("li", {}, el("a", { href: boardAddress(game.name, example.rules, example.position) }, told(example.what)))))));
}

function importPanel(report) {
  const text = el("textarea", { rows: 6, "data-test": "import-text", "aria-label": say("import"), spellcheck: "false", placeholder: "malpan-record 1" });
  const go = once(() => report(async () => openMade(await importGame(text.value))));
  return el("details", { class: "card", "data-test": "import" }, el("summary", {}, say("import")), el("p", {}, say("import_help")), text,
    el("p", {}, button(say("import_go"), go, { "data-test": "import-go" })));
}

function recentPanel(games) {
  const recent = recentGames();
  if (recent.length === 0) return null;
  const title = (name) => told(games.find((game) => game.name === name)?.title) || name;
  const panel = el("section", { class: "card" }, el("h2", {}, say("recent")),
    el("ul", { class: "plain" }, recent.map((one) => el("li", {},
      el("a", { href: `#/play/${one.id}`, "data-test": "recent" }, `${title(one.game)} · ${new Date(one.when).toLocaleString(getLanguage())}`)))),
    button(say("forget"), () => { forgetGames(); panel.remove(); }));
  return panel;
}

// Fills `main`; `report` runs a function and shows its error.
export async function showLobby(main, report) {
  const { games: all, players } = await getCatalogue();
  const games = all.filter((game) => game.board);
  const setup = el("div", {});
  const cards = games.map((game) => el("button", {
    type: "button", class: "game-card", "data-test": `game-${game.name}`, "aria-pressed": "false",
    onclick: () => {
      for (const card of cards) card.setAttribute("aria-pressed", String(card.dataset.test === `game-${game.name}`));
      put(setup, setupPanel(game, players, report));
      setup.scrollIntoView({ block: "nearest" });
    },
  }, picture(game.name, game.start, game.rules), el("strong", {}, told(game.title)), el("span", {}, told(game.about))));
  put(main, el("p", { class: "tagline" }, say("tagline")), el("h1", {}, say("choose_game")),
    el("div", { class: "game-cards" }, cards), setup, recentPanel(games), importPanel(report));
}
