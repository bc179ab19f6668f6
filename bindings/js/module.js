// The module: malpan.wasm, which answers the requests of docs/http-api.md without a server.

import { wasi } from "./wasi.js";

const STORING = 2; // HOST_STORING in src/ui/module/host.h
const MEMORY_BYTES = 2 ** 30;

export class Module {
  // `compiled` is a WebAssembly.Module, `write(file, text)` receives what it prints.
  constructor(compiled, write = () => {}) {
    const imports = wasi(() => this.exports.memory, write);
    this.exports = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: imports }).exports;
    this.exports._initialize();
    if (!this.exports.malpan_open(MEMORY_BYTES)) throw new Error("out of memory");
  }

  // Copies a text into memory that the module frees.
  give(text) {
    const bytes = new TextEncoder().encode(text);
    const at = this.exports.malpan_allocate(bytes.length + 1) >>> 0;
    if (at === 0) throw new Error("out of memory");
    const copy = new Uint8Array(this.exports.memory.buffer, at, bytes.length + 1);
    copy.set(bytes);
    copy[bytes.length] = 0;
    return at;
  }

  text() {
    const at = this.exports.malpan_text() >>> 0, bytes = new Uint8Array(this.exports.memory.buffer);
    return at === 0 ? null : new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  begin(method, path, query, body, stored) {
    return this.exports.malpan_request(...[method, path, JSON.stringify(query), body, stored].map((text) => this.give(text)));
  }

  // The reply; `next` says who goes on in the game: 0 a person, 1 a computer, 2 a computer among computers, -1 the
  // same as before.
  end() {
    const text = this.text();
    const reply = { status: this.exports.malpan_status(), isJson: this.exports.malpan_is_json() !== 0, text, next: this.exports.malpan_next() };
    this.exports.malpan_end();
    return reply;
  }

  // Answers a request that needs no storage, at once.
  ask(method, path, query = {}, body = "") {
    if (this.begin(method, path, query, body, "") === STORING) this.exports.malpan_stored(0);
    return this.end();
  }

  // Answers a request about a game: `stored` is its text in the store, "" for none. Before the reply, a
  // change is passed to `store(text)`; if that fails, nothing has changed.
  async request(method, path, query, body, stored, store) {
    let phase = this.begin(method, path, query, body, stored);
    while (phase === STORING) {
      const isStored = await store(this.text()).then(() => 1, () => 0);
      phase = this.exports.malpan_stored(isStored);
    }
    return this.end();
  }
}
