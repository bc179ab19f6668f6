// What the page looks like: everything needed to play is in the window at every size, text fits and can
// be read, in both languages and themes.

import { at, begin, check, checkWords, clickStep, GAMES, isSlow, lobby, make, open, ready, server, shot, SIZES } from "./harness.mjs";

const SEATS = { dice: ["here"] };

// Runs in the page: what is not in the window, without scrolling, though it must be. Board and status
// always are there, and what else is shown to act with: the button to throw, the one that closes tiles,
// the choice of moves, the end. Then makes the next step, if any, and says where the board is.
const seeAndStep = () => {
  const place = (one) => {
    const area = one.getBoundingClientRect();
    if (!one.checkVisibility() || area.width === 0) return null;
    return area.left >= -1 && area.top >= -1 && area.right <= innerWidth + 1 && area.bottom <= innerHeight + 1;
  };
  const all = (name) => [...document.querySelectorAll(`[data-test="${name}"]`)];
  const isOver = document.body.dataset.over === "1", mayThrow = all("throw").some((one) => !one.disabled);
  const needed = ["board", "status", "hint", ...(isOver ? ["ending", "open-review"] : mayThrow ? ["throw"] : [])];
  const outside = [...needed.filter((name) => !all(name).some((one) => place(one))), ...["throw", "close", "choice", "tray"].filter((name) => all(name).some((one) => place(one) === false))];
  if (scrollY !== 0 || document.documentElement.scrollWidth > innerWidth) outside.push("the page is too wide, or scrolled");
  const [bar, board] = ["eval-bar", "board"].map((name) => all(name)[0]?.getBoundingClientRect());
  if (bar && Math.abs(Math.max(bar.width, bar.height) - (bar.width > bar.height ? board.width : board.height)) > 1) outside.push("the bar is not as long as the board");
  const before = JSON.stringify(board);
  // By the list, by script: only the window counts here.
  const count = document.querySelectorAll('[data-test="steps"] > li').length, moves = all("move");
  const next = all("throw").find((one) => !one.disabled) ?? moves[count ** 2 % Math.max(1, moves.length)];
  if (!isOver) next?.click();
  return { outside, isOver, board: before, count, hasActed: Boolean(next) };
};

// Texts that are cut off, and texts that lie on each other. SVG text on one square may overlap pieces,
// which are no text.
const findClashes = () => {
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !one.closest(".unseen, dialog, pre");
  const found = [];
  for (const one of document.querySelectorAll("button, a, .who, .status span, h1, h2, p, label, summary")) {
    if (!seen(one) || one.closest(".board")) continue;
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible" && !one.title && getComputedStyle(one).textOverflow !== "ellipsis") found.push(`cut off: ${one.textContent.slice(0, 40)}`);
    if (one.scrollWidth > one.clientWidth + 2 && ["BUTTON", "A"].includes(one.tagName)) found.push(`too narrow: ${one.textContent.slice(0, 40)}`);
  }
  const texts = [...document.querySelectorAll(".board text")].filter((one) => seen(one) && one.textContent.trim() && !one.closest(".route, .arrow"));
  const boxes = texts.map((one) => [one, one.getBoundingClientRect()]);
  const root = document.querySelector(".board svg")?.getBoundingClientRect();
  for (const [one, area] of boxes)
    if (root && (area.left < root.left - 1 || area.right > root.right + 1)) found.push(`outside the board: ${one.textContent}`);
  for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
    const [[one, a], [other, b]] = [boxes[i], boxes[j]];
    if (one.closest(".token") || other.closest(".token")) continue; // a piece covers the name of its square
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1.5 && high > Math.min(a.height, b.height) * 0.4) found.push(`overlap: ${one.textContent} / ${other.textContent}`);
  }
  return [...new Set(found)];
};

