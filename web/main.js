// The entry point: the header of the page, settings, and the view that the address selects.

import { getCatalogue, hasServer } from "./api.js";
import { loadBoards } from "./board.js";
import { button, el, iconButton, openDialog, put } from "./dom.js";
import { showLobby } from "./lobby.js";
import { askName } from "./players.js";
import { readySound } from "./sound.js";
import * as store from "./store.js";
import { getLanguage, say, setLanguage } from "./words.js";

const main = document.getElementById("main");
const errorPlace = document.getElementById("error");
const toastPlace = document.getElementById("toast");
const spoken = document.getElementById("spoken");
const SPOKEN_MAX = 12;
const TOAST_TIME = 4500;
let view = null;
let toastTimer = 0;

// --- what every view uses ---

function notice(text) {
  put(errorPlace, text);
}

// A short message that goes away by itself.
function toast(text) {
  clearTimeout(toastTimer);
  put(toastPlace, text);
  toastTimer = setTimeout(() => put(toastPlace), TOAST_TIME);
}

// Runs `work` and shows its error, if any.
async function report(work) {
  notice("");
  try {
    return await work();
  } catch (error) {
    notice(error.message);
    return undefined;
  }
}

// Adds a line to the live region that screen readers read out; several in a row are all read.
function speak(text) {
  if (!text) return;
  spoken.append(el("p", {}, text));
  while (spoken.children.length > SPOKEN_MAX) spoken.firstChild.remove();
}

function keys() {
  if (document.querySelector('[data-test="keys-dialog"]')) return;
  const rows = [["← → ↑ ↓", "key_arrows"], ["Enter", "key_enter"], ["Space", "key_space"], ["u", "key_u"], ["h", "key_h"], ["f", "key_f"], ["n", "key_n"], ["Esc", "key_escape"], ["?", "key_question"]];
  openDialog(say("keys"), [el("p", { class: "note" }, say("keys_help")),
    el("dl", {}, rows.flatMap(([key, words]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, say(words))]))], { test: "keys-dialog" });
}

const page = { notice, report, speak, toast, keys };

// --- settings ---

function applyTheme() {
  document.documentElement.dataset.theme = store.savedTheme();
}

// A row of buttons of which one is pressed.
function segments(values, current, words, onPick, test) {
  const place = el("div", { class: "segments" });
  const draw = (now) => put(place, values.map((value) => button(words(value), () => { onPick(value); draw(value); }, { "aria-pressed": String(value === now), test: `${test}-${value}` })));
  draw(current);
  return place;
}

function settings() {
  const row = (words, control) => el("div", { class: "house-rule" }, el("label", {}, words), control);
  const toggle = (name, isOn, save) => el("input", { type: "checkbox", class: "switch", role: "switch", checked: isOn, test: name, "aria-label": say(name), onchange: (event) => { save(event.target.checked); drawTop(); } });
  openDialog(say("settings"), [
    row(say("your_name"), button(store.savedName() || say("choose_name"), (event) => askName((name) => { put(event.target, name || say("choose_name")); view?.renamed?.(name); }), { test: "name" })),
    row(say("theme"), segments(["auto", "light", "dark"], store.savedTheme(), (name) => say(`theme_${name}`), (name) => { store.saveTheme(name); applyTheme(); }, "theme")),
    row(say("pace"), segments(store.PACES, store.savedPace(), (name) => say(`pace_${name}`), store.savePace, "pace")),
    row(say("sound"), toggle("sound", store.soundWanted(), store.saveSound)),
    row(say("animation"), toggle("animation", store.animationWanted(), store.saveAnimation)),
    el("p", {}, button(say("keys"), (event) => { event.target.closest("dialog").close(); keys(); }, { test: "keys" })),
  ], { test: "settings-dialog" });
}

// --- the header ---

function drawTop() {
  const isOn = store.soundWanted();
  put(document.getElementById("top"),
    el("a", { href: "#/", class: "brand", "aria-label": `${say("title")}: ${say("lobby")}` }, el("img", { src: "favicon.svg", alt: "", width: 28, height: 28 }), say("title")),
    el("nav", {},
      iconButton(isOn ? "sound" : "mute", say(isOn ? "sound_off" : "sound_on"), () => { store.saveSound(!isOn); drawTop(); }, { class: "icon-button", test: "mute" }),
      iconButton("settings", say("settings"), settings, { class: "icon-button", test: "settings" }),
      button(say("language"), switchLanguage, { test: "lang", lang: getLanguage() === "en" ? "ko" : "en" })));
  if (!view?.session) document.title = say("title");
}

