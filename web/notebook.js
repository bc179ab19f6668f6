// The mistake notebook: positions in which the owner of this browser erred, to be tried again.

import * as api from "./api.js";
import { Board, moduleOf } from "./board.js";
import { button, el, put } from "./dom.js";
import { bestArrows, judge } from "./moves.js";
import * as sound from "./sound.js";
import { savedNotes, saveNotes } from "./store.js";
import { playerName } from "./values.js";
import { addWords, say, told } from "./words.js";

addWords({
  notebook_empty: ["There are no mistakes to try again. Review a game, and its costliest moves are kept here.", "다시 해 볼 실수가 없습니다. 게임을 복기하면 아쉬웠던 수가 여기에 모입니다."],
  notebook_left: ["{0} left", "{0}개 남음"],
  notebook_find: ["{0}: what is the best move?", "{0}: 가장 좋은 수는 무엇일까요?"],
  notebook_next: ["Next position", "다음 국면"],
  notebook_show: ["Show the answer", "정답 보기"],
  notebook_forget: ["Remove", "지우기"],
});

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
