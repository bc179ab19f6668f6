// The analysis board: any position, the value of every move or throw, and a tree of variations. The
// address always contains all of it.

import * as api from "./api.js";
import { Board, moduleOf, moveName, picture } from "./board.js";
import { button, el, focusAgain, focusMark, icon, iconButton, once, put } from "./dom.js";
import { shapeInKorean } from "./errors.js";
import { Seats } from "./players.js";
import { copyButton, download, pngBlob, svgText } from "./share.js";
import { drawTree, parseTree, pathOf, Tree } from "./tree.js";
import { bestArrows, bestFirst, capital, evalBar, markMove, moveList, num, outcomeText, percent, throwList, valueLine, valueNum, valueText } from "./values.js";
import { addWords, getLanguage, say, sayOf, told } from "./words.js";

addWords({
  position: ["Position", "국면"],
  position_shape: ["Format: {0}", "형식: {0}"],
  position_go: ["Show", "보기"],
  edit: ["Edit by clicking", "클릭해서 고치기"],
  edit_help: ["Click on the board, or edit the text for everything else.", "판을 클릭하세요. 나머지는 위의 글자를 고치면 됩니다."],
  edit_panel: ["Position and rules", "국면과 규칙"],
  throws: ["What can be thrown", "나올 수 있는 결과"],
  play_from_here: ["Play from here", "여기서부터 하기"],
  go_start: ["Start position", "시작 국면"],
  tree: ["Variations", "변화도"],
  comment: ["Comment", "해설"],
  delete_branch: ["Delete from here", "여기부터 지우기"],
  promote: ["Make main line", "주된 변화로"],
  best_line: ["Best line", "최선의 진행"],
  copy_link: ["Copy link", "링크 복사"],
  copy_text: ["Copy text", "글자로 복사"],
  save_svg: ["Picture (SVG)", "그림 (SVG)"],
  save_png: ["Picture (PNG)", "그림 (PNG)"],
  copy_embed: ["Copy embedding", "퍼가기 코드 복사"],
  arrows: ["Arrows", "화살표"],
  explorer: ["Explorer", "탐색"],
  explorer_throw: ["If you throw", "나온 결과"],
  explorer_chance: ["Chance", "확률"],
  explorer_best: ["Best move", "가장 좋은 수"],
  explorer_move: ["Move", "둘 수 있는 수"],
  explorer_reply: ["Best reply", "최선의 대답"],
  explorer_again: ["throw again", "한 번 더 던지기"],
  explorer_turn_over: ["turn over", "차례 끝"],
});

const PAINT_DELAY = 300;
const LINE_MAX = 24;
const ROWS_MAX = 40;

// --- the explorer: what to do after everything that can be thrown; where nothing is thrown, the best reply
// to every move. It fills in as the answers arrive. ---

function cell(name, ...children) {
  return el("td", { "data-label": name }, children);
}

