// The page in a real browser: every game to its end, several browsers in one game, kills, languages.
//
//   node run.mjs FOLDER [--pictures DIR] [NAME ...]      FOLDER holds malpan
//
// Closes with `browser: N passed, N failed`.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { Server } from "./server.mjs";

const PATIENCE = 30000;
const words = process.argv.slice(2);
const malpan = join(resolve(words.shift()), "malpan");
let pictures = null;
if (words[0] === "--pictures") [, pictures] = words.splice(0, 2);

function check(condition, ...what) {
  if (!condition) throw new Error(what.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(" "));
}

const server = new Server(malpan);
let browser;
const complaints = [];

// A browser of its own, with cookies of its own, and the list of moves open. Everything it complains
// of is noted.
async function open({ list = true, ...options } = {}) {
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1000, height: 900 }, ...options });
  if (list) await context.addInitScript(() => localStorage.setItem("malpan.list", "true"));
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

const at = (page, name) => page.locator(`[data-test="${name}"]`);

async function lobby(page) {
  await page.goto(server.address);
  await page.waitForFunction(() => document.body.dataset.ready === "1");
  const animation = at(page, "animation");
  if (await animation.isChecked()) await animation.uncheck();
}

// Sets up a game in the lobby and starts it; `seats` are kinds, or `computer:NAME`.
async function begin(page, game, seats, options = {}) {
  await lobby(page);
  await at(page, `game-${game}`).click();
  if (Object.keys(options).length > 0) await at(page, "setup").locator("details > summary").first().click();
  for (const [name, value] of Object.entries(options)) {
    const input = at(page, `option-${name}`);
    if (value === true) await input.check();
    else await input.fill(value); // a number or a text
    await input.blur();
  }
  for (const [number, seat] of seats.entries()) {
    const [, kind, player] = seat.match(/^([a-z]+):?(.*)$/);
    await at(page, `seat-${number}-kind`).selectOption(kind);
    if (player) await at(page, `seat-${number}-player`).selectOption(player);
  }
  await at(page, "start").click();
  await page.waitForURL(/#\/play\//);
  await at(page, "board").waitFor();
}

const isOver = (page) => page.evaluate(() => document.body.dataset.over === "1");

// What can be done now: "throw" or "move"; null when it is over.
async function nextStep(page) {
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    const found = await page.evaluate(() => (document.body.dataset.over === "1" ? "over"
      : ["throw", "move"].find((name) => document.querySelector(`[data-test="${name}"]:not(:disabled)`))));
    if (found) return found === "over" ? null : found;
    await page.waitForTimeout(10);
  }
  throw new Error("the game stands still");
}

const stepCount = () => document.querySelectorAll('[data-test="steps"] > li').length;

