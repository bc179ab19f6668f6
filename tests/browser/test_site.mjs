// The page without a server: games are kept, work can be stopped, and it opens without a network.

import { at, begin, check, clickStep, isOver, lobby, make, nextStep, open, PATIENCE, playByClicks, ready, server, stepCount } from "./harness.mjs";

const ask = (page, address) => page.evaluate(async (path) => {
  const reply = await fetch(path);
  return { status: reply.status, json: await reply.json() };
}, address);

export const tests = {
  async "the site says what needs a server"() {
    const page = await open();
    await lobby(page);
    await at(page, "game-race").click();
    await at(page, "needs-server").waitFor();
    check(await at(page, "with-link").count() === 0, "a game by link is offered");
    await page.goto(`${server.address}#/play/${"A".repeat(22)}/${"B".repeat(22)}`);
    await page.waitForFunction(() => /needs a server/.test(document.querySelector('[data-test="error"]').textContent));
    await page.context().close();
  },

  async "games are stored after every move, for every page of the browser"() {
    const page = await open();
    await begin(page, "box", ["here", "here"]);
    for (let i = 0; i < 3; i++) await clickStep(page);
    const before = await page.evaluate(stepCount);
    await page.reload();
    await at(page, "board").waitFor();
    check(await page.evaluate(stepCount) === before, "a reload loses steps");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await at(other, "board").waitFor();
    await clickStep(other);
    await page.waitForFunction((count) => document.querySelectorAll('[data-test="steps"] > li').length > count, before);
    await page.bringToFront();
    await playByClicks(page);
    await other.bringToFront();
    await other.waitForFunction(() => document.body.dataset.over === "1");
    check(await isOver(page) && await page.evaluate(stepCount) === await other.evaluate(stepCount), "the pages differ");
    await page.context().close();
  },

  async "copies of the record do not stop a computer in its turn"() {
    const page = await open();
    const id = await make(page, "box", ["here", "computer:random"]);
    await page.evaluate((path) => { setInterval(() => fetch(path), 10); }, `/api/games/${id}/record`);
    await playByClicks(page);
    check(await isOver(page), "the game is not over");
    await page.context().close();
  },

  async "a search is stopped, and the game goes on"() {
    const page = await open();
    const id = await make(page, "race", ["here", "here"]);
    await clickStep(page);
    const { status, code } = await page.evaluate(async () => {
      const { localFetch, stopWork } = await import("/local.js");
      const solving = localFetch("/api/eval?game=yut&rules=--pieces%202");
      const behind = localFetch("/api/games");
      setTimeout(stopWork, 300);
      const reply = await solving;
      const { games } = await (await behind).json();
      return { status: reply.status, code: games.length === 5 && (await reply.json()).error.code };
    });
    check(status === 503 && code === "unavailable", "it was not stopped:", status, code);
    check((await ask(page, `/api/games/${id}`)).json.number === 1, "the game is not intact");
    await playByClicks(page);
    await page.context().close();
  },

  // Everything is kept on the first visit.
  async "the site opens and plays without a network"() {
    const page = await open({ serviceWorkers: "allow" });
    await lobby(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => (await caches.match("malpan.wasm")) && (await caches.match("guide_yut.js")), null, { timeout: PATIENCE });
    page.mayFail = true;
    await server.stop();
    try {
      await page.goto(server.address);
      await ready(page);
      await begin(page, "box", ["here", "computer:random"]);
      check(await nextStep(page) !== null, "there is nothing to do");
      await clickStep(page);
    } finally {
      await server.start();
    }
    await page.context().close();
  },
};
