// A board of any game: draws a position, lets the user choose a move by mouse, touch or keyboard, and
// animates pieces. Legal moves and what they lead to come from the server.
//
// How a game looks is the business of its board module, which the server's catalogue names. It exports
//
//   parse(position, rules) -> state    state has `turn`; `rules` is the object from the server
//   write(state) -> position           the opposite, for editing
//   size(state) -> [width, height]
//   draw(root, state, scene)           scene: sources, targets, chosen, last, running
//   point(square, turn, state)         the middle of a square
//   token(state, square, turn)         a piece to animate; optional
//   ends(move, trace) -> {from, to}    the squares where a move starts and ends
//   nameOf(move, trace)                a move or throw on its button
//   remarks(before, after, move)       words added to that name; optional
//   seatMark(seat)                     how the board marks a player
//   brushes(state), edit(state, key, brush)
//   plays_at_once                      a click on a piece with one legal move plays it
//   chooses_sets                       moves are sets of things that are clicked one by one; then also
//     parts(move), isChoosable(state, key), setWords(chosen)
//   black_and_white                    the players are white and black
//   showThrow(place, move, moving)     draws a throw beside the board; optional
//
// Drawn elements with `data-key` can be clicked; pieces have the class `token`.

import { button, el, overTime, put, svg } from "./dom.js";
import { say, told } from "./words.js";

const modules = new Map();
const STEP_TIME = 150;
const ROLL_TIME = 450;

// Loads the board modules of the catalogue's games. A game without one is not shown.
export async function loadBoards(games) {
  await Promise.all(games.filter((game) => game.board && !modules.has(game.name)).map(async (game) => {
    modules.set(game.name, await import(`./board_${game.board}.js`));
  }));
}

export function moduleOf(game) {
  return modules.get(game);
}

// The name of a move or throw on its button; with a position, followed by the module's remarks.
export function moveName(game, move, position) {
  const module = moduleOf(game);
  const words = position && module.remarks ? module.remarks(module.parse(position), module.parse(move.after), move) : [];
  return [module.nameOf(move.move, move.trace ?? []), ...words].join(" · ");
}

const NOTHING = { sources: new Set(), targets: new Set(), chosen: new Set(), last: [], running: false };

function canvas(module, state) {
  const [width, height] = module.size(state);
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "board-svg", "aria-hidden": "true", focusable: "false" });
}

// A static picture of a position; null if the text cannot be read.
export function picture(game, position, rules) {
  try {
    const module = moduleOf(game), state = module.parse(position, rules);
    const root = canvas(module, state);
    module.draw(root, state, NOTHING);
    return root;
  } catch {
    return null;
  }
}

export class Board {
  // `actions`: move(text), and optionally throws(), undo(), hint(), keys(), speak(text), edit(key).
  constructor(game, actions) {
    this.module = moduleOf(game);
    this.game = game;
    this.actions = actions;
    this.moves = [];
    this.last = [];
    this.chosen = new Set();
    this.selected = null;
    this.index = -1;
    this.hovered = null;
    this.surface = el("div", {
      class: "board", tabindex: "0", role: "application", "aria-label": say("board_label"), "data-test": "board",
      onclick: (event) => this.click(event),
      onkeydown: (event) => this.key(event),
    });
    this.choices = el("div", { class: "choices" });
    this.element = el("div", { class: "board-frame" }, this.surface, this.choices);
  }

  // Shows a position. `moves` are those that may be played now; `marked`: highlight them.
  show({ position, rules, moves = [], last = [], lastTurn = 0, marked = false, running = true }) {
    this.position = position;
    this.state = this.module.parse(position, rules);
    this.moves = moves;
    this.last = last;
    this.lastTurn = lastTurn;
    this.marked = marked;
    this.running = running;
    this.clearChoice();
  }

  clearChoice() {
    this.selected = null;
    this.index = -1;
    this.hovered = null;
    this.chosen = new Set();
    this.draw();
  }

  // Marks the last move, by player `turn` along `trace`.
  setLast(trace, turn) {
    this.last = trace;
    this.lastTurn = turn;
    this.draw();
  }

  endsOf(move) {
    return this.module.ends(move.move, move.trace ?? []);
  }

  // The legal moves that start at `key`.
  movesFrom(key) {
    return this.moves.filter((move) => this.endsOf(move).from === key);
  }

  shownMove() {
    return this.hovered ?? this.moves[this.index] ?? null;
  }

  draw() {
    const shown = this.shownMove();
    const selectedMoves = this.selected === null ? [] : this.movesFrom(this.selected);
    const sets = this.module.chooses_sets;
    const sources = this.selected !== null ? [this.selected]
      : !this.marked ? [] : sets ? this.moves.flatMap((move) => this.module.parts(move.move))
      : this.moves.map((move) => this.endsOf(move).from);
    const scene = {
      sources: new Set(sources),
      targets: new Set(selectedMoves.map((move) => this.endsOf(move).to)),
      chosen: new Set(sets && shown ? this.module.parts(shown.move) : this.chosen),
      last: this.last,
      running: this.running,
    };
    const root = canvas(this.module, this.state);
    this.module.draw(root, this.state, scene);
    root.insertBefore(this.route(this.last, this.lastTurn, "past"), root.querySelector(".token[data-key]"));
    root.append(...(shown ? [shown] : selectedMoves).map((move) => this.route(move.trace)));
    this.root = root;
    put(this.surface, root);
    this.drawChoices(selectedMoves);
  }