// `onPick` gets a list of moves to play from the position; `isShown` tells whether this is still wanted.
function explorerPanel(game, now, evaluation, onPick, isShown) {
  const isChance = now.actor === "chance";
  const events = (isChance ? evaluation.throws : evaluation.moves)?.slice(0, ROWS_MAX) ?? [];
  const headings = isChance ? ["explorer_throw", "explorer_chance", "explorer_value", "explorer_best"] : ["explorer_move", "explorer_value", "explorer_reply"];
  const rows = events.map((event) => {
    const answer = cell(say(headings.at(-1)), "…");
    const first = button(moveName(game, event), () => onPick([event.move]), { class: "step", title: told(event.told), test: "explorer-event" });
    return { event, answer, row: el("tr", { test: "explorer-row" }, cell(say(headings[0]), first),
      isChance && cell(say("explorer_chance"), num(percent(event.chance), `${(event.chance * 100).toFixed(4)} %`)),
      cell(told(evaluation.meaning), valueNum({ exact: evaluation.exact, ...event, typical_error: 0 }, evaluation.counted)), answer) };
  });
  const heading = (key) => (key === "explorer_value" ? capital(told(evaluation.meaning)) : say(key));
  const table = el("table", { class: "explorer" }, el("thead", {}, el("tr", {}, headings.map((key) => el("th", { scope: "col" }, heading(key))))), el("tbody", {}, rows.map(({ row }) => row)));
  const panel = el("details", { class: "card", test: "explorer", ontoggle: () => { if (panel.open && !panel.dataset.filled) { panel.dataset.filled = "1"; fill(); } } }, el("summary", {}, say("explorer")), table);

  async function fill() {
    for (const { event, answer } of rows) {
      if (!isShown() || !panel.isConnected) return;
      try {
        const after = await api.getEval({ game, rules: now.rules_text, position: event.after });
        const best = after.moves?.[0];
        if (after.actor === "end") put(answer, told(after.told));
        else if (isChance && after.actor === "chance" && after.player === now.player) put(answer, say("explorer_again"));
        else if (!best || (isChance && after.player !== now.player)) put(answer, isChance ? say("explorer_turn_over") : "");
        else put(answer, button(moduleOf(game).nameOf(best.move, best.trace ?? []), () => onPick([event.move, best.move]), { class: "step", title: valueText(best, after.counted) }));
      } catch (error) {
        put(answer, error.status === 400 ? "" : error.message);
      }
    }
  }
  return panel;
}

// --- the board ---

export class AnalysisPage {
  // `kept` is what kept() of an earlier view of the same board returned.
  constructor(main, game, page, kept = {}) {
    this.main = main;
    this.game = game;
    this.page = page;
    this.tree = new Tree();
    this.rules = ""; // as text, as given
    this.position = "";
    this.brush = null;
    this.withArrows = true;
    this.asked = 0;
    this.closed = false;
    Object.assign(this, kept);
  }

  // What survives a change of language.
  kept() {
    return { tree: this.tree, rules: this.rules, position: this.position, brush: this.brush, isKept: true };
  }

  async open(token, query) {
    this.catalogue = await api.getCatalogue();
    this.about = this.catalogue.games.find((game) => game.name === this.game);
    this.module = moduleOf(this.game);
    if (!this.about || !this.module) throw new Error(say("not_found"));
    if (this.closed) return;
    this.build();
    if (this.isKept) await this.goTo(this.tree.here, "replaceState");
    else await this.read(query);
    if (document.activeElement === document.body) this.board.surface.focus({ preventScroll: true });
  }

  // Reads rules, position and tree from the address.
  async read({ rules = "", position = "", line = "", at = "" }) {
    this.tree = parseTree(line);
    this.tree.goTo(at);
    this.rules = rules;
    this.position = position;
    try {
      await this.goTo(this.tree.here, "replaceState");
    } catch (error) {
      Object.assign(this, { tree: new Tree(), rules: "", position: "" });
      await this.goTo(this.tree.root, "replaceState");
      put(this.trouble, error.message);
      this.form.open = true;
      this.input.value = position;
    }
  }

  // The browser's back and forward buttons changed the address.
  async moveTo(query) {
    await this.page.report(() => this.read(query));
  }

  isBoardOf(game) {
    return this.game === game;
  }

  close() {
    this.closed = true;
    clearTimeout(this.painting);
    this.board?.close();
  }

  // --- the tree ---

  // Makes sure that a node has its position.
  async resolve(node) {
    if (node.now) return node.now;
    if (!node.parent) node.now = await api.getPosition({ game: this.game, rules: this.rules, position: this.position });
    else {
      const before = await this.resolve(node.parent);
      node.via = (before.moves ?? before.throws ?? []).find((one) => one.move === node.move);
      node.now = await api.getPosition({ game: this.game, rules: before.rules_text, position: before.position, move: node.move });
    }
    return node.now;
  }

