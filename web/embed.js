// A board to read, for a frame in another page: the positions of an analysis link, move by move.

import * as api from "./api.js";
import { Board, loadBoards, moduleOf } from "./board.js";
import { el, iconButton, put } from "./dom.js";
import { parseTree, pathOf } from "./tree.js";
import { savedLanguage } from "./store.js";
import { say, setLanguage, told } from "./words.js";

const main = document.getElementById("main");

async function open() {
  const [path, query = ""] = location.hash.replace(/^#\/?board\//, "").split("?");
  const { rules = "", position = "", line = "", at = "" } = Object.fromEntries(new URLSearchParams(query));
  const { games } = await api.getCatalogue(), game = decodeURIComponent(path);
  await loadBoards(games.filter((one) => one.name === game));
  if (!moduleOf(game)) throw new Error(say("not_found"));
  const tree = parseTree(line);
  tree.goTo(at);
  let last = tree.here;
  while (last.children[0]) [last] = last.children;
  const nodes = pathOf(last), start = nodes.indexOf(tree.here);
  const positions = [await api.getPosition({ game, rules, position })];
  const board = new Board(game, { move: () => {} });
  const tools = el("div", { class: "toolbar" });
  put(main, el("div", { class: "embed-page" }, board.element, tools));

  // The position after `number` moves.
  async function get(number) {
    for (let i = positions.length; i <= number; i++) {
      const before = positions[i - 1];
      positions.push(await api.getPosition({ game, rules: before.rules_text, position: before.position, move: nodes[i].move }));
    }
    return positions[number];
  }

  async function show(number) {
    const now = await get(number), before = positions[number - 1];
    const via = before && [...(before.moves ?? []), ...(before.throws ?? [])].find((one) => one.move === nodes[number].move);
    board.show({ position: now.position, rules: now.rules, running: now.actor !== "end", last: via?.trace ?? [], lastTurn: before?.player });
    const words = nodes[number].comment || told(via?.told) || told(games.find((one) => one.name === game).title);
    put(tools, iconButton("back", say("back"), () => show(number - 1), { disabled: number === 0, test: "nav-back" }),
      iconButton("forward", say("forward"), () => show(number + 1), { disabled: number === nodes.length - 1, test: "nav-forward" }),
      el("span", { class: "grow", test: "status" }, words),
      el("a", { class: "button", href: `./${location.hash}`, target: "_blank", rel: "noopener" }, say("title")));
  }

  await show(Math.max(0, start));
  document.body.dataset.ready = "1";
}

setLanguage(savedLanguage());
open().catch((error) => put(main, el("p", { class: "bad" }, error.message)));
