// The analysis board: values, variations, editing, links, pictures.

import { readFileSync } from "node:fs";
import { at, check, isSite, lobby, open, server, shot, unfold, ready, middleOf } from "./harness.mjs";

export const tests = {
  async "the analysis board"() {
    const page = await open();
    await lobby(page);
    await page.goto(`${server.address}#/board/yut?rules=${encodeURIComponent("--pieces 1")}&position=${encodeURIComponent("9/4 0 gae,yut")}`);
    await at(page, "analysis-move").first().waitFor();
    check(await at(page, "analysis-move").count() === 2, "not two moves");
    await at(page, "analysis-move").first().click();
    await page.waitForFunction(() => /&at=0$/.test(location.hash));
    await at(page, "nav-back").click();
    await page.waitForFunction(() => !/&at=/.test(location.hash));
    await unfold(page, "position-panel");
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

  async "variations survive branching, reload and the link"() {
    const page = await open();
    await lobby(page);
    await page.goto(`${server.address}#/board/valley`);
    await at(page, "analysis-move").first().waitFor();
    const play = async (move) => {
      await page.locator(`[data-test="analysis-move"][data-move="${move}"]`).click();
      await page.waitForFunction((name) => document.querySelector('[data-test="node"].here')?.dataset.move === name, move);
    };
    await play("a1d4");
    await play("a5a1");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.querySelector('[data-test="node"].here').dataset.move === "a1d4");
    await play("b5b2");
    await at(page, "comment").fill("why not? (it loses)");
    await at(page, "comment").blur();
    await page.waitForFunction(() => location.hash.includes("why"));
    const shown = () => page.evaluate(() => [...document.querySelectorAll('[data-test="node"]')].map((node) => `${node.dataset.move}${node.classList.contains("here") ? "*" : ""}`).join(" "));
    const tree = await shown();
    check(tree === " a1d4 a5a1 b5b2*", "the tree is", tree);
    check(await at(page, "branch").count() === 1, "no branch");
    await page.reload();
    await at(page, "node").nth(3).waitFor();
    check(await shown() === tree, "after a reload:", await shown());
    const other = await open();
    await other.goto(page.url());
    await at(other, "node").nth(3).waitFor();
    check(await other.textContent(".comment") === "why not? (it loses)", "the comment is lost");
    // The same link as a board in a frame of another page.
    await other.goto(page.url().replace("/#", isSite ? "/embed.html#" : "/embed#"));
    await ready(other);
    check(/why not/.test(await at(other, "status").textContent()), "no comment in the frame");
    await at(other, "nav-back").click();
    await other.waitForFunction(() => !/why not/.test(document.querySelector('[data-test="status"]').textContent));
    await at(page, "promote").click();
    await page.waitForFunction(() => document.querySelectorAll('[data-test="node"]')[2].dataset.move === "b5b2");
    await at(page, "delete-branch").click();
    await page.waitForFunction(() => document.querySelectorAll('[data-test="node"]').length === 3);
  },

  async "bar, arrows, best line, explorer and files"() {
    const page = await open();
    await lobby(page);
    await page.goto(`${server.address}#/board/valley`);
    await at(page, "best-line").waitFor();
    check(await at(page, "line-move").count() >= 5, "the best line is short");
    check(/win in 5 moves/.test(await at(page, "value").textContent()), "no outcome");
    check(await at(page, "arrow").count() === 3, "not three arrows");
    const white = await at(page, "eval-bar").locator(".p0").evaluate((part) => part.getBoundingClientRect().height / part.parentElement.getBoundingClientRect().height);
    check(white > 0.9, "the bar shows", white);
    const before = await at(page, "board").locator('[data-key="a1"]').first().boundingBox();
    await page.keyboard.press("f");
    const after = await at(page, "board").locator('[data-key="a1"]').first().boundingBox();
    check(after.y < before.y && after.x > before.x, "the board does not flip");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => /Preview 1 of \d+: .*(win|loss) in/.test(document.querySelector("#spoken").lastChild?.textContent));
    await page.keyboard.press("Escape");
    await at(page, "line-move").nth(2).click();
    await page.waitForFunction(() => document.querySelectorAll('[data-test="node"]').length === 4);
    await at(page, "share").locator("summary").click();
    const [picture] = await Promise.all([page.waitForEvent("download"), at(page, "save-svg").click()]);
    const drawn = readFileSync(await picture.path(), "utf8");
    check(drawn.startsWith("<svg") && /fill="rgb/.test(drawn) && !/class=/.test(drawn), drawn.slice(0, 200));
    const [png] = await Promise.all([page.waitForEvent("download"), at(page, "save-png").click()]);
    check(readFileSync(await png.path()).subarray(1, 4).toString() === "PNG", "not a PNG");
    // The label of a catch from the start is beside its way: the caught piece stays in sight.
    await page.goto(`${server.address}#/board/yut?position=${encodeURIComponent("0,0,0,3/0,0,1,12 0 do")}`);
    await page.waitForFunction(() => document.querySelectorAll('[data-test="board"] .tag').length === 2);
    const covered = await page.evaluate(() => [...document.querySelectorAll('[data-test="board"] .token[data-key]')].filter((token) => {
      const piece = token.getBoundingClientRect(), x = piece.x + piece.width / 2, y = piece.y + piece.height / 2;
      return [...document.querySelectorAll('[data-test="board"] .tag')].map((tag) => tag.getBoundingClientRect()).some((tag) => tag.left < x && x < tag.right && tag.top < y && y < tag.bottom);
    }).length);
    check(covered === 0, "labels of arrows cover pieces");
    for (const [game, rows] of [["yut", 6], ["box", 11]]) {
      await page.goto(`${server.address}#/board/${game}`);
      await at(page, "explorer").locator("summary").click();
      await page.waitForFunction(() => [...document.querySelectorAll('[data-test="explorer-row"] td:last-child')].every((cell) => cell.textContent !== "…"));
      const [wide, room] = await page.locator("table.explorer").evaluate((table) => [table.offsetWidth, table.parentElement.clientWidth]);
      check(wide < room, game, "has an explorer that is too wide:", [wide, room]);
      check(await at(page, "explorer-row").count() === rows, game, "has", await at(page, "explorer-row").count(), "rows");
      check(await at(page, "explorer-row").locator("td:last-child button").count() >= (game === "yut" ? 4 : rows), game, "has no best moves");
    }
    await shot(page, "explorer");
  },

  async "values are never those of another position"() {
    const page = await open();
    await lobby(page);
    await page.goto(`${server.address}#/board/valley`);
    await at(page, "best-line").waitFor();
    await unfold(page, "position-panel");
    await at(page, "edit").check();
    await at(page, "brush-remove").click();
    await page.route(/\/api\/(position|eval)/, async (route) => { await new Promise((done) => { setTimeout(done, 400); }); route.continue(); });
    await page.mouse.click(...await middleOf(page, "a1"));
    const shown = await page.evaluate(() => [document.querySelectorAll('[data-test="arrow"]').length, document.querySelectorAll('[data-test="analysis-move"]').length, document.querySelector('[data-test="eval-bar"]').className]);
    check(shown[0] === 0 && shown[1] === 0 && /unknown/.test(shown[2]), "old values are shown:", shown);
    page.mayFail = true;
    await page.waitForFunction(() => document.querySelector('[data-test="position-error"]').textContent !== "");
    check(await at(page, "arrow").count() === 0, "old values are shown for a wrong position");
  },
};
