// The page and its server: reloads, kills, restarts, damaged tables, records.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, begin, check, checkWords, clickStep, isOver, lobby, nextStep, open, PATIENCE, playByClicks, server, stepCount } from "./harness.mjs";

export const tests = {
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

  async "a restart of the server needs no reload"() {
    const player = await open(), watcher = await open(), pages = [player, watcher];
    await begin(player, "box", ["here", "computer:random"]);
    await lobby(watcher);
    await watcher.goto(player.url());
    await at(watcher, "board").waitFor();
    const notice = (isLost) => (document.querySelector('[data-test="error"]').textContent !== "") === isLost;
    const wait = (condition, argument) => Promise.all(pages.map((page) => page.waitForFunction(condition, argument)));
    for (const page of pages) {
      page.mayFail = true;
      await page.evaluate(() => { window.isSamePage = true; });
    }
    for (let i = 0; i < 2; i++) {
      await clickStep(player);
      const port = server.port;
      check(await server.stop("SIGTERM") === 0, "the server failed");
      await wait(notice, true);
      await server.start();
      check(server.port === port, "the server is elsewhere");
      await wait(notice, false);
      await nextStep(player);
      const before = await player.evaluate(stepCount);
      while (await player.evaluate(stepCount) <= before && await clickStep(player));
      await wait((count) => document.querySelectorAll('[data-test="steps"] > li').length > count || document.body.dataset.over === "1", before);
    }
    await playByClicks(player);
    await wait(() => document.body.dataset.over === "1");
    const counts = await Promise.all(pages.map((page) => page.evaluate(stepCount)));
    check(counts[0] === counts[1], "the pages differ:", counts);
    for (const page of pages) {
      check(await page.evaluate(() => window.isSamePage), "a page was loaded again");
      await page.context().close();
    }
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
      const next = page.locator(`[data-test="throw"]:not(:disabled), [data-test="move"]`).first();
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
};
