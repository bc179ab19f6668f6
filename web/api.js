// The HTTP API: one function per request. A failure is an Error with `status` and `code`.

import { getLanguage, say } from "./words.js";

function failure(message, status, code) {
  return Object.assign(new Error(message), { status, code });
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw failure(say("unreachable"), 0, "unreachable");
  }
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  const body = isJson ? await response.json() : await response.text();
  if (!response.ok) throw failure(errorWords(response.status, body?.error), response.status, body?.error?.code);
  return body;
}

// Some messages from the server are only in English; other languages put the kind of error first.
function errorWords(status, error) {
  const message = error?.message ?? String(status), kind = `error_${error?.code}`, words = say(kind);
  if (getLanguage() === "en") return message;
  return error?.[`message_${getLanguage()}`] ?? (words === kind ? message : `${words} (${message})`);
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

let pending = { text: "", key: "" };

// Creates something. A repeated request, because the answer was lost, has the same key, so that the
// server creates it only once.
async function postOnce(path, body) {
  const text = JSON.stringify([path, body]);
  if (pending.text !== text) {
    const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)));
    pending = { text, key: btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") };
  }
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

export const getPosition = (query) => get("position", query);
export const getEval = (query) => get("eval", query);
export const makeGame = (body) => postOnce("games", body);
export const importGame = (record) => postOnce("import", { record });
export const getGame = (id) => get(`games/${encodeURIComponent(id)}`);
export const joinGame = (id, token) => post(`games/${encodeURIComponent(id)}/join`, { token });
export const postMove = (id, number, move) => post(`games/${encodeURIComponent(id)}/moves`, { number, move });
export const postThrow = (id, number) => post(`games/${encodeURIComponent(id)}/moves`, { number, throw: true });
export const postUndo = (id, number, withdraw) => post(`games/${encodeURIComponent(id)}/undo`, withdraw ? { number, withdraw } : { number });
export const getRecord = (id) => get(`games/${encodeURIComponent(id)}/record`);
export const getReview = (id, soFar) => get(`games/${encodeURIComponent(id)}/review`, soFar ? { "so-far": 1 } : {});

// Listens to a game. `onChange` receives each change, `onState` whether the connection is open.
export function listen(id, since, onChange, onState) {
  const source = new EventSource(`/api/games/${encodeURIComponent(id)}/events?since=${since}`);
  source.onmessage = (event) => onChange(JSON.parse(event.data));
  source.onopen = () => onState(true);
  source.onerror = () => onState(false);
  return source;
}