  // The path of a move as an arrow.
  route(trace, turn = this.state.turn, kind = "ahead") {
    const group = svg("g", { class: `route ${kind}` });
    if (!trace || trace.length < 2) return group;
    const points = trace.map((square) => this.module.point(square, turn, this.state));
    const [[x1, y1], [x2, y2]] = points.slice(-2);
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    group.append(
      svg("polyline", { points: points.map((one) => one.join(",")).join(" ") }),
      ...points.slice(1, -1).map(([cx, cy]) => svg("circle", { cx, cy, r: 1.2 })),
      svg("path", { d: "M1 0L-4 -2.6L-4 2.6Z", transform: `translate(${x2} ${y2}) rotate(${angle})` }));
    return group;
  }

  drawChoices(selectedMoves) {
    if (this.module.chooses_sets && this.moves.length > 0) {
      const move = this.chosenMove();
      put(this.choices, button(this.module.setWords([...this.chosen]), () => this.play(move), { disabled: !move, "data-test": "close", class: "main" }));
    } else if (selectedMoves.length > 1 || (selectedMoves.length === 1 && !this.module.plays_at_once)) {
      put(this.choices, el("span", {}, say("choose_result")),
        selectedMoves.map((move) => button(moveName(this.game, move, this.position), () => this.play(move), {
          "data-test": "choice", "data-move": move.move,
          onmouseenter: () => this.hover(move), onmouseleave: () => this.hover(null),
        })));
    } else put(this.choices);
  }

  // The legal move that consists of exactly what is chosen.
  chosenMove() {
    return this.moves.find((move) => {
      const parts = this.module.parts(move.move);
      return parts.length === this.chosen.size && parts.every((part) => this.chosen.has(part));
    });
  }

  hover(move) {
    this.hovered = move;
    if (this.module.chooses_sets) return this.draw();
    this.root.querySelectorAll(".route.ahead").forEach((route) => route.remove());
    const shown = move ? [move] : this.selected !== null ? this.movesFrom(this.selected) : [];
    return this.root.append(...shown.map((one) => this.route(one.trace)));
  }

  play(move) {
    if (!move) return;
    this.clearChoice();
    this.actions.move(move.move);
  }

  click(event) {
    const key = event.target.closest?.("[data-key]")?.getAttribute("data-key");
    if (key === undefined || key === null) return this.clearChoice();
    if (this.actions.edit?.(key)) return undefined;
    if (this.module.chooses_sets) return this.toggle(key);
    const here = this.selected === null ? [] : this.movesFrom(this.selected).filter((move) => this.endsOf(move).to === key);
    if (here.length === 1) return this.play(here[0]);
    const begins = this.movesFrom(key);
    if (begins.length === 1 && this.module.plays_at_once) return this.play(begins[0]);
    this.index = -1;
    this.hovered = null;
    this.selected = begins.length > 0 && this.selected !== key ? key : null;
    return this.draw();
  }

  toggle(key) {
    if (!this.module.isChoosable(this.state, key) || this.moves.length === 0) return;
    this.index = -1;
    this.hovered = null;
    if (!this.chosen.delete(key)) this.chosen.add(key);
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const act = {
      ArrowRight: () => this.step(1), ArrowDown: () => this.step(1),
      ArrowLeft: () => this.step(-1), ArrowUp: () => this.step(-1),
      Enter: () => this.play(this.moves[this.index] ?? (this.module.chooses_sets ? this.chosenMove() : null)),
      Escape: () => this.clearChoice(),
      t: this.actions.throws, u: this.actions.undo, h: this.actions.hint, "?": this.actions.keys,
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // Highlights the next legal move, or the previous one.
  step(by) {
    if (this.moves.length === 0) return;
    this.selected = null;
    this.hovered = null;
    this.index = this.index < 0 ? (by > 0 ? 0 : this.moves.length - 1) : (this.index + by + this.moves.length) % this.moves.length;
    const move = this.moves[this.index];
    this.chosen = new Set(this.module.chooses_sets ? this.module.parts(move.move) : []);
    this.draw();
    this.actions.speak?.(told(move.told) || move.move);
    this.actions.highlight?.(move.move);
  }

  // Animates a piece along `trace` to where it is already drawn; `before` is the position it leaves.
  async slide(trace, turn, before, rules) {
    if (trace.length < 2 || !this.module.token) return;
    const points = trace.map((square) => this.module.point(square, turn, this.state));
    const group = svg("g", { class: "moving" }, this.module.token(this.module.parse(before, rules), trace[0], turn));
    const hidden = [...this.root.querySelectorAll(".token[data-key]")].filter((drawn) => drawn.getAttribute("data-key") === trace.at(-1));
    for (const drawn of hidden) drawn.setAttribute("visibility", "hidden");
    this.root.append(group);
    await overTime(STEP_TIME * (points.length - 1), (part) => {
      const place = part * (points.length - 1), index = Math.min(Math.floor(place), points.length - 2);
      const [[x1, y1], [x2, y2]] = [points[index], points[index + 1]];
      group.setAttribute("transform", `translate(${x1 + (x2 - x1) * (place - index)} ${y1 + (y2 - y1) * (place - index)})`);
    });
    group.remove();
    for (const drawn of hidden) drawn.removeAttribute("visibility");
  }

  // Shakes what was just rolled.
  async roll() {
    const rolled = [...this.root.querySelectorAll(".die.next rect")];
    await overTime(ROLL_TIME, (part) => {
      for (const one of rolled) one.setAttribute("transform", `rotate(${Math.round((1 - part) * 320 * Math.cos(part * 9))})`);
    });
  }
}
