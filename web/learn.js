// Learning: the rules of a game as an illustrated sheet, a short lesson on a board, and the notebook of
// positions in which the owner of this browser erred, to be tried again.

import * as api from "./api.js";
import { Board, loadGuide, moduleOf, picture } from "./board.js";
import { button, el, put } from "./dom.js";
import { drawThrow, Tray } from "./draw_board.js";
import * as sound from "./sound.js";
import { isAnimated, savedNotes, saveNotes } from "./store.js";
import { bestArrows, judge, playerName } from "./values.js";
import { addWords, pick, say, sayOf, told } from "./words.js";

addWords({
  lesson: ["Lesson", "배우기"],
  lesson_step: ["{0} of {1}", "{1}개 중 {0}번째"],
  lesson_next: ["Next", "다음"],
  lesson_done: ["Done! You know enough to play.", "다 배웠습니다! 이제 시작해 보세요."],
  lesson_wrong: ["Not quite. Try again.", "조금 다릅니다. 다시 해 보세요."],
  play_now: ["Play", "게임하기"],
  notebook_empty: ["There are no mistakes to try again. Review a game, and its costliest moves are kept here.", "다시 해 볼 실수가 없습니다. 게임을 복기하면 아쉬웠던 수가 여기에 모입니다."],
  notebook_left: ["{0} left", "{0}개 남음"],
  notebook_find: ["{0}: what is the best move?", "{0}: 가장 좋은 수는 무엇일까요?"],
  notebook_next: ["Next position", "다음 국면"],
  notebook_show: ["Show the answer", "정답 보기"],
  notebook_forget: ["Remove", "지우기"],
  no_guide: ["There is no guide to this game yet.", "이 게임의 설명은 아직 없습니다."],
});

const THROW_TIME = 800;

// What both views share: the game and its guide.
async function findGuide(name) {
  const { games } = await api.getCatalogue(), game = games.find((one) => one.name === name);
  if (!game || !moduleOf(name)) throw new Error(say("not_found"));
  return { game, guide: await loadGuide(game.board) };
}

// What can be thrown, drawn with its names.
function throwSheet(game, names) {
  const module = moduleOf(game);
  return el("div", { class: "throw-sheet" }, names.map((name) => el("figure", {}, drawThrow(module.throwView(name)), el("figcaption", {}, module.nameOf(name)))));
}

export class RulesPage {
  constructor(main, name) {
    this.main = main;
    this.name = name;
  }

  kept() {
    return {};
  }

  close() {}

  async open() {
    const { game, guide } = await findGuide(this.name);
    const rows = await Promise.all((guide.sheet ?? []).map(async (section) => {
      const now = section.position && await api.getPosition({ game: this.name, rules: section.rules ?? "", position: section.position });
      return el("section", { class: "card rule", test: "rule" }, el("div", {}, now ? picture(this.name, now.position, now.rules, section.arrows) : throwSheet(this.name, section.throws)),
        el("div", {}, el("h2", {}, pick(section.title)), el("p", {}, pick(section.text))));
    }));
    put(this.main, el("h1", {}, `${told(game.title)}: ${say("read_rules")}`), el("p", { class: "about" }, told(game.about)), rows.length ? rows : el("p", {}, say("no_guide")),
      el("p", { class: "row" }, el("a", { class: "button main", href: `#/lesson/${this.name}` }, say("take_lesson")), el("a", { class: "button", href: `#/new/${this.name}` }, say("play_now"))));
  }
}

export class LessonPage {
  constructor(main, name, page) {
    this.main = main;
    this.name = name;
    this.page = page;
    this.number = 0;
  }

  kept() {
    return {};
  }

  close() {
    this.board?.close();
  }

  async open() {
    const { game, guide } = await findGuide(this.name);
    this.game = game;
    this.steps = guide.lesson ?? [];
    this.board = new Board(this.name, {
      move: (text) => this.tried(text), speak: (text) => this.page.speak(text), explain: (text) => this.page.toast(text), choices: (any) => { this.act.hidden = !any; },
    });
    this.words = el("div", { class: "card lesson-words" });
    this.tray = new Tray();
    this.throwing = el("div", { class: "action", hidden: true }, el("div", { class: "tray-place" }, this.tray.element), el("div", { class: "act" }, button(sayOf(moduleOf(this.name), "throw"), () => this.throws(), { class: "main", test: "throw" })));
    this.act = el("div", { class: "action no-tray", hidden: true }, el("div", { class: "act" }, this.board.choices));
    put(this.main, el("h1", { class: "unseen" }, `${told(game.title)}: ${say("lesson")}`), el("div", { class: "play lesson" },
      el("div", { class: "first" }, this.board.element, el("div", { class: "controls" }, this.words, this.act, this.throwing))));
    await this.show();
  }

  key(name) {
    const keys = { ArrowRight: () => this.board.step(1), ArrowLeft: () => this.board.step(-1), Enter: () => this.board.playChosen(), " ": () => this.board.playChosen(), Escape: () => this.board.clearChoice() };
    keys[name]?.();
    return Boolean(keys[name]);
  }

  async show() {
    const step = this.steps[this.number];
    this.now = await api.getPosition({ game: this.name, rules: step.rules ?? "", position: step.position });
    this.board.show({ position: this.now.position, rules: this.now.rules, moves: this.now.moves ?? [], running: true, marked: this.number === 0 });
    this.throwing.hidden = step.goal !== "throw";
    this.throwing.querySelector("button").disabled = false;
    const view = moduleOf(this.name).throwView;
    this.tray.show(null, 0, view?.("", view && moduleOf(this.name).parse(this.now.position, this.now.rules)));
    this.tell(pick(step.text));
    this.board.surface.focus({ preventScroll: true });
  }

