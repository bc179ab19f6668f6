// The entry point: the header of the page, and the view that the address selects.

import { getCatalogue } from "./api.js";
import { loadBoards } from "./board.js";
import { button, el, put } from "./dom.js";
import { showLobby } from "./lobby.js";
import * as store from "./store.js";
import { getLanguage, say, setLanguage } from "./words.js";

const main = document.getElementById("main");
const errorPlace = document.getElementById("error");
const spoken = document.getElementById("spoken");
const SPOKEN_MAX = 12;
let view = null;

// --- what every view uses ---

function notice(text) {
  put(errorPlace, text);
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
  const rows = [["← → ↑ ↓", "key_arrows"], ["Enter", "key_enter"], ["t", "key_t"], ["u", "key_u"], ["h", "key_h"], ["Esc", "key_escape"], ["?", "key_question"]];
  const dialog = el("dialog", { "aria-label": say("keys"), "data-test": "keys-dialog", onclose: () => dialog.remove() },
    el("h2", {}, say("keys")), el("p", {}, say("keys_help")),
    el("dl", {}, rows.flatMap(([key, words]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, say(words))])),
    button(say("close"), () => dialog.close(), { class: "main" }));
  document.body.append(dialog);
  dialog.showModal();
}

const page = { notice, report, speak, keys };

// --- the header ---

function drawTop() {
  const animation = el("input", { type: "checkbox", checked: store.animationWanted(), "data-test": "animation", onchange: (event) => store.saveAnimation(event.target.checked) });
  put(document.getElementById("top"),
    el("a", { href: "#/", class: "brand" }, el("img", { src: "/favicon.svg", alt: "", width: 28, height: 28 }), say("title")),
    el("nav", {},
      el("a", { href: "#/", class: "button" }, say("lobby")),
      el("label", { class: "check" }, animation, say("animation")),
      button(say("keys"), keys, { "data-test": "keys" }),
      button(say("language"), switchLanguage, { "data-test": "lang", lang: getLanguage() === "en" ? "ko" : "en" })));
  document.title = say("title");
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
  const values = new URLSearchParams(query);
  const [what = "", id = "", token = ""] = path.split("/").map(decodeURIComponent);
  return { what, id, token, rules: values.get("rules") ?? "", position: values.get("position") ?? "" };
}

// Shows the view of the address; `kept` comes from the view that was there before.
async function show(kept = {}) {
  view?.close();
  view = null;
  notice("");
  // Each view gets an element of its own, so a view that loads too late fills one that is gone.
  const place = el("div", {}, el("p", { class: "note" }, say("loading")));
  put(main, place);
  const isShown = await report(async () => {
    const { what, id, token, rules, position } = readAddress();
    await loadBoards((await getCatalogue()).games);
    if (what === "") await showLobby(place, report);
    else if ((what === "play" || what === "watch") && id) {
      const { GamePage } = await import("./game.js");
      if (!place.isConnected) return true; // the user went elsewhere in the meantime
      view = new GamePage(place, id, what === "watch", page, kept);
      await view.open(token);
    } else if (what === "board" && id) {
      const { AnalysisPage } = await import("./analysis.js");
      if (!place.isConnected) return true;
      view = new AnalysisPage(place, id, page, kept);
      await view.open(rules, position);
    } else throw new Error(say("not_found"));
    return true;
  });
  if (!isShown) put(place, el("p", {}, el("a", { href: "#/", class: "button" }, say("lobby"))));
  document.body.dataset.ready = "1";
}

// Keeps the analysis board if only its position changes.
function addressChanged() {
  const { what, id, rules, position } = readAddress();
  if (what === "board" && view?.isBoardOf?.(id)) view.moveTo(rules, position);
  else show();
}

window.addEventListener("hashchange", () => addressChanged());
setLanguage(store.savedLanguage());
drawTop();
// The lobby does not need these, but its visitors soon will.
show().then(() => Promise.all([import("./game.js"), import("./analysis.js")])).catch(() => {});
