// How fast the page of `malpan serve` draws its first board in a real browser, beside its goal.
//
//   node bench/page.mjs FOLDER      FOLDER holds malpan

import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { Server } from "../tests/browser/server.mjs";

const LOADS = 9;
const GOAL_MS = 300;
const { chromium } = createRequire(new URL("../tests/browser/server.mjs", import.meta.url))("playwright-core");

// Loads the page in a browser without a cache; milliseconds from the start of loading until all
// boards of the lobby are drawn.
async function load(browser, address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (document.body?.dataset.ready && !window.drawn) window.drawn = performance.now();
    });
    watch.observe(document, { subtree: true, attributes: true, attributeFilter: ["data-ready"] });
  });
  await page.goto(address);
  await page.waitForFunction(() => window.drawn);
  const drawn = await page.evaluate(() => window.drawn);
  await context.close();
  return drawn;
}

const server = new Server(join(resolve(process.argv[2]), "malpan"));
const times = [];
let browser;
try {
  await server.start();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  for (let i = 0; i < LOADS; i++) times.push(await load(browser, server.address));
} finally {
  await browser?.close();
  if (server.port > 0) await server.stop("SIGTERM");
  rmSync(server.data, { recursive: true });
}
times.sort((a, b) => a - b);
const median = times[(LOADS - 1) / 2];
console.log(`the lobby is drawn within ${Math.round(median)} ms of loading (median of ${LOADS} loads, `
  + `${Math.round(times[0])} to ${Math.round(times[LOADS - 1])} ms), goal ${GOAL_MS} ms: ${median <= GOAL_MS ? "reached" : "MISSED"}`);
