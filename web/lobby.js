// The lobby: choose a game, go on with a recent one, import one, or try mistakes again.

import { getCatalogue, importGame, openMade } from "./api.js";
import { moduleOf, picture } from "./board.js";
import { button, el, once, put } from "./dom.js";
import { forgetGames, recentGames, savedNotes } from "./store.js";
import { addWords, getLanguage, say, told } from "./words.js";

addWords({
  notebook: ["Mistake notebook", "실수 노트"],
  notebook_about: ["Positions to try again: {0}", "다시 해 볼 국면 {0}개"],
});

function importPanel(report) {
  const text = el("textarea", { rows: 6, test: "import-text", "aria-label": say("import"), spellcheck: "false" });
  const go = once(() => report(async () => openMade(await importGame(text.value))));
  return el("details", { class: "card", test: "import" }, el("summary", {}, say("import")), el("p", {}, say("import_help")), text,
    el("p", {}, button(say("import_go"), go, { test: "import-go" })));
}

function recentPanel(games) {
  const recent = recentGames();
  if (recent.length === 0) return null;
  const title = (name) => told(games.find((game) => game.name === name)?.title) || name;
  const time = (when) => new Date(when).toLocaleString(getLanguage(), { dateStyle: "medium", timeStyle: "short" });
  const panel = el("section", { class: "card" }, el("h2", {}, say("recent")),
    el("ul", { class: "plain" }, recent.slice(0, 6).map((one) => el("li", {},
      el("a", { href: `#/play/${one.id}`, test: "recent" }, `${title(one.game)} · ${time(one.when)}`)))),
    button(say("forget"), () => { forgetGames(); panel.remove(); }));
  return panel;
}

function notebookPanel() {
  const open = savedNotes().filter((note) => !note.solved).length;
  return open > 0 && el("section", { class: "card" }, el("h2", {}, say("notebook")), el("p", {}, say("notebook_about", open)),
    el("a", { class: "button", href: "#/notebook", test: "open-notebook" }, say("notebook")));
}

// Fills `main`; `report` runs a function and shows its error.
export async function showLobby(main, report) {
  const { games: all } = await getCatalogue();
  const games = all.filter((game) => game.board);
  put(main, el("p", { class: "tagline" }, say("tagline")), el("h1", {}, say("choose_game")),
    el("div", { class: "game-cards" }, games.map((game) => el("a", { class: "button game-card", href: `#/new/${game.name}`, test: `game-${game.name}` },
      picture(game.name, moduleOf(game.name).sample ?? game.start, game.rules), el("strong", {}, told(game.title)), el("span", {}, told(game.about))))),
    el("div", { class: "lobby-more" }, recentPanel(games), notebookPanel(), importPanel(report)));
}