// The contrast of every text with what is behind it, by the definition of WCAG.
const findFaint = () => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  canvas.canvas.width = canvas.canvas.height = 1;
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }).reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const over = ([r, g, b, a], [r2, g2, b2]) => [r * a + r2 * (1 - a), g * a + g2 * (1 - a), b * a + b2 * (1 - a)];
  const backOf = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const layer = rgba(getComputedStyle(at).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((back, layer) => over(layer, back), rgba(getComputedStyle(document.body).backgroundColor));
  };
  const faint = [];
  for (const one of document.querySelectorAll("body *")) {
    const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !one.checkVisibility() || one.closest("svg, .unseen, button:disabled, .eval-bar, noscript, script, style")) continue;
    const style = getComputedStyle(one), back = backOf(one);
    const [a, b] = [light(over(rgba(style.color), back)), light(back)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)}: ${one.textContent.trim().slice(0, 30)} (${style.color})`);
  }
  return [...new Set(faint)];
};

async function checkLook(page, what) {
  await checkWords(page);
  const clashes = await page.evaluate(findClashes);
  check(clashes.length === 0, what, clashes);
  const faint = await page.evaluate(findFaint);
  check(faint.length === 0, what, "too faint:", faint);
}

export const tests = {
  async "board, status and throw button are in the window at every size and step"() {
    // Every step of every game is left to the slow run.
    const most = isSlow ? 400 : 7;
    for (const [name, [width, height]] of Object.entries(SIZES)) {
      const page = await open({ viewport: { width, height } });
      for (const game of GAMES) {
        await make(page, game, SEATS[game] ?? ["here", "here"], { rules: { yut: isSlow ? "--pieces 2" : "--pieces 1", valley: "--soldiers 1" }[game] ?? "" });
        let before = null, seen = null;
        for (let i = 0; i < most; i++) {
          seen = await page.evaluate(seeAndStep);
          check(seen.outside.length === 0, `${game} at ${name}, step ${i}, outside the window:`, seen.outside);
          check(seen.isOver || !before || seen.board === before, game, "at", name, "jumps at step", i);
          if (seen.isOver) break;
          before ??= seen.board;
          if (seen.hasActed) await page.waitForFunction((count) => document.body.dataset.over === "1" || document.querySelectorAll('[data-test="steps"] > li').length > count, seen.count);
        }
        check(!isSlow || seen.isOver || game === "valley", game, "does not end");
        await shot(page, `${game}-${name}`);
      }
      await page.context().close();
    }
  },

  async "no text is cut off, covered or faint, in either language and theme"() {
    const some = [["en-US", "light", "laptop"], ["ko-KR", "dark", "phone"], ["ko-KR", "light", "small"], ["en-US", "dark", "landscape"]];
    const all = Object.keys(SIZES).flatMap((size) => ["en-US", "ko-KR"].flatMap((locale) => ["light", "dark"].map((theme) => [locale, theme, size])));
    for (const [number, [locale, colorScheme, size]] of (isSlow ? all : some).entries()) {
      const [width, height] = SIZES[size], what = `${locale} ${colorScheme} ${size}`;
      const page = await open({ locale, colorScheme, viewport: { width, height }, reducedMotion: "reduce" });
      await lobby(page);
      await checkLook(page, `lobby ${what}`);
      await shot(page, `lobby-${size}-${locale.slice(0, 2)}`);
      // In the quick run every combination sees other games.
      for (const game of isSlow ? GAMES : GAMES.filter((_, i) => (i + number) % 2 === 0)) {
        for (const screen of ["new", "rules", "lesson", "board"]) {
          await page.goto(`${server.address}#/${screen}/${game}`);
          await page.locator('[data-test="setup"], [data-test="rule"], [data-test="lesson-text"], [data-test="value"]').first().waitFor();
          await checkLook(page, `${screen} ${game} ${what}`);
          check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), screen, game, what, "is too wide");
        }
        await make(page, game, SEATS[game] ?? ["here", "here"]);
        for (let i = 0; i < 2; i++) await clickStep(page);
        await page.keyboard.press("h");
        await checkLook(page, `play ${game} ${what}`);
        await shot(page, `${game}-${size}-${locale.slice(0, 2)}`);
      }
      await at(page, "settings").click();
      await at(page, "settings-dialog").waitFor();
      await checkLook(page, `settings ${what}`);
      await page.context().close();
    }
  },

  async "light or dark by choice, and Korean"() {
    const page = await open({ locale: "ko-KR", colorScheme: "dark" });
    await lobby(page);
    check(/윷놀이/.test(await page.textContent("main")), "not in Korean");
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await back();
    await at(page, "settings").click();
    await at(page, "theme-light").click();
    check(await back() !== dark, "the theme does not change");
    await at(page, "dialog-close").click();
    await page.reload();
    await ready(page);
    check(await back() !== dark, "the theme is forgotten");
    // What the server only says in English is told in Korean, too.
    page.mayFail = true;
    for (const [game, position] of [["yut", "9/4 7 -"], ["box", "13 0 - 40"], ["valley", "sskss/5/5/5/SSSSS w 1"], ["dice", "0,0 0"]]) {
      await page.goto(`${server.address}#/board/${game}?position=${encodeURIComponent(position)}`);
      await page.waitForFunction(() => document.querySelector('[data-test="position-error"]')?.textContent);
      const words = await at(page, "position-error").textContent();
      check(/[가-힣]/.test(words) && !/[a-z]{3}/.test(words), game, "explains in English:", words);
      await lobby(page);
    }
    page.mayFail = false;
    await begin(page, "valley", ["here", "here"]);
    await at(page, "lang").click();
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await page.context().close();
  },

  async "a wrong address has a page, and the page can be installed"() {
    const page = await open({ serviceWorkers: "allow" });
    page.mayFail = true;
    const reply = await page.goto(`${server.address}nowhere`);
    check(reply.status() === 404 && /no such page/i.test(await page.textContent("main")), "no page for a wrong address");
    page.mayFail = false;
    await lobby(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await ready(page);
    await page.waitForFunction(async () => (await caches.match("/main.js")) && (await caches.match("/")));
    page.mayFail = true;
    await page.context().setOffline(true);
    await page.reload();
    await at(page, "game-valley").waitFor();
    await page.context().close();
  },
};
