// Answers requests without a server: runs the module, and keeps games in IndexedDB. One request at a
// time; the steps of computers when nothing else waits.
//
// Messages in: { id, method, path, query, body }, { watch, isWatched }. Out: { ready }, { id, status, isJson,
// text }, and { game, text } for a game that a computer has moved in.

import { Module } from "./module.js";

const IDS = /^\/api\/games\/([\w-]{22})(?:\/|$)/;
const COMPUTER = 1; // of malpan_next: in a game with people
const waiting = []; // requests
const stepping = new Map(); // games in which a computer goes on: whether there are people
const watched = new Set();
let isBusy = false;
let module = null;

const address = new URL("malpan.wasm", import.meta.url);
// Not every host of files knows the type of a module, without which none is compiled while it arrives.
const compiled = WebAssembly.compileStreaming(fetch(address)).catch(async () => WebAssembly.compile(await (await fetch(address)).arrayBuffer()));

// --- games ---

let database = null;

function openDatabase() {
  database ??= new Promise((done, failed) => {
    const opening = indexedDB.open("malpan", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("games");
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error);
  });
  database.catch(() => { database = null; });
  return database;
}

async function load(id) {
  const games = (await openDatabase()).transaction("games").objectStore("games");
  return new Promise((done, failed) => {
    const reading = games.get(id);
    reading.onsuccess = () => done(reading.result ?? "");
    reading.onerror = () => failed(reading.error);
  });
}

// Done when the game is stored.
async function store(text) {
  const change = (await openDatabase()).transaction("games", "readwrite", { durability: "strict" });
  change.objectStore("games").put(text, JSON.parse(text).id);
  return new Promise((done, failed) => {
    change.oncomplete = () => done();
    change.onabort = change.onerror = () => failed(change.error);
  });
}

// --- requests ---

const failure = (code, message, inKorean) => ({ status: 503, isJson: true, text: JSON.stringify({ error: { code, message, message_ko: inKorean } }), next: 0 });

// After a trap the module is started again. It held nothing but solvers.
async function ask(method, path, query, body, stored) {
  try {
    module ??= new Module(await compiled, (file, text) => console.warn(text));
    return await module.request(method, path, query, body, stored, store);
  } catch (error) {
    module = null;
    console.warn(String(error));
    return failure("failed", "the computation failed; please try again", "계산하지 못했습니다. 다시 해 주세요");
  }
}

// Answers a request. Pages share the games: while one of them changes a game, the others wait.
async function answer({ method, path, query, body }) {
  const id = path.match(IDS)?.[1];
  if (!id) return ask(method, path, query, body, "");
  return navigator.locks.request(`malpan ${id}`, async () => {
    let stored;
    try {
      stored = await load(id);
    } catch {
      return failure("unavailable", "this browser does not give access to stored games", "이 브라우저에 저장된 게임을 열 수 없습니다");
    }
    return ask(method, path, query, body, stored);
  });
}

// Notes whether a computer goes on. A game of computers alone goes on while somebody watches.
function noteNext(path, { status, text, next }) {
  const id = path.match(IDS)?.[1] ?? (status === 201 ? JSON.parse(text).id : null);
  if (!id || status >= 400 || next < 0) return; // a record or a review changes nothing
  if (next === 0) stepping.delete(id);
  else stepping.set(id, next === COMPUTER);
}

async function step(id) {
  const path = `/api/games/${id}/step`;
  let since = 0;
  try {
    since = JSON.parse(await load(id)).version;
  } catch {
    // Then the reply says what is wrong.
  }
  const reply = await answer({ method: "POST", path, query: { since: String(since) }, body: "{}" });
  if (reply.status >= 400) stepping.delete(id);
  else {
    noteNext(path, reply);
    postMessage({ game: id, text: reply.text });
  }
}

const nextGame = () => [...stepping].find(([id, hasPeople]) => hasPeople || watched.has(id))?.[0];

async function work() {
  if (isBusy) return;
  isBusy = true;
  for (;;) {
    const request = waiting.shift(), id = request ? null : nextGame();
    if (request) {
      const reply = await answer(request);
      noteNext(request.path, reply);
      postMessage({ id: request.id, status: reply.status, isJson: reply.isJson, text: reply.text, isChange: request.method !== "GET" && reply.status < 300 });
    } else if (id) await step(id);
    else break;
    await new Promise((done) => { setTimeout(done); }); // so that messages arrive
  }
  isBusy = false;
}

// A worker that takes the place of another does not know whether a computer is to move: it tries.
function watch(id) {
  watched.add(id);
  if (!stepping.has(id)) stepping.set(id, false);
}

addEventListener("message", ({ data }) => {
  if (!data.watch) waiting.push(data);
  else if (data.isWatched) watch(data.watch);
  else watched.delete(data.watch);
  work();
});
