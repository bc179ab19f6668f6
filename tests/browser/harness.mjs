// What the browser tests share: a server, browsers of their own, setting up games and playing them.

import { join } from "node:path";
import { chromium } from "playwright-core";
import { Server } from "./server.mjs";
import { Site } from "./site.mjs";

export const PATIENCE = 30000;
export const isSlow = Boolean(process.env.SLOW); // everything instead of a selection
export const SIZES = { laptop: [1280, 800], desk: [1920, 1080], small: [1024, 600], phone: [390, 844], landscape: [844, 390] };
export const GAMES = ["yut", "race", "box", "dice", "valley"];

export let server;
export let isSite = false;
let browser;
let pictures = null;
export const complaints = [];

export function check(condition, ...what) {
  if (!condition) throw new Error(what.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(" "));
}

// With a site, a server of files and the module take the place of malpan.
export async function startAll(malpan, pictureFolder, site) {
  isSite = Boolean(site);
  server = site ? new Site(site) : new Server(malpan);
  pictures = pictureFolder;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  await server.start();
}

export async function closeContexts(picture) {
  for (const context of browser.contexts()) {
    if (picture) for (const page of context.pages()) await page.screenshot({ path: picture }).catch(() => {});
    await context.close();
  }
}

export async function stopAll() {
  await browser.close();
  return server.stop("SIGTERM");
}

// What the tests themselves ask of the API, the module answers.
function askModule() {
  const plain = window.fetch;
  window.fetch = async (address, options) => (String(address).startsWith("/api/") ? (await import("/local.js")).localFetch(address, options) : plain(address, options));
}

// A browser of its own, with cookies of its own, and the list of moves open. Everything it complains
// of is noted. `settings` go to its storage.
export async function open({ list = true, animation = false, settings = {}, ...options } = {}) {
  const context = await browser.newContext({ locale: "en-US", serviceWorkers: "block", viewport: { width: 1000, height: 900 }, ...options });
  await context.addInitScript((values) => {
    for (const [name, value] of Object.entries(values)) if (localStorage.getItem(`malpan.${name}`) === null) localStorage.setItem(`malpan.${name}`, JSON.stringify(value));
  }, { list, animation, ...settings });
  if (isSite) await context.addInitScript(askModule);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on("console", (message) => {
    const expected = page.mayFail && /Failed to load resource|ERR_|EventSource/.test(message.text());
    if (message.type() === "error" && !expected) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.address) && !request.url().startsWith("data:") && !request.url().startsWith("blob:"))
      complaints.push(`a request leaves the machine: ${request.url()}`);
  });
  return page;
}

export const at = (page, name) => page.locator(`[data-test="${name}"]`);

export async function ready(page) {
  await page.waitForFunction(() => document.body.dataset.ready === "1");
}

export async function lobby(page) {
  await page.goto(server.address);
  await ready(page);
}

// Opens a details element by its name.
export async function unfold(page, name) {
  const details = at(page, name);
  while (!(await details.evaluate((one) => one.open))) await details.locator("> summary").click();
}