  tell(words, ...more) {
    this.page.speak(words);
    put(this.words, el("p", { class: "note" }, `${told(this.game.title)} · ${say("lesson_step", this.number + 1, this.steps.length)}`),
      el("div", { class: "dots", "aria-hidden": "true" }, this.steps.map((_, i) => el("i", { class: i < this.number ? "done" : i === this.number ? "here" : "" }))), el("p", { test: "lesson-text" }, words), el("p", { class: "row" }, more));
  }

  // A throw for the lesson: any of those that are possible.
  async throws() {
    const { throws } = this.now, thrown = throws[Math.floor(Math.random() * throws.length)];
    this.throwing.querySelector("button").disabled = true;
    sound.play("throw");
    await this.tray.show(moduleOf(this.name).throwView(thrown.move), isAnimated() ? THROW_TIME : 0);
    this.succeed(thrown);
  }

  tried(text) {
    const step = this.steps[this.number], move = this.now.moves.find((one) => one.move === text);
    if (step.goal.includes(text)) this.succeed(move);
    else {
      sound.play("wrong");
      this.page.toast(step.wrong ? pick(step.wrong) : say("lesson_wrong"));
    }
  }

  async succeed(move) {
    const step = this.steps[this.number], isLast = this.number === this.steps.length - 1;
    sound.play("right");
    this.board.show({ position: move.after, rules: this.now.rules, last: move.trace ?? [], lastTurn: this.now.player, running: false });
    this.board.slide(move.trace ?? [], this.now.player, this.now.position, this.now.rules);
    this.tell(`✓ ${pick(step.done)}${isLast ? ` ${say("lesson_done")}` : ""}`, isLast
      ? el("a", { class: "button main", href: `#/new/${this.name}`, test: "lesson-play" }, say("play_now"))
      : button(say("lesson_next"), () => { this.number++; this.page.report(() => this.show()); }, { class: "main", test: "lesson-next" }));
    this.words.querySelector(".main")?.focus({ preventScroll: true });
  }
}

export class NotebookPage {
  constructor(main, page) {
    this.main = main;
    this.page = page;
    this.number = 0;
  }

  kept() {
    return { number: this.number };
  }

  close() {
    this.board?.close();
  }

  async open() {
    this.notes = savedNotes().filter((note) => !note.solved && moduleOf(note.game));
    await this.show();
  }

  key(name) {
    const keys = { ArrowRight: () => this.board?.step(1), ArrowLeft: () => this.board?.step(-1), Enter: () => this.board?.playChosen(), " ": () => this.board?.playChosen(), f: () => this.board?.flip(), n: () => this.next() };
    keys[name]?.();
    return Boolean(keys[name]);
  }

  async next() {
    this.number++;
    await this.page.report(() => this.show());
  }

  async show() {
    this.board?.close();
    const note = this.notes[this.number % Math.max(1, this.notes.length)];
    if (!note) {
      document.body.dataset.screen = "page";
      put(this.main, el("h1", {}, say("notebook")), el("p", { test: "notebook-empty" }, say("notebook_empty")), el("p", {}, el("a", { class: "button", href: "#/" }, say("lobby"))));
      return;
    }
    this.note = note;
    this.evaluation = await api.getEval({ game: note.game, rules: note.rules, position: note.position });
    const { games } = await api.getCatalogue(), { evaluation } = this;
    this.board = new Board(note.game, { move: (text) => this.tried(text), speak: (text) => this.page.speak(text), explain: (text) => this.page.toast(text), choices: (any) => { this.act.hidden = !any; } });
    this.message = el("p", { role: "status", test: "try-result" });
    this.act = el("div", { class: "action no-tray", hidden: true }, el("div", { class: "act" }, this.board.choices));
    put(this.main, el("h1", { class: "unseen" }, say("notebook")), el("div", { class: "play lesson" }, el("div", { class: "first" },
      this.board.element,
      el("div", { class: "controls" }, el("p", { class: "note" }, `${say("notebook")} · ${told(games.find((game) => game.name === note.game)?.title)} · ${say("notebook_left", this.notes.filter((one) => !one.solved).length)}`),
        el("p", { test: "notebook-text" }, el("strong", {}, say("notebook_find", playerName(note.game, evaluation.player)))), this.message, this.act,
        el("p", { class: "row" }, button(say("notebook_show"), () => this.answer(), { test: "show-answer" }), button(say("notebook_next"), () => this.next(), { class: "main", test: "notebook-next" }),
          button(say("notebook_forget"), () => { this.solve(); this.next(); }, { test: "notebook-forget" }))))));
    this.board.show({ position: evaluation.position, rules: evaluation.rules, moves: evaluation.moves, marked: true });
    this.board.surface.focus({ preventScroll: true });
  }

  tried(text) {
    const { isRight, words } = judge(this.evaluation, text);
    sound.play(isRight ? "right" : "wrong");
    this.page.speak(words);
    put(this.message, el("span", { class: isRight ? "good" : "bad" }, `${isRight ? "✓" : "✗"} ${words}`));
    if (!isRight) return;
    this.solve();
    this.answer();
  }

  // The position does not come again.
  solve() {
    this.note.solved = true;
    saveNotes(savedNotes().map((one) => (one.game === this.note.game && one.position === this.note.position && one.rules === this.note.rules ? { ...one, solved: true } : one)));
  }

  answer() {
    const { evaluation } = this;
    this.board.show({ position: evaluation.position, rules: evaluation.rules, arrows: bestArrows(evaluation, 1) });
  }
}