// Clicks what can be done, and waits until it is; false when it is over.
async function clickStep(page) {
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
async function playByClicks(page, most = 600) {
  for (let i = 0; i < most; i++) if (!(await clickStep(page))) return;
  throw new Error("the game does not end");
}

// Touches the middle of a square, piece or tile, whatever lies on top.
async function tapKey(page, key) {
  const drawn = at(page, "board").locator(`[data-key="${key}"]`).last();
  await drawn.scrollIntoViewIfNeeded();
  const box = await drawn.boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

// Makes the first move that is possible, or throws, with a finger on the board; false when it is over.
async function tapStep(page, game) {
  const step = await nextStep(page);
  if (!step) return false;
  const before = await page.evaluate(stepCount);
  const isDone = (patience) => page.waitForFunction((count) => document.querySelectorAll('[data-test="steps"] > li').length > count, before, { timeout: patience });
  if (step === "throw") {
    await at(page, "throw").tap();
  } else {
    const move = await at(page, "move").first().getAttribute("data-move");
    const { parts, from, to } = await page.evaluate(async ([name, text]) => {
      const id = location.hash.match(/play\/([^/]+)/)[1];
      const [{ moduleOf }, reply] = [await import("/board.js"), await fetch(`/api/games/${id}`)];
      const { trace } = (await reply.json()).now.moves.find((one) => one.move === text);
      const module = moduleOf(name);
      return module.chooses_sets ? { parts: module.parts(text) } : module.ends(text, trace ?? []);
    }, [game, move]);
    if (parts) {
      for (const tile of parts) await tapKey(page, tile);
      await at(page, "close").tap();
    } else {
      await tapKey(page, from);
      const choice = page.locator(`[data-test="choice"][data-move="${move}"]`);
      if (await choice.count() > 0) await choice.tap();
      else if (await page.evaluate(stepCount) === before) await isDone(300).catch(() => tapKey(page, to));
    }
  }
  await isDone(PATIENCE);
  return true;
}

// Nothing on the page is a word that was not found, or a number that is none.
async function checkWords(page) {
  const text = await page.textContent("body");
  check(!/undefined|NaN|\[object/.test(text), "strange words:", text.match(/.{0,40}(undefined|NaN|\[object).{0,40}/)?.[0] ?? "");
}

async function shot(page, name) {
  await checkWords(page);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const tests = {
  async "the lobby shows five games"() {
    const page = await open();
    await lobby(page);
    for (const game of ["yut", "race", "box", "dice", "valley"])
      check(await at(page, `game-${game}`).locator("svg").count() === 1, "no picture of", game);
    await shot(page, "lobby");
    await page.context().close();
  },

  async "yut to its end by clicks, then reviewed and checked"() {
    const page = await open();
    await begin(page, "yut", ["here", "computer:random"], { pieces: "1" });
    await playByClicks(page);
    await at(page, "review").waitFor();
    check(await at(page, "review-row").count() > 1, "no rows");
    await at(page, "check-fair").click();
    const fair = await at(page, "fair-result").textContent();
    check(/^✓/.test(fair), "the throws are not what was promised:", fair);
    await at(page, "chart").waitFor();
    await at(page, "chart-point").nth(1).click();
    await at(page, "nav-now").click();
    await shot(page, "yut-review");
    await page.context().close();
  },

  async "four pieces each, with estimates that are marked"() {
    const page = await open();
    await begin(page, "yut", ["here", "here"]);
    for (let i = 0; i < 20; i++) await clickStep(page);
    while (await nextStep(page) !== "move" || await at(page, "move").count() < 3) await clickStep(page);
    for (let i = 0; i < 3; i++) await at(page, "hint").click();
    await page.waitForFunction(() => /~0\.\d{6}/.test(document.querySelector('[data-test="moves"]').textContent));
    check(/~0\.\d{6}/.test(await at(page, "value").first().textContent()), "the value is not marked as an estimate");
    await shot(page, "yut");
    await page.context().close();
  },

  async "the race to its end by clicks"() {
    const page = await open();
    await begin(page, "race", ["here", "here"]);
    for (let i = 0; i < 5; i++) await clickStep(page);
    await shot(page, "race");
    await playByClicks(page);
    await page.context().close();
  },

  async "shut the box against perfect play, to its end by clicks"() {
    const page = await open();
    await begin(page, "box", ["here", "computer:perfect"]);
    await playByClicks(page);
    await page.context().close();
  },

  async "dice yut, the puzzle and online, to their ends by clicks"() {
    const page = await open();
    await begin(page, "dice", ["here"], { online: true });
    for (let i = 0; i < 13; i++) await clickStep(page);
    await shot(page, "dice");
    await playByClicks(page);
    await begin(page, "dice", ["here"]);
    await playByClicks(page);
    await page.context().close();
  },

  async "king's valley against a search, to its end by clicks"() {
    const page = await open();
    await begin(page, "valley", ["here", "computer:alphabeta:4"]);
    await playByClicks(page);
    await page.context().close();
  },

  async "every game by keys alone"() {
    for (const [game, seats, options] of [["yut", ["here", "computer:random"], { pieces: "1" }],
      ["race", ["here", "here"], {}], ["box", ["here", "here"], {}], ["dice", ["here"], { online: true }],
      ["valley", ["here", "computer:random"], {}]]) {
      const page = await open();
      await begin(page, game, seats, options);
      for (let i = 0; i < 600; i++) {
        const step = await nextStep(page);
        if (!step) break;
        await at(page, "board").focus();
        if (step === "throw") {
          await page.keyboard.press("t");
        } else {
          await page.keyboard.press("ArrowRight");
          await page.keyboard.press("Enter");
        }
      }
      check(await isOver(page), game, "does not end");
      await page.context().close();
    }
  },

  async "every game by touching the board of a phone"() {
    for (const [game, seats, options, most] of [["yut", ["here", "here"], { pieces: "2" }, 16], ["race", ["here", "here"], {}, 8],
      ["box", ["here", "here"], {}, 600], ["dice", ["here"], {}, 600], ["valley", ["here", "here"], {}, 12]]) {
      const page = await open({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
      await begin(page, game, seats, options);
      const hides = await page.evaluate(() => [...document.querySelectorAll(".board .hit")].some((one) => getComputedStyle(one).fill !== "rgba(0, 0, 0, 0)"));
      check(!hides, game, "hides what can be touched");
      for (let i = 0; i < most && await tapStep(page, game); i++);
      await checkWords(page);
      await page.context().close();
    }
  },

  async "buttons by keyboard keep the focus, and never play by themselves"() {
    const page = await open();
    await begin(page, "box", ["here", "here"]);
    const focused = () => page.evaluate(() => document.activeElement.dataset.test);
    const press = async (name, key = "Enter") => {
      await at(page, name).first().focus();
      await page.keyboard.press(key);
    };
    await press("throw");
    await page.waitForFunction(() => document.activeElement.dataset.test === "move");
    await press("hint");
    for (let i = 0; i < 3; i++) {
      await page.waitForTimeout(300);
      check(await focused() === "hint", "the focus went to", await focused());
      await page.keyboard.press("Enter");
    }
    check(await page.evaluate(stepCount) === 2, "a hint played a move");
    await press("nav-back");
    await page.waitForFunction(() => document.activeElement.dataset.test.startsWith("nav-") && !document.activeElement.disabled);
    await press("nav-now");
    const spoken = await page.textContent("#spoken");
    check(/Your move/.test(spoken) && /Your throw/.test(spoken), "not spoken:", spoken);
    await at(page, "lang").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.lang === "ko" && document.activeElement.dataset.test === "lang");
    await page.context().close();
  },

  async "house rules: a preset shows what it stands for"() {
    const page = await open();
    await lobby(page);
    await at(page, "game-yut").click();
    await at(page, "setup").locator("details > summary").first().click();
    await at(page, "option-preset").selectOption("teams");
    await page.waitForFunction(() => document.querySelector('[data-test="option-players"]').value === "4");
    check(await at(page, "option-teams").isChecked() && await at(page, "option-preset").inputValue() === "", "the preset is not shown");
    check(await at(page, "seat-3-kind").count() === 1, "not four seats");
    await shot(page, "rules");
    await at(page, "start").dblclick();
    await page.waitForURL(/#\/play\//);
    await at(page, "board").waitFor();
    await page.context().close();
  },

  async "keys are explained"() {
    const page = await open();
    await begin(page, "valley", ["here", "here"]);
    await at(page, "board").focus();
    await page.keyboard.press("?");
    await at(page, "keys-dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.context().close();
  },

  async "two browsers in one game, and one who watches"() {
    const owner = await open(), guest = await open(), watcher = await open();
    await begin(owner, "valley", ["here", "link"]);
    const id = owner.url().match(/play\/([^/]+)/)[1];
    const link = await at(owner, "seat-link-1").inputValue();
    await guest.goto(link);
    await at(guest, "board").waitFor();
    check(!guest.url().includes(link.split("/").pop()), "the token stays in the address");
    await watcher.goto(`${server.address}#/watch/${id}`);
    await at(watcher, "board").waitFor();
    check(await at(watcher, "move").count() === 0, "a watcher may move");
    for (let i = 0; i < 6 && !(await isOver(owner)); i++) {
      const page = i % 2 === 0 ? owner : guest, other = i % 2 === 0 ? guest : owner;
      await at(page, "move").first().waitFor();
      check(await at(other, "move").count() === 0, "both may move");
      await at(page, "move").nth(2).click();
      for (const one of [owner, guest, watcher])
        await one.waitForFunction((count) => document.querySelectorAll('[data-test="steps"] > li').length >= count, i + 2);
    }
    await shot(watcher, "valley");
    await guest.reload();
    await at(guest, "board").waitFor();
    for (const page of [owner, guest, watcher]) await page.context().close();
  },

  async "a page that nobody sees lets go of its line, and catches up"() {
    const owner = await open(), guest = await open();
    const hide = (hidden) => owner.evaluate((value) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
    await begin(owner, "valley", ["link", "here"]);
    await guest.goto(await at(owner, "seat-link-0").inputValue());
    await at(guest, "move").first().waitFor();
    const isLine = (request) => request.url().includes("/events");
    await Promise.all([owner.waitForEvent("requestfailed", isLine), hide(true)]);
    await at(guest, "move").first().click();
    await guest.waitForFunction(() => document.querySelectorAll('[data-test="steps"] > li').length === 2);
    check(await at(owner, "move").count() === 0, "it still listens");
    await Promise.all([owner.waitForRequest(isLine), hide(false)]);
    await at(owner, "move").first().waitFor();
    check(/^Your move: /.test(await owner.title()), "the title does not say whose turn it is:", await owner.title());
    for (const page of [owner, guest]) await page.context().close();
  },

  async "a move that comes too late is not made"() {
    const first = await open();
    await begin(first, "valley", ["here", "here"]);
    const second = await first.context().newPage();
    await second.route(/\/events/, (route) => route.fulfill({ status: 204 })); // it hears of nothing
    await second.goto(first.url());
    await at(second, "move").first().waitFor();
    const moves = await at(second, "move").evaluateAll((buttons) => buttons.map((one) => one.dataset.move));
    await at(first, "move").first().click();
    await first.waitForFunction(() => document.querySelectorAll('[data-test="steps"] > li').length === 2);
    const [answer] = await Promise.all([second.waitForResponse(/\/moves$/), at(second, "move").nth(1).click()]);
    check(answer.status() === 409, "it was answered with", answer.status());
    await second.waitForFunction((old) => document.querySelectorAll('[data-test="steps"] > li').length === 2 &&
      document.querySelector('[data-test="move"]').dataset.move !== old, moves[0]);
    await first.context().close();
  },

  async "undo is asked for, and agreed to"() {
    const owner = await open(), guest = await open();
    await begin(owner, "valley", ["here", "link"]);
    await guest.goto(await at(owner, "seat-link-1").inputValue());
    await at(owner, "move").first().click();
    await at(guest, "move").first().click();
    await at(owner, "move").first().waitFor();
    await at(owner, "undo").click();
    await at(guest, "undo-agree").click();
    await owner.waitForFunction(() => document.querySelectorAll('[data-test="steps"] > li').length === 1);
    for (const page of [owner, guest]) await page.context().close();
  },

  async "reloads and kills lose nothing"() {
    const page = await open();
    await begin(page, "box", ["here", "here"]);
    for (let i = 0; i < 3; i++) await clickStep(page);
    const steps = () => at(page, "steps").locator("> li").count();
    await page.waitForFunction(() => document.querySelectorAll('[data-test="steps"] > li').length >= 4);
    const before = await steps();
    await page.reload();
    await at(page, "board").waitFor();
    check(await steps() === before, "a reload loses steps");
    page.mayFail = true;
    await server.stop("SIGKILL");
    await page.waitForTimeout(500);
    await server.start();
    await page.reload();
    await at(page, "board").waitFor();
    check(await steps() === before, "a kill loses steps");
    await server.stop("SIGKILL");
    await page.waitForTimeout(500);
    await server.start();
    await page.waitForFunction(() => document.querySelector('[data-test="error"]').textContent === "" && document.querySelector('[data-test="throw"], [data-test="move"]'), null, { timeout: PATIENCE });
    await clickStep(page);
    page.mayFail = false;
    await playByClicks(page);
    await page.context().close();
  },

  async "a computer that cannot go on says why"() {
    const page = await open();
    await begin(page, "yut", ["computer:perfect", "here"], { pieces: "2" });
    check(await nextStep(page) === "throw", "the computer does not move");
    page.mayFail = true;
    await server.stop("SIGTERM");
    const table = join(server.data, "tables", "yut-pieces-2.table"), sound = readFileSync(table);
    writeFileSync(table, Buffer.concat([sound.subarray(0, 40), Buffer.alloc(sound.length - 40)]));
    await server.start();
    await page.reload();
    const status = () => at(page, "status").textContent();
    for (const end = Date.now() + PATIENCE; !/cannot move: .*damaged/.test(await status());) {
      check(Date.now() < end, "no word of the trouble:", await status());
      const next = at(page, "throw").or(at(page, "move")).first();
      if (await next.isVisible()) await next.click({ timeout: 1000 }).catch(() => {});
      await page.waitForTimeout(20);
    }
    await checkWords(page);
    await server.stop("SIGTERM");
    writeFileSync(table, sound);
    await server.start();
    await page.waitForFunction(() => /^Your/.test(document.querySelector('[data-test="status"]').textContent), null, { timeout: PATIENCE });
    page.mayFail = false;
    await page.context().close();
  },

  async "hints come in layers"() {
    const page = await open({ list: false });
    await begin(page, "box", ["here", "here"]);
    await at(page, "throw").click();
    await at(page, "move").first().waitFor({ state: "attached" });
    check(!(await at(page, "move").first().isVisible()), "moves are listed without being asked for");
    check(await at(page, "value").count() === 0, "values are shown without being asked for");
    await at(page, "hint").click();
    await at(page, "move").first().waitFor();
    check(await at(page, "value").count() === 0, "values are shown too soon");
    await at(page, "hint").click();
    await at(page, "value").first().waitFor();
    await page.waitForFunction(() => /0\.\d{3}/.test(document.querySelector('[data-test="moves"]').textContent));
    await at(page, "hint").click();
    await shot(page, "box");
    await page.context().close();
  },

  async "the analysis board"() {
    const page = await open();
    await lobby(page);
    await page.goto(`${server.address}#/board/yut?rules=${encodeURIComponent("--pieces 1")}&position=${encodeURIComponent("9/4 0 gae,yut")}`);
    await at(page, "analysis-move").first().waitFor();
    check(await at(page, "analysis-move").count() === 2, "not two moves");
    await at(page, "analysis-move").first().click();
    await page.waitForFunction(() => !location.hash.includes("gae%2Cyut") && !location.hash.includes("gae,yut"));
    await at(page, "nav-back").click();
    await page.waitForFunction(() => /gae(%2C|,)yut/.test(location.hash));
    page.mayFail = true;
    await at(page, "position-input").fill("nonsense");
    await at(page, "position-go").click();
    await page.waitForFunction(() => document.querySelector('[data-test="position-error"]').textContent !== "");
    page.mayFail = false;
    await at(page, "edit").check();
    await at(page, "board").locator('[data-key="12"]').first().click();
    await page.waitForFunction(() => /12(%2F|\/)/.test(location.hash));
    await at(page, "edit").uncheck();
    await at(page, "position-input").fill("0/0 1 -");
    await at(page, "position-go").click();
    await page.waitForFunction(() => document.querySelectorAll('[data-test="throws"] [data-test="analysis-move"]').length === 6);
    await shot(page, "analysis");
    await page.context().close();
  },

  async "export and import"() {
    const page = await open();
    await begin(page, "race", ["here", "here"]);
    await playByClicks(page);
    const id = page.url().match(/play\/([^/]+)/)[1];
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator("details", { has: at(page, "export") }).locator("summary").click();
    const [file] = await Promise.all([page.waitForEvent("download"), at(page, "export").click()]);
    check(file.suggestedFilename() === `malpan-race-${id}.txt`, file.suggestedFilename());
    const text = readFileSync(await file.path(), "utf8");
    check(text.startsWith("malpan-record 1"), text);
    await at(page, "copy-record").click();
    await page.waitForFunction(async (all) => await navigator.clipboard.readText() === all, text);
    await lobby(page);
    await at(page, "import").locator("summary").click();
    await at(page, "import-text").fill(text);
    await at(page, "import-go").click();
    await page.waitForURL(/#\/play\//);
    await at(page, "board").waitFor();
    check(!page.url().includes(id) && await isOver(page), "it is not the imported game");
    await page.context().close();
  },

  async "korean, phones and dark rooms"() {
    const page = await open({ locale: "ko-KR", viewport: { width: 360, height: 740 }, colorScheme: "dark", reducedMotion: "reduce" });
    await page.goto(server.address);
    await page.waitForFunction(() => document.body.dataset.ready === "1");
    check(/윷놀이/.test(await page.textContent("main")), "not in Korean");
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    check(await fits(), "the lobby is too wide");
    await shot(page, "lobby-phone-ko");
    for (const [game, seats] of [["yut", ["here", "here"]], ["race", ["here", "here"]], ["box", ["here", "here"]], ["dice", ["here"]], ["valley", ["here", "here"]]]) {
      await begin(page, game, seats);
      check(await fits(), game, "is too wide");
      await shot(page, `${game}-phone-ko`);
    }
    await at(page, "lang").click();
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await page.context().close();
  },
};

browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
let passed = 0, failed = 0;
await server.start();
for (const [name, test] of Object.entries(tests)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const start = Date.now();
  try {
    await test();
    check(complaints.length === 0, "complaints:", complaints);
    passed++;
    console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack}`);
    for (const context of browser.contexts())
      for (const page of context.pages())
        await page.screenshot({ path: join(tmpdir(), `malpan-failed-${failed}.png`) }).catch(() => {});
  }
  complaints.length = 0;
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
const code = await server.stop("SIGTERM");
if (code !== 0) {
  failed++;
  console.log(`FAILED  the server ended with ${code}`);
}
rmSync(server.data, { recursive: true });
console.log(`browser: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