// Sets up a game and starts it; `seats` are kinds, or `computer:NAME`.
export async function begin(page, game, seats, options = {}) {
  await lobby(page);
  await at(page, `game-${game}`).click();
  await at(page, "setup").waitFor();
  if (Object.keys(options).length > 0) await unfold(page, "rules");
  for (const [name, value] of Object.entries(options)) {
    const input = at(page, `option-${name}`);
    if (!(await input.isVisible())) await unfold(page, "advanced");
    const kind = await input.evaluate((one) => (one.localName === "select" ? "select" : one.type));
    if (kind === "checkbox") await input.setChecked(value);
    else if (kind === "select") await input.selectOption(value);
    else {
      await input.fill(value);
      await input.blur();
    }
  }
  if (options.players) await at(page, `seat-${Number(options.players) - 1}-kind`).waitFor({ state: "attached" });
  await unfold(page, "advanced-seats");
  for (const [number, seat] of seats.entries()) {
    const [, kind, player] = seat.match(/^([a-z]+):?(.*)$/);
    await at(page, `seat-${number}-kind`).selectOption(kind);
    if (player) await at(page, `seat-${number}-player`).selectOption(player);
  }
  await at(page, "start").click();
  await page.waitForURL(/#\/play\//);
  await at(page, "board").waitFor();
}

// A game made by the API, which is faster than clicking.
export async function make(page, game, seats, { rules = "", position = null } = {}) {
  if (!page.url().startsWith(server.address)) await lobby(page);
  const id = await page.evaluate(async (body) => {
    const reply = await fetch("/api/games", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return (await reply.json()).id;
  }, { game, rules, position, seats: seats.map((seat) => (seat.startsWith("computer:") ? { kind: "computer", player: seat.slice(9) } : { kind: seat })) });
  await page.goto(`${server.address}#/play/${id}`);
  // The board gets its size right before it is painted for the first time.
  await page.waitForFunction(() => document.querySelector('[data-test="board"]')?.style.width);
  return id;
}

export const isOver = (page) => page.evaluate(() => document.body.dataset.over === "1");

// What can be done now: "throw" or "move"; null when it is over.
export async function nextStep(page) {
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    const found = await page.evaluate(() => (document.body.dataset.over === "1" ? "over"
      : ["throw", "move"].find((name) => document.querySelector(`[data-test="${name}"]:not(:disabled)`))));
    if (found) return found === "over" ? null : found;
    await page.waitForTimeout(10);
  }
  throw new Error("the game stands still");
}

export const stepCount = () => document.querySelectorAll('[data-test="steps"] > li').length;

// Clicks what can be done, and waits until it is; false when it is over.
export async function clickStep(page) {
  const step = await nextStep(page);
  if (!step) return false;
  const before = await page.evaluate(stepCount);
  try {
    await at(page, step).first().click({ timeout: 1000 });
    await page.waitForFunction((count) => document.querySelectorAll('[data-test="steps"] > li').length !== count, before, { timeout: 2000 });
  } catch {
    // What was there to be clicked is gone, because a computer moved meanwhile: look again.
  }
  return true;
}

// Clicks until it is over.
export async function playByClicks(page, most = 600) {
  for (let i = 0; i < most; i++) if (!(await clickStep(page))) return;
  throw new Error("the game does not end");
}

// Plays the game that is shown to its end by the API. In King's Valley white plays best and black worst,
// so that it ends; where nobody can win, white plays any move.
export async function finish(page) {
  await page.evaluate(async () => {
    const id = location.hash.match(/play\/([^/]+)/)[1];
    for (let i = 0; i < 400; i++) {
      const { over, number, waits, now, game, rules_text } = await (await fetch(`/api/games/${id}`)).json();
      if (over) return;
      const find = async () => {
        const { moves, outcome } = await (await fetch(`/api/eval?${new URLSearchParams({ game, rules: rules_text, position: now.position })}`)).json();
        return moves.at(now.player ? -1 : outcome === "endless" ? number % 7 % moves.length : 0).move;
      };
      const move = waits.for === "move" && (game === "valley" ? await find() : now.moves[0].move);
      await fetch(`/api/games/${id}/moves`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ number, ...(move ? { move } : { throw: true }) }) });
    }
  });
  await page.waitForFunction(() => document.body.dataset.over === "1");
}

// The middle of a square, piece or tile, whatever lies on top.
export async function middleOf(page, key) {
  const box = await at(page, "board").locator(`[data-key="${key}"]`).last().boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// Where a move starts and ends on the board, or the parts of a set.
export function endsOf(page, game, move) {
  return page.evaluate(async ([name, text]) => {
    const id = location.hash.match(/play\/([^/]+)/)[1];
    const [{ moduleOf }, reply] = [await import("/board.js"), await fetch(`/api/games/${id}`)];
    const { trace } = (await reply.json()).now.moves.find((one) => one.move === text);
    const module = moduleOf(name);
    return module.chooses_sets ? { parts: module.parts(text) } : module.ends(text, trace ?? []);
  }, [game, move]);
}

// The best move of the present position.
function findBest(page) {
  return page.evaluate(async () => {
    const { now, rules_text, game } = await (await fetch(`/api/games/${location.hash.match(/play\/([^/]+)/)[1]}`)).json();
    return (await (await fetch(`/api/eval?${new URLSearchParams({ game, rules: rules_text, position: now.position })}`)).json()).moves[0].move;
  });
}

// Makes the best move, or throws, with a finger on the board; false when it is over.
export async function tapStep(page, game) {
  const step = await nextStep(page);
  if (!step) return false;
  const before = await page.evaluate(stepCount);
  const tap = async (key) => page.touchscreen.tap(...await middleOf(page, key));
  const isDone = (patience) => page.waitForFunction((count) => document.querySelectorAll('[data-test="steps"] > li').length > count, before, { timeout: patience });
  if (step === "throw") {
    await at(page, "throw").tap();
  } else {
    const move = await findBest(page);
    const { parts, from, to } = await endsOf(page, game, move);
    if (parts) {
      for (const tile of parts) await tap(tile);
      await at(page, "close").tap();
    } else {
      await tap(from);
      const choice = page.locator(`[data-test="choice"][data-move="${move}"]`);
      if (await choice.count() > 0) await choice.tap();
      else if (await page.evaluate(stepCount) === before) await isDone(300).catch(() => tap(to));
    }
  }
  await isDone(PATIENCE);
  return true;
}

// Nothing on the page is a word that was not found, or a number that is none.
export async function checkWords(page) {
  const text = await page.textContent("body");
  check(!/undefined|NaN|\[object/.test(text), "strange words:", text.match(/.{0,40}(undefined|NaN|\[object).{0,40}/)?.[0] ?? "");
}

export async function shot(page, name) {
  await checkWords(page);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}