function switchLanguage() {
  setLanguage(getLanguage() === "en" ? "ko" : "en");
  store.saveLanguage(getLanguage());
  drawTop();
  document.querySelector('[data-test="lang"]').focus();
  show(view?.kept());
}

// --- the address ---

function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const values = Object.fromEntries(new URLSearchParams(query));
  const [what = "", id = "", token = ""] = path.split("/").map(decodeURIComponent);
  return { what, id, token, query: values };
}

// The views by the first word of the address: a function that makes one, and whether it fills the
// window with a board.
const VIEWS = {
  new: { make: async (place, { id }) => new (await import("./setup.js")).SetupPage(place, id, page) },
  play: { isBoard: true, make: async (place, { id }, kept) => new (await import("./game.js")).GamePage(place, id, false, page, kept) },
  watch: { isBoard: true, make: async (place, { id }, kept) => new (await import("./game.js")).GamePage(place, id, true, page, kept) },
  rules: { make: async (place, { id }) => new (await import("./learn.js")).RulesPage(place, id) },
  lesson: { isBoard: true, make: async (place, { id }) => new (await import("./learn.js")).LessonPage(place, id, page) },
  notebook: { isBoard: true, needsNoId: true, make: async (place) => new (await import("./learn.js")).NotebookPage(place, page) },
  board: { isBoard: true, make: async (place, { id }, kept) => new (await import("./analysis.js")).AnalysisPage(place, id, page, kept) },
};

// Shows the view of the address; `kept` comes from the view that was there before.
async function show(kept = {}) {
  view?.close();
  view = null;
  notice("");
  put(toastPlace);
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  document.body.dataset.over = "";
  // Each view gets an element of its own, so a view that loads too late fills one that is gone.
  const place = el("div", {}, el("p", { class: "note" }, say("loading")));
  put(main, place);
  const address = readAddress(), kind = VIEWS[address.what];
  document.body.dataset.screen = kind?.isBoard ? "board" : "page";
  const isShown = await report(async () => {
    await loadBoards((await getCatalogue()).games);
    if (address.what === "") await showLobby(place, report);
    else if (kind && (address.id || kind.needsNoId)) {
      const made = await kind.make(place, address, kept);
      if (!place.isConnected) return true; // the user went elsewhere in the meantime
      view = made;
      await view.open(address.token, address.query);
    } else throw new Error(say("not_found"));
    return true;
  });
  if (!isShown && place.isConnected) showTrouble(place, address);
  document.body.dataset.ready = "1";
}

// What to do where a view could not be opened.
function showTrouble(place, { id, token }) {
  document.body.dataset.screen = "trouble";
  put(place, el("div", { class: "trouble" }, el("img", { src: "favicon.svg", alt: "" }), el("h1", {}, errorPlace.textContent), el("p", { class: "row" }, token && el("a", { href: `#/watch/${id}`, class: "button main", test: "watch-instead" }, say("watch_instead")), el("a", { href: "#/", class: "button main" }, say("lobby")))));
}

// Keeps the analysis board if only its position changes.
function addressChanged() {
  const { what, id, query } = readAddress();
  if (what === "board" && view?.isBoardOf?.(id)) view.moveTo(query);
  else show();
}

// Keys work everywhere, except while somebody types or a dialog is open.
function keyPressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const { target } = event;
  if (target.closest("input, textarea, select, dialog")) return;
  if (target.closest("button, a, summary") && (event.key === "Enter" || event.key === " ")) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (name === "?") keys();
  else if (!view?.key?.(name)) return;
  event.preventDefault();
}

window.addEventListener("hashchange", () => addressChanged());
document.addEventListener("keydown", keyPressed);
for (const gesture of ["pointerdown", "keydown"])
  document.addEventListener(gesture, () => {
    readySound();
    document.body.toggleAttribute("data-keys", gesture === "keydown");
  }, { capture: true });
applyTheme();
setLanguage(store.savedLanguage());
drawTop();
// Installable, and opens without a network. A browser without secure context has none.
navigator.serviceWorker?.register(hasServer ? "sw.js" : "sw.js?all").catch(() => {});
// The lobby does not need these, but its visitors soon will.
show().then(() => Promise.all([import("./setup.js"), import("./game.js"), import("./analysis.js")])).catch(() => {});
