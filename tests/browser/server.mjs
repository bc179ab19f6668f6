// A `malpan serve` with a data folder of its own, for tests and benchmarks in a browser.

import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// It can be killed and started again on the same port. The caller removes the folder `data`.
export class Server {
  constructor(malpan) {
    this.malpan = malpan;
    this.data = mkdtempSync(join(tmpdir(), "malpan-"));
    this.port = 0;
  }

  start(...options) {
    this.process = spawn(this.malpan, ["serve", "--port", String(this.port), "--data", this.data, "--rate", "0", ...options],
      { env: { ...process.env, MALPAN_TABLES: join(this.data, "tables") }, stdio: ["ignore", "pipe", "inherit"] });
    return new Promise((done, failed) => {
      this.process.once("exit", () => failed(new Error("the server does not start")));
      this.process.stdout.once("data", (text) => {
        this.address = String(text).trim();
        this.port = Number(new URL(this.address).port);
        this.process.removeAllListeners("exit");
        done();
      });
    });
  }

  stop(signal) {
    return new Promise((done) => {
      this.process.once("exit", (code) => done(code));
      this.process.kill(signal);
    });
  }
}
