// The site on a server of files, which shows 404.html for what is missing, as most do, for tests and benchmarks in a browser: the same interface as Server.

import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".json": "application/json", ".webmanifest": "application/manifest+json" };

export class Site {
  constructor(folder) {
    this.folder = folder;
    this.data = mkdtempSync(join(tmpdir(), "malpan-"));
    this.requests = [];
  }

  start() {
    this.server = createServer(async ({ url }, reply) => {
      const path = normalize(new URL(url, "http://localhost").pathname);
      this.requests.push(path);
      try {
        const bytes = await readFile(join(this.folder, path === "/" ? "index.html" : path));
        reply.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/html" }).end(bytes);
      } catch {
        reply.writeHead(404, { "Content-Type": "text/html" }).end(await readFile(join(this.folder, "404.html")));
      }
    });
    return new Promise((done) => this.server.listen(this.port ?? 0, "127.0.0.1", () => {
      this.port = this.server.address().port;
      this.address = `http://127.0.0.1:${this.port}/`;
      done();
    }));
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done(0)));
  }
}
