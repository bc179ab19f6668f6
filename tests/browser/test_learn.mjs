// Learning: sheets of rules, lessons, a review with a planted mistake, the notebook.

import { at, check, checkWords, GAMES, lobby, make, middleOf, open, ready, server, shot } from "./harness.mjs";

export const tests = {
  async "every game has a sheet of rules"() {
    const page = await open();
    await lobby(page);
    for (const locale of ["en", "ko"]) {
      for (const game of GAMES) {
        await page.goto(`${server.address}#/rules/${game}`);
        await at(page, "rule").first().waitFor();
        check(await at(page, "rule").locator("svg").count() >= 2, game, "has no pictures");
        const text = await page.locator("main").textContent();
        check(locale === "en" || !/[a-z]{4,}/.test(text.replace(/[a-e][1-5]/g, "")), game, "English in Korean:", text);
        await checkWords(page);
      }
      if (locale === "en") await at(page, "lang").click();
    }
    await page.context().close();
  },

  async "every game has a lesson that can be passed"() {
    const page = await open({ settings: { sound: false } });
    await lobby(page);
    for (const game of GAMES) {
      await page.goto(`${server.address}#/lesson/${game}`);
      await at(page, "lesson-text").waitFor();
      const goals = await page.evaluate(async (name) => (await import(`/guide_${name}.js`)).lesson.map((step) => step.goal), game);
      for (const [number, goal] of goals.entries()) {
        if (goal === "throw") await at(page, "throw").click();
        else {
          // A wrong try first, where there is one, then the right move: both by keys.
          await page.waitForFunction(() => document.activeElement.dataset.test === "board");
          for (let i = 0; i < 40 && !(await page.evaluate(() => /✓/.test(document.querySelector('[data-test="lesson-text"]').textContent))); i++) {
            for (let k = 0; k <= i; k++) await page.keyboard.press("ArrowRight");
            await page.keyboard.press("Enter");
          }
        }
        await page.waitForFunction(() => /✓/.test(document.querySelector('[data-test="lesson-text"]').textContent));
        if (number + 1 < goals.length) await at(page, "lesson-next").click();
      }
      await at(page, "lesson-play").waitFor();
    }
    await shot(page, "lesson");
    await page.context().close();
  },

  async "a review with a planted mistake, tried again, and kept in the notebook"() {
    const page = await open();
    // White plays best but for one move that changes the outcome; after it, black plays worst.
    const id = await make(page, "valley", ["here", "here"], { rules: "--soldiers 1", position: null });
    const moves = await page.evaluate(async (game) => {
      const list = [];
      let state = await (await fetch(`/api/games/${game}`)).json();
      for (let i = 0; i < 40 && !state.over; i++) {
        const seen = await (await fetch(`/api/eval?game=valley&rules=${encodeURIComponent(state.rules_text)}&position=${encodeURIComponent(state.now.position)}`)).json();
        const worse = seen.moves.find((one) => one.outcome && one.outcome !== seen.outcome);
        const isPlanted = list.planted !== undefined;
        const move = !isPlanted && worse && seen.player === 0 ? worse : isPlanted && seen.player === 1 ? seen.moves.at(-1) : seen.moves[0];
        if (move === worse && worse) list.planted = i;
        list.push(move.move);
        state = await (await fetch(`/api/games/${game}/moves`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ number: i, move: move.move }) })).json();
      }
      return { planted: list.planted ?? null, over: state.over, moves: [...list] };
    }, id);
    check(moves.planted !== null, "no mistake could be planted:", moves);
    check(moves.over, "the game does not end:", moves);
    await at(page, "open-review").click();
    await at(page, "next-mistake").waitFor();
    await page.waitForFunction((step) => document.querySelector('[data-test="status"]').textContent.startsWith(`Step ${step + 1} `), moves.planted);
    check(/mistake|blunder/.test(await at(page, "verdict").textContent()), "the mistake is not called one");
    await page.waitForFunction(() => document.querySelectorAll('[data-test="arrow"]').length === 2);
    await shot(page, "review");
    await at(page, "try-again").click();
    await at(page, "show-answer").waitFor();
    const [best, bad] = await page.evaluate(async ([game, number]) => {
      const state = await (await fetch(`/api/games/${game}`)).json();
      const seen = await (await fetch(`/api/eval?game=valley&rules=${encodeURIComponent(state.rules_text)}&position=${encodeURIComponent(number ? state.steps[number - 1].position : state.start)}`)).json();
      return [seen.moves[0].move, state.steps[number].move];
    }, [id, moves.planted]);
    for (const move of [bad, best]) {
      await page.mouse.click(...await middleOf(page, move.slice(0, 2)));
      await page.mouse.click(...await middleOf(page, move.slice(2)));
      await page.waitForFunction((mark) => document.querySelector('[data-test="try-result"]').textContent.startsWith(mark), move === best ? "✓" : "✗");
    }
    await page.keyboard.press("n");
    await at(page, "leave-review").click();
    await page.goto(`${server.address}#/notebook`);
    await at(page, "notebook-text").waitFor();
    const notes = () => page.evaluate(() => JSON.parse(localStorage.getItem("malpan.notes")).filter((note) => !note.solved));
    for (let left = (await notes()).length; left > 0; left--) {
      const [note] = await notes();
      await page.mouse.click(...await middleOf(page, note.best.slice(0, 2)));
      await page.mouse.click(...await middleOf(page, note.best.slice(2)));
      await page.waitForFunction(() => document.querySelector('[data-test="try-result"]').textContent.startsWith("✓"));
      check((await notes()).length === left - 1, "the position is not solved");
      await page.reload();
      await ready(page);
    }
    await at(page, "notebook-empty").waitFor();
    await page.context().close();
  },

  async "luck and mistakes add up to the result"() {
    const page = await open();
    const id = await make(page, "box", ["here", "here"]);
    for (let i = 0; i < 200; i++) {
      const state = await page.evaluate(async (game) => {
        const now = await (await fetch(`/api/games/${game}`)).json();
        const body = { number: now.number, ...(now.waits?.for === "throw" ? { throw: true } : { move: now.now.moves?.at(-1)?.move }) };
        if (!now.over) await fetch(`/api/games/${game}/moves`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        return now.over;
      }, id);
      if (state) break;
    }
    await at(page, "open-review").click();
    await at(page, "sum").first().waitFor();
    check(await at(page, "callout").count() === 0, "a word about the last roll stays over the review");
    const sums = await at(page, "sum").evaluateAll((rows) => rows.map(({ dataset }) => [dataset.luck, dataset.skill, dataset.others].map(Number)));
    const review = await page.evaluate(async (game) => (await fetch(`/api/games/${game}/review`)).json(), id);
    sums.forEach((parts, seat) => {
      const { result, start } = review.players[seat], sum = parts.reduce((a, b) => a + b);
      check(Math.abs(sum - (result - start)) < 1e-6, "player", seat, ":", parts, "is not", result - start);
    });
    const losses = review.steps.filter((step) => step.player === 0).reduce((sum, step) => sum + (step.loss ?? 0), 0);
    check(Math.abs(losses + sums[0][1]) < 1e-9, "the mistakes are not the sum of the rows");
    check(/exactly/.test(await at(page, "sum-note").textContent()), "exact values are not called exact");
    await shot(page, "review-luck");
    await page.context().close();
  },
};
