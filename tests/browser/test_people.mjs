// Several people in one game: names, presence, seats, watchers, taking back.

import { at, begin, check, isOver, open, server, shot, stepCount } from "./harness.mjs";

// Reads a QR code by the standard: format, mask, zigzag, blocks; only for codes of one or two equal
// blocks, as links have. `modules` are rows of booleans.
function readCode(modules) {
  const size = modules.length, version = (size - 17) / 4;
  const blocks = { 3: [1, 44, 26], 4: [2, 32, 18], 5: [2, 43, 24], 6: [4, 27, 16], 7: [4, 31, 18] }[version];
  const marks = { 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38] }[version];
  const bits = [0, 1, 2, 3, 4, 5].map((x) => modules[8][x]).concat(modules[8][7], modules[8][8], modules[7][8]);
  const format = bits.slice(0, 5).reduce((value, bit) => value * 2 + Number(bit), 0) ^ 0b10101;
  check(format >> 3 === 0, "not level M:", format);
  const mask = [(x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => ((y >> 1) + Math.floor(x / 3)) % 2,
    (x, y) => ((x * y) % 2) + ((x * y) % 3), (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2][format & 7];
  const isFixed = (x, y) => (x < 9 && y < 9) || (x < 9 && y >= size - 8) || (x >= size - 8 && y < 9) || x === 6 || y === 6
    || (version > 6 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11)))
    || marks.some((cx) => marks.some((cy) => Math.abs(x - cx) < 3 && Math.abs(y - cy) < 3 && !(cx === 6 && cy === 6) && !(cx === 6 && cy === size - 7) && !(cx === size - 7 && cy === 6)));
  const data = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let i = 0; i < size; i++) for (const x of [right, right - 1]) {
      const y = isUp ? size - 1 - i : i;
      if (!isFixed(x, y)) data.push(Number(modules[y][x]) ^ Number(mask(x, y) === 0));
    }
    isUp = !isUp;
  }
  const words = Array.from({ length: data.length >> 3 }, (_, i) => data.slice(8 * i, 8 * i + 8).reduce((value, bit) => value * 2 + bit, 0));
  const [count, length, extra] = blocks;
  const whole = Array.from({ length: count }, (_, block) => [...Array.from({ length }, (_, i) => words[i * count + block]), ...Array.from({ length: extra }, (_, i) => words[count * length + i * count + block])]);
  // Every block is a multiple of the generator: it vanishes at the powers of two.
  const times = (a, b) => { let product = 0; for (let x = a, y = b; y; y >>= 1, x = (x << 1) ^ (x & 128 ? 0x11d : 0)) if (y & 1) product ^= x; return product; };
  for (let i = 0, root = 1; i < extra; i++, root = times(root, 2))
    for (const block of whole) check(block.reduce((sum, word) => times(sum, root) ^ word, 0) === 0, "an error in the code");
  const text = whole.flatMap((block) => block.slice(0, length)), used = ((text[0] & 15) << 4) | (text[1] >> 4);
  check(text[0] >> 4 === 4, "not byte mode");
  return Buffer.from(Array.from({ length: used }, (_, i) => ((text[i + 1] & 15) << 4) | (text[i + 2] >> 4))).toString();
}

export const tests = {
  async "two named players and a watcher see who is there"() {
    const ada = await open({ settings: { name: "Ada" } }), ben = await open({ settings: { name: "벤" } }), watcher = await open(), late = await open();
    await begin(ada, "valley", ["here", "link"]);
    const link = await at(ada, "seat-link-1").inputValue();
    check(await at(ada, "loopback").count() === 1, "it is not said that the links only work here");
    const modules = await ada.evaluate(async (text) => (await import("/qr.js")).encode(text), link);
    check(readCode(modules) === link, "the code says", readCode(modules));
    check(await at(ada, "qr").count() === 1, "no code is shown");
    await at(ada, "invite-1").click();
    check(await at(ada, "invite-link").inputValue() === link && await at(ada, "invitation").locator(".qr").isVisible(), "the invitation has another link");
    await at(ada, "dialog-close").click();
    await ben.goto(link);
    await at(ben, "board").waitFor();
    await watcher.goto(`${server.address}#/watch/${ada.url().match(/play\/([^/]+)/)[1]}`);
    for (const page of [ada, ben, watcher]) {
      await page.waitForFunction(() => /Ada/.test(document.querySelector('[data-test="seat-0"]')?.textContent) && /벤/.test(document.querySelector('[data-test="seat-1"]')?.textContent));
      await page.waitForFunction(() => document.querySelector('[data-test="seat-0"]').dataset.state === "here" && document.querySelector('[data-test="seat-1"]').dataset.state === "here");
    }
    check(await at(ada, "invite-1").count() === 0, "a seat that is taken can be offered");
    await ada.waitForFunction(() => /1 watching/.test(document.querySelector('[data-test="watchers"]').textContent));
    // The link is used up: the next browser is told, and may watch.
    late.mayFail = true;
    await late.goto(link);
    await late.waitForFunction(() => /already taken/.test(document.querySelector('[data-test="error"]').textContent));
    late.mayFail = false;
    await at(late, "watch-instead").click();
    await at(late, "board").waitFor();
    await at(ada, "move").nth(3).click();
    await watcher.waitForFunction(() => /벤/.test(document.querySelector('[data-test="status"]').textContent));
    await shot(watcher, "watching");
    await ben.context().close();
    // A lost connection is noticed when something is sent to it.
    for (const name of ["Ada L.", "Ada"]) await ada.evaluate((text) => fetch(`/api/games/${location.hash.match(/play\/([^/]+)/)[1]}/name`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: text }) }), name);
    await ada.waitForFunction(() => document.querySelector('[data-test="seat-1"]').dataset.state === "away");
  },

  async "undo is asked for, and declined"() {
    const owner = await open(), guest = await open();
    await begin(owner, "valley", ["here", "link"]);
    await guest.goto(await at(owner, "seat-link-1").inputValue());
    await at(owner, "move").first().click();
    await at(guest, "move").first().click();
    await at(owner, "move").first().waitFor();
    await at(owner, "undo").click();
    await at(guest, "undo-decline").click();
    await owner.waitForFunction(() => /declined/.test(document.querySelector('[data-test="toast"]').textContent));
    check(await owner.evaluate(stepCount) === 3, "a move was taken back");
    check(await at(owner, "undo-withdraw").count() === 0, "the request stands");
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
    check(/^Your move, /.test(await owner.title()), "the title does not say whose turn it is:", await owner.title());
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
    const [answer] = await Promise.all([second.waitForResponse(/\/moves(\?|$)/), at(second, "move").nth(1).click()]);
    check(answer.status() === 409, "it was answered with", answer.status());
    await second.waitForFunction((old) => document.querySelectorAll('[data-test="steps"] > li').length === 2 &&
      document.querySelector('[data-test="move"]').dataset.move !== old, moves[0]);
    await first.context().close();
  },

  async "a button that is pressed while somebody joins is not lost"() {
    const owner = await open(), guest = await open();
    await begin(owner, "valley", ["here", "link"]);
    const link = await at(owner, "seat-link-1").inputValue();
    await at(owner, "move").first().hover();
    await owner.mouse.down();
    await guest.goto(link);
    await owner.waitForFunction(() => !document.querySelector('[data-test="seat-link-1"]'));
    await owner.mouse.up();
    await at(guest, "move").first().waitFor();
    for (const page of [owner, guest]) await page.context().close();
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
};
