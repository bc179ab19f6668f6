// malpan: five board games and what every move in them is worth. The types are in index.d.ts.
//
//     import * as malpan from "malpan";
//     malpan.eval("box", "13456789 1 17 12").value    // 0.678840877...

import { Module } from "./module.js";

const address = new URL("malpan.wasm", import.meta.url);

// In Node a module is a file; elsewhere it is fetched.
async function load() {
  if (address.protocol !== "file:") return WebAssembly.compileStreaming(fetch(address));
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(address));
}

const compiled = await load();
let opened = null;

// The module; after a trap, a new one.
function ask(method, path, query, body) {
  opened ??= new Module(compiled, (file, text) => console.error(text.trimEnd()));
  try {
    return opened.ask(method, path, query, body);
  } catch (error) {
    opened = null;
    throw error;
  }
}

export class MalpanError extends Error {
  constructor({ code, message, message_ko: inKorean }) {
    super(message);
    this.name = "MalpanError";
    this.code = code;
    if (inKorean) this.inKorean = inKorean;
  }
}

function get(path, query) {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  const { status, text } = ask("GET", path, given, "");
  const answer = JSON.parse(text);
  if (status !== 200) throw new MalpanError(answer.error);
  return answer;
}

export const games = () => get("/api/games", {}).games;
export const position = (game, position, { rules, move } = {}) => get("/api/position", { game, position, rules, move });

function evaluate(game, position, { rules } = {}) {
  return get("/api/eval", { game, position, rules });
}

export { evaluate as eval };
