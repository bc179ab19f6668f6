// The API: one function per request, which the server answers by HTTP, or, where the page says that there
// is none, a module. A failure is an Error with `status` and `code`.

import { saveSeatLinks } from "./store.js";
import { getLanguage, say } from "./words.js";

// What answers instead of a server (local.js), if the page names it.
const named = document.querySelector('meta[name="malpan-api"]')?.content;
const local = named ? await import(named) : null;

// Without a server nobody can play by link, or watch.
export const hasServer = !local;

function failure(message, status, code) {
  return Object.assign(new Error(message), { status, code });
}

async function request(path, options) {
  let response;
  try {
    response = await (local ? local.localFetch : fetch)(path, options);
  } catch {
    throw failure(say("unreachable"), 0, "unreachable");
  }
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  const body = isJson ? await response.json() : await response.text();
  if (!response.ok) throw failure(await errorWords(response.status, body?.error), response.status, body?.error?.code);
  return body;
}

// Messages that the server has only in English are translated here, at least to the kind of error.
async function errorWords(status, error) {
  const message = error?.message ?? String(status), kind = `error_${error?.code}`;
  if (getLanguage() === "en") return message;
  if (error?.message_ko) return error.message_ko;
  const { inKorean } = await import("./errors.js");
  return inKorean(message) ?? say(kind === say(kind) ? "error_failed" : kind);
}

function get(path, query = {}) {
  const parts = new URLSearchParams(Object.entries(query).filter(([, value]) => value)).toString();
  return request(`/api/${path}${parts && `?${parts}`}`);
}

function post(path, body) {
  return request(`/api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

// 128 random bits as text.
export function randomKey() {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

let pending = { text: "", key: "" };

// Creates something. A repeated request, because the answer was lost, has the same key, so that the
// server creates it only once.
async function postOnce(path, body) {
  const text = JSON.stringify([path, body]);
  if (pending.text !== text) pending = { text, key: randomKey() };
  const made = await post(path, { ...body, key: pending.key });
  pending = { text: "", key: "" };
  return made;
}

let catalogue = null;

// The catalogue of games and players; requested once.
export function getCatalogue() {
  catalogue ??= get("games").catch((error) => {
    catalogue = null;
    throw error;
  });
  return catalogue;
}

export const getHealth = () => get("health");
export const getPosition = (query) => get("position", query);
export const getEval = (query) => get("eval", query);
export const makeGame = (body) => postOnce("games", body);
export const importGame = (record) => postOnce("import", { record });

// A reply has a limited number of steps; fetches the rest of a long game. If the game changes
// meanwhile, starts again.
async function withAllSteps(id, game) {
  let all = game;
  while (all.from + all.steps.length < all.number) {
    const next = await get(`games/${encodeURIComponent(id)}`, { from: String(all.from + all.steps.length) });
    all = next.version === all.version
      ? { ...next, from: all.from, steps: [...all.steps, ...next.steps] }
      : await get(`games/${encodeURIComponent(id)}`, { from: String(all.from) });
  }
  return all;
}

// The game, or what has changed since a version: the steps from `from` on.
export async function getGame(id, since) {
  return withAllSteps(id, await get(`games/${encodeURIComponent(id)}`, since === undefined ? {} : { since: String(since) }));
}

// Takes the seat of a link. The key tells the server that it is this browser that asks again.
export async function joinGame(id, token, key, name) {
  return withAllSteps(id, await post(`games/${encodeURIComponent(id)}/join`, { token, key, ...(name ? { name } : {}) }));
}

// Changes a game; the reply has what has changed since `version`.
async function change(id, what, version, body) {
  return withAllSteps(id, await post(`games/${encodeURIComponent(id)}/${what}?since=${version}`, body));
}

export const postMove = ({ id, number, version }, move) => change(id, "moves", version, { number, move });
export const postThrow = ({ id, number, version }) => change(id, "moves", version, { number, throw: true });

// Asks to take back a move or agrees to that; with `what`, "withdraw" or "decline".
export const postUndo = ({ id, number, version }, what) => change(id, "undo", version, what ? { number, [what]: true } : { number });
export const postName = ({ id, version }, name) => change(id, "name", version, { name });
export const getRecord = (id) => get(`games/${encodeURIComponent(id)}/record`);
export const getReview = (id, soFar) => get(`games/${encodeURIComponent(id)}/review`, soFar ? { "so-far": 1 } : {});

// Listens to a game. `onChange` receives each change, `onState` whether the connection is open,
// `onPresence` who is there.
export function listen(id, since, onChange, onState, onPresence) {
  if (local) return local.listenLocally(id, onChange, onState, onPresence);
  const source = new EventSource(`/api/games/${encodeURIComponent(id)}/events?presence=1&since=${since}`);
  source.onmessage = (event) => onChange(JSON.parse(event.data));
  source.addEventListener("presence", (event) => onPresence(JSON.parse(event.data)));
  source.onopen = () => onState(true);
  source.onerror = () => onState(false);
  return source;
}

// The address of an analysis board.
export function boardAddress(game, rules, position, more = {}) {
  const query = new URLSearchParams(Object.entries({ rules, position, ...more }).filter(([, value]) => value)).toString();
  return `#/board/${game}${query && `?${query}`}`;
}

// Opens a new game. The server sends its seat links only once, so they are saved.
export function openMade(game) {
  saveSeatLinks(game.id, game.links);
  location.hash = `#/play/${game.id}`;
}
