// What the page looks like: everything needed to play is in the window at every size, text fits and can
// be read, in both languages and themes.

import { at, begin, check, checkWords, clickStep, finish, GAMES, isSlow, lobby, make, open, ready, server, shot, SIZES } from "./harness.mjs";

const SEATS = { dice: ["here"] };
const SHORT = { yut: "--pieces 2", valley: "--soldiers 1" }; // rules of games that end soon

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
  // Texts beside each other, each as large as its lines.
  const words = [...document.querySelectorAll("main *")].filter((one) => seen(one) && !one.closest(".board, .callout, svg, select, textarea") && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
  const areas = words.map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [one, range.getBoundingClientRect()];
  }).filter(([one, area]) => {
    // What is scrolled out of its list is not seen.
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === "visible") continue;
      const frame = at.getBoundingClientRect();
      if (area.top < frame.top - 1 || area.bottom > frame.bottom + 1) return false;
    }
    return area.width > 0;
  });
  for (let i = 0; i < areas.length; i++) for (let j = i + 1; j < areas.length; j++) {
    const [[one, a], [other, b]] = [areas[i], areas[j]];
    if (one.contains(other) || other.contains(one)) continue;
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) found.push(`on each other: ${one.textContent.slice(0, 30)} / ${other.textContent.slice(0, 30)}`);
  }
  const texts = [...document.querySelectorAll(".board text")].filter((one) => seen(one) && one.textContent.trim() && !one.closest(".route, .arrow"));
  const boxes = texts.map((one) => [one, one.getBoundingClientRect()]);
  const root = document.querySelector(".board svg")?.getBoundingClientRect();
  for (const [one, area] of boxes)
    if (root && (area.left < root.left - 1 || area.right > root.right + 1)) found.push(`outside the board: ${one.textContent}`);
  for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
    const [[one, a], [other, b]] = [boxes[i], boxes[j]];
    if (one.closest(".token") || other.closest(".token")) continue;
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1.5 && high > Math.min(a.height, b.height) * 0.4) found.push(`overlap: ${one.textContent} / ${other.textContent}`);
  }
  // A piece covers the name of its square, but no other text.
  const pieces = [...document.querySelectorAll(".board .token .body, .board .token .shape")].map((one) => one.getBoundingClientRect());
  for (const [one, a] of boxes) {
    if (one.closest(".token, .station, .results, .trap")) continue;
    if (pieces.some((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3 * a.height)) found.push(`covered by a piece: ${one.textContent}`);
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
  const note = (one, colors, backs) => {
    const contrast = Math.min(...backs.map((back) => {
      const [a, b] = [light(over(colors, back)), light(back)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    }));
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)}: ${one.textContent.trim().slice(0, 30)} (${one.getAttribute("class") ?? one.localName})`);
  };
  // In a drawing, behind a text is what was drawn before it in its middle. Shadings have several colours.
  const everywhere = new CSSStyleSheet();
  everywhere.replaceSync("svg, svg * { pointer-events: all !important; }");
  document.adoptedStyleSheets.push(everywhere);
  const fillOf = (one, background = false) => {
    const style = getComputedStyle(one);
    let share = background ? 1 : Number(style.fillOpacity);
    for (let at = one; at && at.localName !== "main"; at = at.parentElement) share *= Number(getComputedStyle(at).opacity);
    const paint = background ? style.backgroundColor : style.fill;
    const paints = paint.startsWith("url") ? [...document.querySelector(paint.match(/#[\w-]+/)[0]).children].map((stop) => getComputedStyle(stop).stopColor) : [paint];
    return paint === "none" ? [] : paints.map(rgba).map(([r, g, b, a]) => [r, g, b, a * share]);
  };
  for (const one of document.querySelectorAll("svg text")) {
    const { left, top, width, height } = one.getBoundingClientRect(), at = [left + width / 2, top + height / 2];
    const all = one.textContent.trim() && one.checkVisibility() ? document.elementsFromPoint(...at) : [];
    if (!all.includes(one) || one.closest("dialog")) continue; // it is not in the window, or something lies on it
    let backs = [rgba(getComputedStyle(document.body).backgroundColor)];
    for (const shape of all.slice(all.indexOf(one) + 1).reverse()) {
      const colors = shape.closest("svg") ? (shape.localName === "svg" || shape.localName === "text" ? [] : fillOf(shape)) : fillOf(shape, true);
      if (colors.length) backs = backs.flatMap((back) => colors.map((color) => over(color, back)));
    }
    note(one, fillOf(one)[0], backs);
  }
  document.adoptedStyleSheets.pop();
  for (const one of document.querySelectorAll("body *")) {
    const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !one.checkVisibility() || one.closest("svg, .unseen, button:disabled, .eval-bar, noscript, script, style")) continue;
    const style = getComputedStyle(one), back = backOf(one);
    note(one, rgba(style.color), [back]);
  }
  return [...new Set(faint)];
};

// English words among Korean ones, beside names, kinds of files and what is typed.
const findEnglish = () => [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && !one.closest("code, pre, kbd, [lang], script, style, noscript"))
  .flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3).flatMap((node) => node.data.match(/[A-Za-z]{3,}/g) ?? []))
  .filter((word) => !["SVG", "PNG"].includes(word));

async function checkLook(page, what) {
  await checkWords(page);
  const english = await page.evaluate(() => document.documentElement.lang === "ko") ? await page.evaluate(findEnglish) : [];
  check(english.length === 0, what, "English in Korean:", english);
  const clashes = await page.evaluate(findClashes);
  check(clashes.length === 0, what, clashes);
  const faint = await page.evaluate(findFaint);
  check(faint.length === 0, what, "too faint:", faint);
}

export const tests = {
  async "board, status and throw button are in the window at every size and step"() {
    for (const [number, [name, [width, height]]] of Object.entries(SIZES).entries()) {
      const page = await open({ viewport: { width, height } });
      for (const [i, game] of GAMES.entries()) {
        // In the quick run every game is played to its end at one size, and begun at the others.
        const isWhole = isSlow || i === number, most = isWhole ? 400 : 7;
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
        check(!isWhole || seen.isOver || game === "valley", game, "does not end");
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
          // With everything unfolded that asks the server for nothing.
          await page.evaluate(() => document.querySelectorAll('details:not([data-test="explorer"])').forEach((one) => { one.open = true; }));
          await checkLook(page, `${screen} ${game} ${what}`);
          check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), screen, game, what, "is too wide");
        }
        await make(page, game, SEATS[game] ?? ["here", "here"], { rules: SHORT[game] ?? "" });
        for (let i = 0; i < 2; i++) await clickStep(page);
        await page.keyboard.press("h");
        await checkLook(page, `play ${game} ${what}`);
        await shot(page, `${game}-${size}-${locale.slice(0, 2)}`);
        await finish(page);
        await at(page, "open-review").waitFor();
        await page.waitForFunction(() => !/살펴보는|Looking/.test(document.querySelector('[data-test="story"]').textContent));
        await checkLook(page, `end of ${game} ${what}`);
        await shot(page, `${game}-end-${size}-${locale.slice(0, 2)}`);
        await at(page, "open-review").click();
        await at(page, "review").waitFor();
        await checkLook(page, `review of ${game} ${what}`);
        await shot(page, `${game}-review-${size}-${locale.slice(0, 2)}`);
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

  async "whatever is wrong with rules or positions is told in Korean"() {
    const page = await open();
    page.mayFail = true;
    await lobby(page);
    const { english, count } = await page.evaluate(async () => {
      const { inKorean } = await import("/errors.js");
      const { games } = await (await fetch("/api/games")).json();
      const english = new Set();
      let count = 0, state = 7;
      const draw = (below) => { state = (state * 1103515245 + 12345) % 2147483648; return state % below; };
      const ask = async (query) => {
        const reply = await fetch(`/api/position?${new URLSearchParams(query)}`);
        if (reply.ok) return;
        const { error } = await reply.json(), words = error.message_ko ?? inKorean(error.message);
        count++;
        if (!words || /쓸 수 없는 값입니다$/.test(words)) english.add(`${error.message} => ${words}`);
      };
      for (const game of games) {
        const positions = [game.start, ...(game.examples ?? []).map(({ position }) => position)], junk = ["x", "-", "99", ",", " ", "/", "7", "mo", ""];
        for (let i = 0; i < 60; i++) {
          const position = positions[draw(positions.length)], at = draw(position.length + 1);
          await ask({ game: game.name, position: position.slice(0, at) + junk[draw(junk.length)] + position.slice(at + draw(3)) });
        }
        for (const { name } of game.options) for (const value of ["x", "-1", "99999", ""]) await ask({ game: game.name, rules: `--${name} ${value}` });
        for (const rules of ["nonsense", "--nonsense 3"]) await ask({ game: game.name, rules });
      }
      return { english: [...english], count };
    });
    check(count > 200, "only", count, "errors were tried");
    check(english.length === 0, "not in Korean:", english);
    await page.goto(`${server.address}#/play/nothing`);
    await page.waitForFunction(() => /no such game/.test(document.querySelector("main").textContent));
    page.mayFail = false;
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
