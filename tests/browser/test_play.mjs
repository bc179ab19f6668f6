// Playing: every game to its end by clicks, by keys and by touch; hints, keys, house rules.

import { at, begin, check, checkWords, clickStep, isOver, lobby, nextStep, open, playByClicks, shot, stepCount, tapStep, unfold, middleOf, make, server } from "./harness.mjs";

export const tests = {
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
    check(/won|lost/.test(await at(page, "ending-title").textContent()), "nobody won");
    await page.waitForFunction(() => /luck|mistake/i.test(document.querySelector('[data-test="story"]').textContent));
    await page.locator("details", { has: at(page, "check-fair") }).locator("summary").click();
    await at(page, "check-fair").click();
    const fair = await at(page, "fair-result").textContent();
    check(/^✓/.test(fair), "the throws are not what was promised:", fair);
    await at(page, "open-review").click();
    await at(page, "chart-point").nth(1).click();
    await page.waitForFunction(() => /^Step 2 /.test(document.querySelector('[data-test="status"]').textContent));
    await shot(page, "yut-review");
    await at(page, "leave-review").click();
    await at(page, "ending").waitFor();
    await at(page, "rematch").click();
    await page.waitForFunction(() => document.body.dataset.over === "");
    await page.context().close();
  },

  async "four pieces each, with estimates that are marked"() {
    const page = await open();
    await begin(page, "yut", ["here", "here"]);
    for (let i = 0; i < 20; i++) await clickStep(page);
    while (await nextStep(page) !== "move" || await at(page, "move").count() < 3) await clickStep(page);
    for (let i = 0; i < 3; i++) await at(page, "hint").click();
    await page.waitForFunction(() => /about \d+(\.\d)?\s%/.test(document.querySelector('[data-test="moves"]').textContent));
    const value = at(page, "value").first();
    check(/about \d+(\.\d)?\s%/.test(await value.textContent()), "the value is not marked as an estimate");
    await value.locator(".num").first().click();
    check(/~0\.\d{6}/.test(await value.textContent()), "a tap does not show all digits");
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
          await page.keyboard.press(i % 2 ? " " : "t");
        } else {
          // Not always the same one: a piece could go to and fro for ever.
          for (let k = 0; k <= i * i % 7; k++) await page.keyboard.press("ArrowRight");
          await page.keyboard.press("Enter");
        }
      }
      check(await isOver(page), game, "does not end");
      await page.context().close();
    }
  },

  async "every game by touching the board of a phone"() {
    for (const [game, seats, options] of [["yut", ["here", "here"], { pieces: "1" }], ["race", ["here", "computer:normal"], {}],
      ["box", ["here", "here"], {}], ["dice", ["here"], {}], ["valley", ["here", "computer:random"], { soldiers: "1" }]]) {
      const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
      await begin(page, game, seats, options);
      const hides = await page.evaluate(() => [...document.querySelectorAll(".board .hit")].some((one) => getComputedStyle(one).fill !== "rgba(0, 0, 0, 0)"));
      check(!hides, game, "hides what can be touched");
      for (let i = 0; i < 600 && await tapStep(page, game); i++);
      check(await isOver(page), game, "does not end");
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
    check(/Your move/.test(spoken) && /Your roll/.test(spoken), "not spoken:", spoken);
    await at(page, "lang").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.lang === "ko" && document.activeElement.dataset.test === "lang");
    await page.context().close();
  },

  async "house rules: a preset shows what it stands for"() {
    const page = await open();
    await lobby(page);
    await at(page, "game-yut").click();
    await unfold(page, "rules");
    await unfold(page, "advanced");
    await at(page, "option-preset").selectOption("teams");
    await page.waitForFunction(() => document.querySelector('[data-test="option-players"]').value === "4");
    check(await at(page, "option-teams").isChecked() && await at(page, "option-preset").inputValue() === "", "the preset is not shown");
    await at(page, "seat-3-kind").waitFor({ state: "attached" });
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
    await page.keyboard.press("?");
    await page.goBack();
    await at(page, "setup").waitFor();
    check(await page.locator("dialog[open]").count() === 0, "the dialog stays over the next screen");
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
    await page.waitForFunction(() => /\d+(\.\d)?\s%/.test(document.querySelector('[data-test="moves"]').textContent));
    await at(page, "hint").click();
    await shot(page, "box");
    await page.context().close();
  },

  async "pieces are dragged, illegal clicks explain themselves, sounds are counted"() {
    const page = await open({ animation: true });
    await begin(page, "valley", ["here", "here"]);
    const drag = async (from, to) => {
      await page.mouse.move(...await middleOf(page, from));
      await page.mouse.down();
      await page.mouse.move(...await middleOf(page, to), { steps: 4 });
      await page.mouse.up();
    };
    const toast = (words) => page.waitForFunction((text) => document.querySelector('[data-test="toast"]').textContent.includes(text), words);
    await page.mouse.click(...await middleOf(page, "c1"));
    await toast("must be a soldier");
    await page.mouse.click(...await middleOf(page, "a5"));
    await toast("white's turn");
    await drag("a1", "a2");
    await toast("as far as it can");
    check(await page.evaluate(stepCount) === 1, "a piece stopped halfway");
    await drag("a1", "d4");
    await page.waitForFunction(() => document.querySelectorAll('[data-test="steps"] > li').length === 2);
    await page.waitForFunction(() => document.body.dataset.lastSound === "move");
    const sounds = Number(await page.evaluate(() => document.body.dataset.sounds));
    check(sounds === 4, "four sounds, not", sounds); // three explanations and a move
    await at(page, "mute").click();
    await page.waitForFunction(() => !document.querySelector(".flyer"));
    await drag("a5", "a1");
    await page.waitForFunction(() => document.querySelectorAll('[data-test="steps"] > li').length === 3);
    await page.waitForTimeout(700);
    check(Number(await page.evaluate(() => document.body.dataset.sounds)) === sounds, "it is not mute");
    await make(page, "yut", ["here", "here"], { rules: "--pieces 2", position: "0,9/0,12 0 back-do" });
    await page.mouse.click(...await middleOf(page, "0"));
    await toast("back-do cannot move a waiting piece");
    await page.context().close();
  },

  async "computers move one by one, and the list keeps up"() {
    const page = await open({ animation: true, settings: { pace: "fast", sound: false } });
    await make(page, "box", ["computer:random", "computer:random"]);
    const counts = [];
    for (let i = 0; i < 40; i++) {
      counts.push(await page.evaluate(stepCount));
      await page.waitForTimeout(60);
    }
    const jumps = counts.slice(1).map((count, i) => count - counts[i]);
    check(Math.max(...jumps) <= 2 && counts.at(-1) > counts[0] + 3, "not one by one:", counts);
    await page.evaluate(() => localStorage.setItem("malpan.pace", JSON.stringify("instant")));
    await page.waitForFunction(() => document.body.dataset.over === "1");
    check(await at(page, "tray").locator(".die3d").first().isVisible(), "the last roll is not shown");
    check(await at(page, "ending").locator(".die3d").count() > 0, "the last roll is not part of the end");
    await page.context().close();
  },

  async "the roll that ends a turn stays visible, and ten throws come at once"() {
    const page = await open();
    const id = await make(page, "box", ["here", "here"], { position: "1 0 - -" });
    let isBust = false;
    for (let i = 0; i < 30 && !isBust && !(await isOver(page)); i++) {
      await clickStep(page);
      const { steps, number } = await page.evaluate(async (game) => (await fetch(`/api/games/${game}`)).json(), id);
      isBust = number > 0 && steps.at(-1).actor === "chance" && /^\d+ 1/.test(steps.at(-1).position);
      if (isBust) check((await at(page, "tray").getByRole("img").getAttribute("aria-label")) === steps.at(-1).move, "the roll is not shown");
    }
    await make(page, "dice", ["here"]);
    await at(page, "throw").click();
    await at(page, "move").first().waitFor();
    check(await page.evaluate(stepCount) === 11, "not ten throws");
    await page.context().close();
  },

  async "three clicks to a game, and the setup is remembered"() {
    const page = await open();
    await lobby(page);
    await at(page, "game-valley").click();
    await at(page, "with-computer").click();
    await at(page, "start").click();
    await at(page, "board").waitFor();
    await page.waitForFunction(() => document.activeElement.dataset.test === "board");
    check(await at(page, "seat-1").getAttribute("data-state") === "machine", "no computer");
    await page.goto(`${server.address}#/new/valley`);
    await at(page, "with-here").click();
    await unfold(page, "rules");
    await at(page, "option-soldiers").selectOption("2");
    await at(page, "start").click();
    await page.waitForURL(/#\/play\//);
    await page.goto(`${server.address}#/new/valley`);
    await at(page, "with-here").waitFor();
    check(await at(page, "with-here").getAttribute("aria-pressed") === "true", "the opponent is forgotten");
    check(await at(page, "option-soldiers").inputValue() === "2", "the rules are forgotten");
    check(await at(page, "level-best").count() <= 1, "a level twice");
    await page.goto(`${server.address}#/new/yut`);
    await at(page, "level-normal").waitFor();
    const levels = await page.evaluate(async () => (await (await fetch("/api/games")).json()).players.filter((player) => player.games.includes("yut")).map((player) => player.name));
    check(levels.includes("best") || levels.includes("perfect") || await at(page, "level-best").count() === 0, "a level without its table");
    await page.context().close();
  },
};