  async goTo(node, method = "pushState") {
    const asked = ++this.asked;
    await this.resolve(node);
    if (this.closed || asked !== this.asked) return; // the user went elsewhere in the meantime
    this.tree.here = node;
    this.writeAddress(method);
    this.refresh();
  }

  writeAddress(method) {
    const address = api.boardAddress(this.game, this.rules, this.tree.root.now.position, { line: this.tree.toText(), at: this.tree.at() });
    if (address !== location.hash) history[method](null, "", address);
  }

  // Goes to a position that is not in the tree: a new tree starts there.
  async go(rules, position) {
    const asked = ++this.asked;
    const now = await api.getPosition({ game: this.game, rules, position });
    if (this.closed || asked !== this.asked) return;
    this.tree = new Tree();
    this.tree.root.now = now;
    Object.assign(this, { rules, position: now.position });
    await this.goTo(this.tree.root);
  }

  // Plays moves from the present position.
  async play(moves) {
    let node = this.tree.here;
    for (const move of moves) node = this.tree.add(node, move);
    const words = this.now().moves?.concat(this.now().throws ?? []) ?? this.now().throws ?? [];
    this.page.speak(told(words.find((one) => one.move === moves[0])?.told));
    await this.page.report(() => this.goTo(node));
  }

  now() {
    return this.tree.here.now;
  }

  key(name) {
    const { here } = this.tree;
    const keys = {
      ArrowLeft: () => here.parent && this.goTo(here.parent, "replaceState"), ArrowRight: () => here.children[0] && this.goTo(here.children[0], "replaceState"),
      ArrowDown: () => this.board.step(1), ArrowUp: () => this.board.step(-1),
      Home: () => this.goTo(this.tree.root, "replaceState"), Enter: () => this.board.playChosen(), Escape: () => this.board.clearChoice(),
      " ": () => this.board.playChosen() || this.playBest(), f: () => this.flip(), h: () => this.toggleArrows(),
    };
    if (!keys[name]) return false;
    keys[name]();
    return true;
  }

  playBest() {
    const best = this.tree.here.evaluation?.moves?.[0];
    if (best) this.play([best.move]);
  }

  flip() {
    this.board.flip();
    this.drawBar();
  }

  toggleArrows() {
    this.withArrows = !this.withArrows;
    this.drawArrows();
    this.drawTools();
  }

  // --- the page ---

