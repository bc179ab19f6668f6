// The module in Node: its answers are those of the native program, to the last digit.
//
//   node tests/js.mjs FOLDER WASM      FOLDER holds malpan, WASM the programs for WASI
//
// Closes with `N passed, N failed`.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import * as malpan from "../bindings/js/index.js";
import { Module } from "../bindings/js/module.js";

const [folder, wasm] = process.argv.slice(2).map((path) => resolve(path));
const program = join(folder, "malpan"), data = mkdtempSync(join(tmpdir(), "malpan-js-"));
// Without a folder for tables, as in the module: values are computed, not read.
const environment = { ...process.env, MALPAN_TABLES: "/proc/none" };
const compiled = new WebAssembly.Module(readFileSync(new URL("../bindings/js/malpan.wasm", import.meta.url)));

const native = async (...words) => (await promisify(execFile)(program, words, { env: environment, maxBuffer: 2 ** 26 })).stdout;

// What a program for WASI prints; on a thread of its own, so that it runs beside the native one.
function run(name) {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    (async () => {
      const { wasi } = await import(workerData.wasi);
      let memory, text = "";
      const imports = wasi(() => memory, (file, part) => { text += part; });
      const { exports } = await WebAssembly.instantiate(workerData.compiled, { wasi_snapshot_preview1: imports });
      memory = exports.memory;
      try {
        exports._start();
      } catch (error) {
        if (error.exitCode === undefined) throw error;
        text += "exit code " + error.exitCode;
      }
      parentPort.postMessage(text);
    })();`;
  const workerData = { wasi: new URL("../bindings/js/wasi.js", import.meta.url).href, compiled: new WebAssembly.Module(readFileSync(join(wasm, `${name}.wasm`))) };
  return new Promise((done, failed) => new Worker(code, { eval: true, workerData }).once("message", done).once("error", failed));
}

// A server to compare with; requests are made by `get`.
async function withServer(work) {
  const server = spawn(program, ["serve", "--port", "0", "--data", data, "--rate", "0"], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((done, failed) => {
      server.stdout.once("data", (text) => done(String(text).trim()));
      server.once("exit", () => failed(new Error("the server does not start")));
    });
    await work(async (path, query) => {
      const reply = await fetch(`${address}${path.slice(1)}?${new URLSearchParams(query)}`);
      return { status: reply.status, text: await reply.text() };
    });
  } finally {
    server.kill("SIGTERM");
    await new Promise((done) => server.once("exit", done));
  }
}

const tests = {
  async "the tour is the native one, byte for byte"() {
    const [here, there] = await Promise.all([run("tour"), native("tour", "--json")]);
    assert.ok(there.split("\n").length > 20);
    assert.equal(here, there);
  },

  // Of the games without tables: the module has no files.
  async "the bench signature is the native one"() {
    const here = await run("signature");
    let there = "";
    for (const game of ["race", "box", "dice"]) there += await native("bench", game, "--signature");
    assert.ok(there.split("\n").length > 60);
    assert.equal(here, there);
  },

  async "values are exact and best first"() {
    const box = malpan.eval("box", "13456789 1 17 12");
    assert.equal(box.value.toFixed(6), "0.678841");
    assert.equal(box.exact, true);
    assert.equal(box.moves[0].move, "3+9");
    assert.equal(malpan.eval("box", undefined, { rules: "--players 1" }).value.toFixed(6), "0.097614");
    assert.ok(malpan.eval("yut").exact === false);
    assert.deepEqual(malpan.games().map((game) => game.name).sort(), ["box", "dice", "race", "valley", "yut"]);
    assert.ok(malpan.position("valley").moves.length > 5);
  },

  async "bad input is an error with a code"() {
    assert.throws(() => malpan.eval("chess"), (error) => error instanceof malpan.MalpanError && error.code === "usage" && /chess/.test(error.message));
    assert.throws(() => malpan.eval("box", "99"), malpan.MalpanError);
    assert.equal(malpan.eval("box").value.toFixed(6), "0.502810");
  },

  // The same requests to both.
  async "the API answers as the server does"() {
    const module = new Module(compiled), catalogue = JSON.parse(module.ask("GET", "/api/games").text);
    await withServer(async (get) => {
      const compare = async (path, query = {}) => {
        const here = module.ask("GET", path, query), there = await get(path, query);
        assert.deepEqual([here.status, here.text], [there.status, there.text], `${path} ${JSON.stringify(query)}`);
      };
      await compare("/api/games");
      await compare("/api/nothing");
      for (const { name: game, examples } of catalogue.games) {
        for (const { rules, position } of examples) await compare("/api/position", { game, rules, position });
        const { moves, throws } = JSON.parse(module.ask("GET", "/api/position", { game }).text);
        await compare("/api/position", { game, move: (moves ?? throws)[0].move });
        await compare("/api/position", { game, move: "nonsense" });
        await compare("/api/position", { game, position: "nonsense" });
      }
      // What takes a moment: a busy server gives up after a few seconds.
      for (const game of ["box", "dice", "race"])
        for (const { rules, position } of catalogue.games.find((one) => one.name === game).examples)
          if (!/--limit|--rounds|--players 4/.test(rules)) await compare("/api/eval", { game, rules, position });
      await compare("/api/eval", { game: "yut", rules: "--pieces 1", position: "9/13 0 gae,yut" });
      await compare("/api/eval", { game: "valley", rules: "--soldiers 0" });
    });
  },

  async "a game is played from text to text"() {
    const module = new Module(compiled);
    let stored = "";
    const store = async (text) => { stored = text; };
    const ask = async (method, path, body) => {
      const reply = await module.request(method, path, {}, body ? JSON.stringify(body) : "", stored, store);
      return { ...reply, json: reply.isJson ? JSON.parse(reply.text) : null };
    };
    const made = await ask("POST", "/api/games", { game: "box", seats: [{ kind: "here" }, { kind: "computer", player: "random" }] });
    assert.equal(made.status, 201, made.text);
    const path = `/api/games/${made.json.id}`;
    let game = made, steps = 0;
    for (; !game.json.over; steps++) {
      const { number, now, waits } = game.json;
      const before = stored;
      assert.equal((await ask("GET", `${path}/record`)).next, -1); // whoever goes on still does
      if (game.next === 1) game = await ask("POST", `${path}/step`, {});
      else game = await ask("POST", `${path}/moves`, { number, ...(waits.for === "throw" ? { throw: true } : { move: now.moves[0].move }) });
      assert.equal(game.status, 200, game.text);
      assert.equal(game.json.number, number + 1);
      assert.notEqual(stored, before);
    }
    assert.ok(steps > 3 && game.next === 0);
    const record = (await ask("GET", `${path}/record`)).text;
    assert.match(record, /^malpan-record 1/);
    const review = await ask("GET", `${path}/review`);
    assert.equal(review.json.steps.length, steps);
    const imported = await ask("POST", "/api/import", { record });
    assert.equal(imported.status, 201, imported.text);
  },

  async "what cannot be stored has not happened"() {
    const module = new Module(compiled);
    let stored = "";
    const body = JSON.stringify({ game: "race", seats: [{ kind: "here" }, { kind: "here" }] });
    const made = JSON.parse((await module.request("POST", "/api/games", {}, body, "", async (text) => { stored = text; })).text);
    const fail = () => Promise.reject(new Error("full"));
    const moved = await module.request("POST", `/api/games/${made.id}/moves`, {}, JSON.stringify({ number: 0, throw: true }), stored, fail);
    assert.equal(moved.status, 500);
    assert.equal(JSON.parse(module.ask("GET", `/api/games/${made.id}`).text).error.code, "not_found");
    const game = await module.request("GET", `/api/games/${made.id}`, {}, "", stored, fail);
    assert.equal(JSON.parse(game.text).number, 0);
    assert.equal((await module.request("POST", "/api/games", {}, body, "", fail)).status, 500);
  },

  async "a module that traps is replaced, and the game is intact"() {
    let module = new Module(compiled), stored = "";
    const store = async (text) => { stored = text; };
    const body = JSON.stringify({ game: "race", seats: [{ kind: "here" }, { kind: "here" }] });
    const { id } = JSON.parse((await module.request("POST", "/api/games", {}, body, "", store)).text);
    const move = (number) => module.request("POST", `/api/games/${id}/moves`, {}, JSON.stringify({ number, throw: true }), stored, store);
    assert.equal((await move(0)).status, 200);
    assert.throws(() => module.exports.malpan_stored(1), WebAssembly.RuntimeError);
    module = new Module(compiled);
    const moved = await move(1);
    assert.equal(JSON.parse(moved.text).number, 2);
  },

  async "what needs too much memory is estimated"() {
    const yut = malpan.eval("yut", undefined, { rules: "--pieces 3" });
    assert.equal(yut.exact, false);
    assert.match(yut.note, /MB|table|solve/);
  },

  async "playing by link needs a server, and says so"() {
    const module = new Module(compiled);
    const reply = module.ask("POST", "/api/games", {}, JSON.stringify({ game: "race", seats: [{ kind: "here" }, { kind: "link" }] }));
    assert.equal(reply.status, 400);
    assert.match(reply.text, /needs a server/);
  },

  async "a site takes the place of an older site only"() {
    const script = new URL("../scripts/make-site", import.meta.url).pathname, site = join(data, "site"), other = join(data, "other");
    const make = (place) => promisify(execFile)(script, [place]);
    mkdirSync(other);
    writeFileSync(join(other, "notes.txt"), "mine");
    await assert.rejects(make(other), /holds other files/);
    assert.equal(readFileSync(join(other, "notes.txt"), "utf8"), "mine");
    await make(site);
    writeFileSync(join(site, "old.js"), "");
    await make(site);
    const kept = JSON.parse(readFileSync(join(site, "files.json"), "utf8"));
    assert.ok(kept.includes("malpan.wasm") && kept.includes("local_worker.js") && !kept.includes("old.js"));
  },

  // Stored texts and bodies may be anything.
  async "damaged texts are refused"() {
    const module = new Module(compiled);
    const good = JSON.stringify({ id: "A".repeat(22), record: "malpan-record 1\n", salt: "A".repeat(22), seats: "0:0 0:0", version: 1, given: 0, undo_for: 0, undo_asked: 0 });
    for (const stored of ["{", "[]", "null", "{}", good, good.slice(0, -1), `${"[".repeat(5000)}`]) {
      const reply = await module.request("GET", `/api/games/${"A".repeat(22)}`, {}, "", stored, async () => {});
      assert.ok(reply.status >= 400, `${stored.slice(0, 40)}: ${reply.status}`);
    }
    for (const body of ["", "{", "[]", "\"\\ud800\"", "{\"a\":1,\"a\":2}", "{\"number\":1e999}", "{\"number\":99999999999999999999}", "{\"a\":\"\\u0000\"}"]) {
      const reply = module.ask("POST", "/api/games", {}, body);
      assert.equal(reply.status, 400, body);
    }
  },
};

let passed = 0, failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const start = performance.now();
  try {
    await test();
    passed++;
    console.log(`ok      ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack.slice(0, 3000)}`);
  }
}
rmSync(data, { recursive: true });
console.log(`js: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
