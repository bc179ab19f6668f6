// How fast the page of `malpan serve` is in a real browser, beside its goals: the first board, the frames
// of its animations on a slow processor, how soon a move is visible, and how large the page is.
//
//   node bench/page.mjs FOLDER      FOLDER holds malpan

import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { Server } from "../tests/browser/server.mjs";

const LOADS = 9;
const FIRST_BOARD_MS = 300;
const SLOWDOWN = 4;
const FRAMES_PER_S = 60;
const EVENTS = 15;
const MOVE_MS = 50;
const BYTES = 300000;
const PACKED_BYTES = 100000;
const { chromium } = createRequire(new URL("../tests/browser/server.mjs", import.meta.url))("playwright-core");

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const verdict = (isReached) => (isReached ? "reached" : "MISSED");

// Loads the page in a browser without a cache; milliseconds from the start of loading until all
// boards of the lobby are drawn.
async function timeLoad(browser, address) {
  const context = await browser.newContext({ serviceWorkers: "block" });
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

// A page with a game of this browser's.
async function openGame(browser, address, game, position) {
  const context = await browser.newContext({ serviceWorkers: "block", viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => document.body.dataset.ready === "1");
  const id = await page.evaluate(async (body) => {
    const reply = await fetch("/api/games", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return (await reply.json()).id;
  }, { game, position, seats: [{ kind: "here" }, { kind: "here" }] });
  await page.goto(`${address}#/play/${id}`);
  await page.waitForSelector('[data-test="board"] svg');
  return { page, context, id };
}

// Frames per second while something is animated, from the times between frames.
async function countFrames(browser, address, game, position, act) {
  const { page, context } = await openGame(browser, address, game, position);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.waitForTimeout(600);
  await page.evaluate(() => {
    window.times = [];
    const tick = (time) => {
      if (document.getAnimations().some((run) => run.playState === "running")) window.times.push(time);
      else if (window.times.at(-1) !== null) window.times.push(null);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act(page);
  await page.waitForTimeout(3500);
  const gaps = await page.evaluate(() => window.times.slice(1).map((time, i) => (time === null || window.times[i] === null ? null : time - window.times[i])).filter((gap) => gap !== null));
  await context.close();
  return { rate: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0), count: gaps.length };
}

// Frames per second of a page where nothing moves, which is as many as there can be.
async function countIdleFrames(browser) {
  const context = await browser.newContext(), page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  const rate = await page.evaluate(() => new Promise((done) => {
    const times = [];
    const tick = (time) => {
      times.push(time);
      if (times.length < 90) requestAnimationFrame(tick);
      else done((1000 * (times.length - 1)) / (times.at(-1) - times[0]));
    };
    requestAnimationFrame(tick);
  }));
  await context.close();
  return rate;
}

// Milliseconds from the arrival of an event until the board shows its move, as seen by a watcher.
async function timeMoves(browser, address) {
  const { page, context, id } = await openGame(browser, address, "valley", null);
  const watcher = await context.newPage();
  await watcher.addInitScript(() => {
    localStorage.setItem("malpan.animation", "true");
    const { EventSource } = window;
    window.waits = [];
    window.EventSource = class extends EventSource {
      set onmessage(handle) {
        super.onmessage = (event) => {
          const begin = performance.now(), board = document.querySelector('[data-test="board"]');
          const watch = new MutationObserver(() => {
            watch.disconnect();
            requestAnimationFrame(() => window.waits.push(performance.now() - begin));
          });
          if (board) watch.observe(board, { childList: true, subtree: true });
          handle(event);
        };
      }
    };
  });
  await watcher.goto(`${address}#/watch/${id}`);
  await watcher.waitForSelector('[data-test="board"] svg');
  for (let i = 0; i < EVENTS; i++) {
    await page.evaluate(async ([game, number]) => {
      const state = await (await fetch(`/api/games/${game}`)).json(), { moves } = state.now;
      if (moves) await fetch(`/api/games/${game}/moves`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ number, move: moves[number % moves.length].move }) });
    }, [id, i]);
    await watcher.waitForTimeout(1400);
  }
  const waits = await watcher.evaluate(() => window.waits);
  await context.close();
  return waits;
}

// The size of everything that the page consists of, as files and as sent.
async function measureFiles(browser, address) {
  const context = await browser.newContext({ serviceWorkers: "block" }), page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => document.body.dataset.ready === "1");
  const sizes = await page.evaluate(async () => {
    const seen = new Map(), left = ["/", "/sw.js", "/manifest.webmanifest", "/404.html", "/embed.html", "/favicon.svg"];
    for (const { board } of (await (await fetch("/api/games")).json()).games) left.push(`/board_${board}.js`, `/guide_${board}.js`);
    while (left.length) {
      const path = left.pop();
      if (seen.has(path)) continue;
      const reply = await fetch(path), text = await reply.text();
      seen.set(path, [new TextEncoder().encode(text).length, Number(reply.headers.get("Content-Length"))]);
      for (const [, name] of text.matchAll(/(?:from "|import\("|href="|src=")(?:\.?\/)?([\w.-]+\.(?:js|css))"/g)) left.push(`/${name}`);
    }
    return [...seen.values()];
  });
  await context.close();
  return sizes.reduce(([a, b], [size, packed]) => [a + size, b + packed], [0, 0]);
}

const server = new Server(join(resolve(process.argv[2]), "malpan"));
let browser;
try {
  await server.start();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const { address } = server, times = [];
  for (let i = 0; i < LOADS; i++) times.push(await timeLoad(browser, address));
  console.log(`the lobby is drawn within ${Math.round(median(times))} ms of loading (median of ${LOADS} loads, `
    + `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms), goal ${FIRST_BOARD_MS} ms: ${verdict(median(times) <= FIRST_BOARD_MS)}`);
  console.log(`an empty page: ${(await countIdleFrames(browser)).toFixed(1)} frames/s with the processor slowed down ${SLOWDOWN} times`);
  const click = (test) => (page) => page.click(`[data-test="${test}"]`);
  const clickMove = (page) => page.evaluate(() => document.querySelector('[data-test="move"]').click());
  for (const [what, game, position, act] of [
    ["sticks tumble", "yut", null, click("throw")], ["a roll tumbles", "box", null, click("throw")],
    ["a piece runs", "yut", "0,0,0,9/0,0,0,0 0 mo", clickMove], ["a catch", "yut", "0,0,0,9/0,0,0,14 0 mo", clickMove]]) {
    const { rate, count } = await countFrames(browser, address, game, position, act);
    console.log(`${what}: ${rate.toFixed(1)} frames/s with the processor slowed down ${SLOWDOWN} times (${count} frames), goal ${FRAMES_PER_S}: ${verdict(rate >= FRAMES_PER_S - 1)}`);
  }
  const waits = await timeMoves(browser, address);
  console.log(`a move is visible ${Math.round(median(waits))} ms after its event (median of ${waits.length}, at most ${Math.round(Math.max(...waits))} ms), goal ${MOVE_MS} ms: ${verdict(median(waits) <= MOVE_MS)}`);
  const [bytes, packed] = await measureFiles(browser, address);
  console.log(`the page has ${bytes} bytes, ${packed} compressed, goals ${BYTES} and ${PACKED_BYTES}: ${verdict(bytes < BYTES && packed < PACKED_BYTES)}`);
} finally {
  await browser?.close();
  if (server.port > 0) await server.stop("SIGTERM");
  rmSync(server.data, { recursive: true });
}