  build() {
    for (const name of ["value", "list", "line", "explorer", "treePlace", "brushes", "seatsBox", "text", "tools", "bar"]) this[name] = el("div", {});
    this.board = new Board(this.game, {
      move: (text) => this.play([text]), speak: (text) => this.page.speak(text), edit: (key) => this.paint(key), explain: (text) => this.page.toast(text),
      highlight: (move) => markMove(this.list, move), describe: (move) => this.describe(move), choices: (any) => { this.choicePlace.hidden = !any; },
    }, this.bar);
    this.tools.className = "toolbar";
    this.bar.className = "eval-place";
    this.choicePlace = el("div", { class: "action no-tray", hidden: true }, el("div", { class: "act" }, this.board.choices));
    this.input = el("input", { id: "position", type: "text", test: "position-input", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
    this.rulesInput = el("input", { id: "rules", type: "text", test: "rules-input", spellcheck: "false", autocapitalize: "off", autocomplete: "off", placeholder: "--…" });
    this.trouble = el("p", { class: "bad", role: "alert", test: "position-error" });
    this.form = el("details", { class: "card", test: "position-panel" }, el("summary", {}, say("edit_panel")),
      el("form", { class: "position-form", onsubmit: (event) => { event.preventDefault(); this.typed(); } },
        el("label", { for: "position" }, say("position")), this.input, el("small", {}, say("position_shape", getLanguage() === "ko" ? shapeInKorean(this.about.position_shape) : this.about.position_shape)),
        el("label", { for: "rules" }, say("rules")), this.rulesInput,
        el("p", { class: "row" }, el("button", { type: "submit", class: "main", test: "position-go" }, say("position_go")),
          button(say("go_start"), () => this.page.report(() => this.go(this.rulesInput.value.trim(), "")), { test: "go-start" })),
        this.trouble, this.brushes));
    const examples = this.about.examples ?? [];
    put(this.main, el("h1", { class: "unseen" }, `${told(this.about.title)}: ${say("analysis")}`),
      el("div", { class: "play analysis" },
        el("div", { class: "first" },
          this.board.element,
          el("div", { class: "controls" }, this.value, this.choicePlace, this.tools)),
        el("div", { class: "panels" }, this.list, this.line, this.treePlace, this.explorer, this.sharePlace(), this.form,
          el("p", { class: "row" }, button(say("play_from_here"), () => this.offerSeats(), { test: "play-from-here" })), this.seatsBox, this.text,
          examples.length > 0 && el("details", { class: "card" }, el("summary", {}, say("examples")), el("ul", { class: "plain" }, examples.map((example) =>
            el("li", {}, el("a", { href: api.boardAddress(this.game, example.rules, example.position) }, told(example.what)))))))));
  }

  // The value of a move in words, for screen readers.
  describe(move) {
    const known = this.tree.here.evaluation?.moves?.find((one) => one.move === move.move);
    return known ? valueText(known, this.tree.here.evaluation.counted) : "";
  }

  // Shows the position that was typed, or what is wrong with it.
  async typed() {
    clearTimeout(this.painting);
    try {
      await this.go(this.rulesInput.value.trim(), this.input.value.trim());
    } catch (error) {
      put(this.trouble, error.message);
    }
  }

  refresh() {
    const { here } = this.tree, { now } = here, { via } = here;
    const mark = focusMark();
    put(this.trouble);
    this.bar.hidden = now.players < 2;
    this.input.value = now.position;
    this.rulesInput.value = this.rules;
    this.board.show({ position: now.position, rules: now.rules, moves: now.moves ?? [], running: now.actor !== "end", last: via?.trace ?? [], lastTurn: here.parent?.now?.player });
    this.drawTools();
    this.drawBrushes();
    this.drawTreePanel();
    put(this.seatsBox);
    put(this.text, el("details", { class: "card" }, el("summary", {}, say("text_board")), el("pre", { test: "text-board" }, told(now.text))));
    this.drawValues(here);
    focusAgain(mark);
    document.body.dataset.ready = "1";
  }

  drawTools() {
    const { here } = this.tree, path = pathOf(here);
    const step = (key, to) => iconButton(key, say(key), () => this.goTo(to, "replaceState"), { test: `nav-${key}`, disabled: !to || to === here });
    let last = here;
    while (last.children[0]) [last] = last.children;
    put(this.tools, step("first", path[0]), step("back", here.parent), step("forward", here.children[0]), step("last", last),
      el("button", { type: "button", class: "grow", test: "arrows", "aria-pressed": String(this.withArrows), onclick: () => this.toggleArrows() }, icon("hint"), el("span", { class: "hint-label" }, say("arrows"))),
      this.module.flips && iconButton("flip", say("flip"), () => this.flip(), { test: "flip" }));
  }

  drawBar() {
    const { here } = this.tree;
    this.bar.hidden = here.now.players < 2;
    this.bar.classList.toggle("flipped", this.board.flipped);
    put(this.bar, evalBar(this.game, here.evaluation ?? null, here.now.players));
  }

  drawArrows() {
    const { evaluation } = this.tree.here;
    this.board.setArrows(this.withArrows && evaluation?.moves ? bestArrows(evaluation, this.module.chooses_sets ? 1 : 3) : []);
  }

  // --- values ---

  // Lists the moves or throws at once, and adds values when they arrive.
  async drawValues(node) {
    const { now } = node;
    this.showValues(node);
    if (node.evaluation || now.actor === "end") return;
    try {
      node.evaluation = await api.getEval({ game: this.game, rules: now.rules_text, position: now.position });
    } catch (error) {
      if (!this.closed && this.tree.here === node) put(this.value, el("p", { class: "value-head note", test: "value" }, say("no_value", error.message)));
      return;
    }
    if (this.closed || this.tree.here !== node || this.isPainting) return;
    const mark = focusMark();
    this.showValues(node);
    focusAgain(mark);
  }

  showValues(node) {
    const { now, evaluation } = node;
    this.drawBar();
    this.drawArrows();
    this.drawList(now, evaluation ?? null);
    if (now.actor === "end" && now.told) put(this.value, el("p", { class: "value-head", test: "status" }, el("strong", {}, told(now.told))));
    else put(this.value, el("div", { class: "value-head" }, evaluation ? valueLine(this.game, evaluation) : el("p", { class: "note" }, say("value_wait"))));
    put(this.line);
    put(this.explorer);
    if (!evaluation) return;
    this.drawLine(node);
    put(this.explorer, explorerPanel(this.game, now, evaluation, (moves) => this.play(moves), () => !this.closed && this.tree.here === node));
  }

  drawList(now, evaluation) {
    const onPlay = (move) => this.play([move.move]), onHover = (move) => this.board.hover(move);
    const isChance = now.actor === "chance";
    const list = isChance ? throwList({ game: this.game, evaluation: evaluation ?? now, onPlay, onHover })
      : moveList({ game: this.game, position: now.position, rules: now.rules, moves: evaluation ? bestFirst(now.moves ?? [], evaluation) : now.moves ?? [], level: evaluation ? 3 : 0, evaluation, onPlay, onHover, test: "analysis-move" });
    put(this.list, now.actor !== "end" && el("section", { class: "card" }, el("h2", {}, sayOf(this.module, isChance ? "throws" : "moves")), list));
  }

  // The best line, move by move: from the server, or by asking for the best move again and again.
  async drawLine(node) {
    const { evaluation } = node;
    const steps = evaluation.best_line ?? await this.findLine(node);
    if (this.closed || this.tree.here !== node || !steps.length) return;
    const moves = steps.map(({ move }) => move);
    const name = (move) => this.module.shortName?.(move) ?? this.module.nameOf(move, []);
    put(this.line, el("section", { class: "card" }, el("h2", {}, say("best_line")), el("p", { class: "best-line", test: "best-line" },
      steps.flatMap((step, i) => [
        evaluation.values.length === 2 && !this.about.chance && i % 2 === 0 ? el("span", { class: "note" }, `${i / 2 + 1}.`) : null,
        button(name(step.move), () => this.play(moves.slice(0, i + 1)), { class: "step", title: told(step.told), test: "line-move" })]),
      evaluation.outcome && el("span", { class: "note" }, outcomeText(evaluation)))));
  }

  async findLine(node) {
    const steps = [];
    let { evaluation } = node;
    if (this.about.chance || !evaluation.outcome || evaluation.outcome === "endless") return steps;
    while (evaluation.outcome && evaluation.moves?.length && steps.length < LINE_MAX) {
      const [best] = evaluation.moves;
      steps.push(best);
      if (evaluation.plies <= 1 || this.closed || this.tree.here !== node) break;
      try {
        evaluation = await api.getEval({ game: this.game, rules: node.now.rules_text, position: best.after });
      } catch {
        break;
      }
      if (evaluation.actor === "end") break;
    }
    return steps;
  }

  // --- the tree panel ---

  drawTreePanel() {
    const { here } = this.tree;
    const comment = el("input", { type: "text", value: here.comment, placeholder: say("comment"), "aria-label": say("comment"), maxlength: 300, test: "comment",
      onchange: (event) => { here.comment = event.target.value.trim().replace(/[{}]/g, ""); this.writeAddress("replaceState"); this.drawTreePanel(); } });
    put(this.treePlace, el("section", { class: "card" }, el("h2", {}, say("tree")), drawTree(this.game, this.tree, (node) => this.page.report(() => this.goTo(node, "replaceState"))),
      el("div", { class: "row" }, comment,
        here.parent && here.parent.children[0] !== here && button(say("promote"), () => { this.tree.promote(here); this.goTo(here, "replaceState"); }, { test: "promote" }),
        here.parent && button(say("delete_branch"), () => { const { parent } = here; this.tree.remove(here); this.goTo(parent, "replaceState"); }, { test: "delete-branch" }))));
  }

  sharePlace() {
    const name = () => `malpan-${this.game}`;
    const embed = () => `<iframe src="${new URL(api.hasServer ? "embed" : "embed.html", location.href.split("#")[0])}${location.hash}" width="420" height="480" loading="lazy"></iframe>`;
    return el("details", { class: "card", test: "share" }, el("summary", {}, say("share")), el("p", { class: "row" },
      copyButton(say("copy_link"), async () => location.href, { test: "copy-link" }),
      copyButton(say("copy_text"), async () => this.asText(), { test: "copy-text" }),
      button(say("save_svg"), () => download(`${name()}.svg`, svgText(this.board.root), "image/svg+xml"), { test: "save-svg" }),
      button(say("save_png"), () => this.page.report(async () => download(`${name()}.png`, await pngBlob(this.board.root))), { test: "save-png" }),
      copyButton(say("copy_embed"), async () => embed(), { test: "copy-embed" })));
  }

  asText() {
    const { now, evaluation } = this.tree.here;
    return [told(this.about.title), now.position, this.rules, this.tree.toText(), evaluation && valueText(evaluation, evaluation.counted), "", told(now.text)].filter((line) => line !== undefined && line !== null).join("\n");
  }

  // --- editing ---

  drawBrushes() {
    const kinds = this.module.brushes(this.board.state);
    const toggle = el("input", {
      type: "checkbox", class: "switch", role: "switch", checked: this.brush !== null, test: "edit",
      onchange: (event) => this.take(event.target.checked ? kinds[0]?.[0] ?? "" : null),
    });
    const choices = this.brush === null ? [] : kinds.map(([id, words]) =>
      button(words, () => this.take(id), { test: `brush-${id}`, "aria-pressed": String(id === this.brush) }));
    put(this.brushes, el("label", { class: "check row" }, toggle, say("edit")), el("div", { class: "row" }, choices),
      this.brush !== null && el("small", {}, say("edit_help")));
  }

  take(brush) {
    const mark = focusMark();
    this.brush = brush;
    this.drawBrushes();
    focusAgain(mark);
  }

  // A click while editing changes the text and the board; shortly after the last click the server
  // checks the position. Meanwhile no values are shown: they would be those of another position.
  paint(key) {
    if (this.brush === null) return false;
    const { rules } = this.now();
    const readable = picture(this.game, this.input.value, rules) ? this.input.value : this.now().position;
    const state = this.module.edit(this.module.parse(readable, rules), key, this.brush);
    this.asked++;
    this.input.value = this.module.write(state);
    this.board.show({ position: this.input.value, rules });
    for (const place of [this.list, this.line, this.explorer]) put(place);
    put(this.value, el("div", { class: "value-head" }, el("p", { class: "note" }, say("value_wait"))));
    put(this.bar, evalBar(this.game, null, this.now().players));
    clearTimeout(this.painting);
    this.isPainting = true;
    this.painting = setTimeout(() => { this.isPainting = false; this.typed(); }, PAINT_DELAY);
    return true;
  }

  offerSeats() {
    const now = this.now(), seats = new Seats(this.catalogue.players, this.game);
    seats.show(now.players, true);
    const begin = once(() => this.page.report(async () => api.openMade(await api.makeGame({ game: this.game, rules: now.rules_text, seats: seats.values(), position: now.position }))));
    put(this.seatsBox, el("section", { class: "card" }, seats.element, button(say("start"), begin, { class: "main", test: "start" })));
  }
}
