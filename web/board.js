// A board of any game: draws a position, lets the user choose a move by mouse, touch, dragging or
// keyboard, and animates pieces. Legal moves and what they lead to come from the server.
//
// How a game looks is the business of its board module, which the server's catalogue names. It exports
//
//   parse(position, rules) -> state    state has `turn`; `rules` is the object from the server. The
//                                      board adds `view`: { wide, flip, bare }
//   write(state) -> position           the opposite, for editing
//   size(state) -> [width, height]     depends on view.wide: panels beside or below the board
//   draw(root, state, scene)           scene: sources, targets, chosen, last, running
//   point(square, turn, state)         the middle of a square
//   path(trace, turn, state)           the points of a path; optional
//   token(state, square, turn)         a piece to animate; optional
//   ends(move, trace) -> {from, to}    the squares where a move starts and ends
//   nameOf(move, trace)                a move or throw on its button; shortName(move): in a line
//   stepName(step, before, after)      a step in the list, if it is not what the server tells; optional
//   remarks(before, after, move)       words added to that name; optional
//   explain(state, key, moves, selected)   why a click there does nothing; optional
//   seatMark(seat), emblem(seat)       how the board marks a player, in letters and drawn
//   throwView(move, before)            a throw for the tray (draw_board.js); optional
//   currentThrow(state)                what the tray shows if it is not the last throw; optional
//   throwsTogether(state), throwWords(state)   all throws follow the first one; optional
//   beat(before, after, step)          [word, sound, value] of a step worth a callout; optional
//   brushes(state), edit(state, key, brush)
//   plays_at_once                      a click on a piece with one legal move plays it
//   offers_choices                     if a piece has several moves, they are also offered as buttons
//   flips                              the board can be seen from the other side
//   chooses_sets                       moves are sets of things that are clicked one by one; then also
//     parts(move), isChoosable(state, key), setWords(chosen, state)
//   black_and_white                    the players are white and black
//   tints_last                         the last move is seen by its squares, not by a line
//   words                              texts that differ from those of other games: { key: [en, ko] }
//   sample, bareSize(state)            a position for pictures; the size without panels, if not 100 by 100
//
// Drawn elements with `data-key` can be clicked; pieces have the class `token`.

import { button, el, finished, painted, put, svg } from "./dom.js";
import { arrow, outline } from "./draw_board.js";
import { say, told } from "./words.js";

const modules = new Map();
const SPEED = 0.11; // units of the board per millisecond
const THRESHOLD = 6; // pixels before a press becomes a drag
const CALLOUT_TIME = 1100;
// What the evaluation bar and its gap take beside the board, or above it on a phone: as in style.css.
const BAR_WIDTH = 24;
const BAR_HEIGHT = 13;
const PHONE = matchMedia("(orientation: portrait) and (max-width: 860px)");

// Loads the board modules of the catalogue's games. A game without one is not shown.
export async function loadBoards(games) {
  await Promise.all(games.filter((game) => game.board && !modules.has(game.name)).map(async (game) => {
    modules.set(game.name, await import(`./board_${game.board}.js`));
  }));
}

// Loads the guide of a game: guide_NAME.js holds what a player reads and practises. It exports
//
//   houseRules    see setup.js
//   sheet         [{ title, text, position, rules, arrows }]: the rules, with pictures; `throws` instead
//                 of a position is a list of throws to draw
//   lesson        [{ text, position, rules, goal, done, wrong }]: `goal` lists the moves that solve it
//
// All texts are [English, Korean].
export async function loadGuide(board) {
  try {
    return await import(`./guide_${board}.js`);
  } catch {
    return {}; // a game without a guide
  }
}

export function moduleOf(game) {
  return modules.get(game);
}

// The name of a move or throw on its button; with a position, followed by the module's remarks.
export function moveName(game, move, position, rules) {
  const module = moduleOf(game);
  const words = position && module.remarks ? module.remarks(module.parse(position, rules), module.parse(move.after, rules), move) : [];
  return [module.nameOf(move.move, move.trace ?? []), ...words].join(" · ");
}

const NOTHING = { sources: new Set(), targets: new Set(), chosen: new Set(), last: [], running: false };

function canvas(module, state, isBare = false) {
  const [width, height] = isBare ? module.bareSize?.(state) ?? [100, 100] : module.size(state);
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "board-svg", "aria-hidden": "true", focusable: "false" });
}

// A static picture of a position, without panels; null if the text cannot be read. `arrows` are as for
// Board.show.
export function picture(game, position, rules, arrows = []) {
  try {
    const module = moduleOf(game), state = module.parse(position, rules);
    state.view = { wide: false, flip: false, bare: true };
    const root = canvas(module, state, true);
    module.draw(root, state, NOTHING);
    for (const one of arrows) root.append(arrow(module, state, one, []));
    return root;
  } catch {
    return null;
  }
}

// --- dragging a piece to where it goes ---

class Drag {
  constructor(board) {
    this.board = board;
    this.key = null;
    this.isDragging = false;
    this.swallow = false;
    const { surface } = board;
    surface.addEventListener("pointerdown", (event) => this.begin(event));
    surface.addEventListener("pointermove", (event) => this.move(event));
    surface.addEventListener("pointerup", (event) => this.end(event));
    surface.addEventListener("pointercancel", () => this.cancel());
  }

  begin(event) {
    const { board } = this;
    this.swallow = false;
    const key = event.target.closest?.("[data-key]")?.getAttribute("data-key");
    if (event.button !== 0 || !key || board.module.chooses_sets || !board.module.token || board.movesFrom(key).length === 0) return;
    this.key = key;
    this.from = [event.clientX, event.clientY];
    this.pointer = event.pointerId;
  }

  move(event) {
    if (this.key === null || event.pointerId !== this.pointer) return;
    const [x, y] = this.from;
    if (!this.isDragging && Math.hypot(event.clientX - x, event.clientY - y) < THRESHOLD) return;
    if (!this.isDragging) this.lift();
    this.place(event);
  }

  lift() {
    const { board } = this;
    this.isDragging = true;
    board.surface.setPointerCapture(this.pointer);
    board.index = -1;
    board.hovered = null;
    board.selected = this.key;
    board.draw();
    ({ flyer: this.flyer } = board.flyer(board.module.token(board.state, this.key, board.state.turn)));
    board.surface.classList.add("dragging");
  }

  place(event) {
    const edge = this.board.surface.getBoundingClientRect();
    this.flyer.style.transform = `translate(${event.clientX - edge.left}px, ${event.clientY - edge.top}px) scale(1.12)`;
  }

  end(event) {
    if (!this.isDragging) {
      this.key = null;
      return;
    }
    const { board, key } = this;
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-key]")?.getAttribute("data-key");
    this.cancel();
    this.swallow = true;
    const fits = board.movesFrom(key).filter((move) => board.endsOf(move).to === target);
    if (fits.length === 1) {
      board.play(fits[0]);
      return;
    }
    if (fits.length > 1) board.selected = key;
    else {
      if (target && target !== key) board.selected = key;
      if (target && target !== key) board.explain(target);
      board.selected = null;
    }
    board.draw();
  }

  cancel() {
    this.flyer?.remove();
    this.flyer = null;
    this.key = null;
    this.isDragging = false;
    this.board.surface.classList.remove("dragging");
  }

  // Whether the click that follows a drag has to be ignored; only once.
  takesClick() {
    const { swallow } = this;
    this.swallow = false;
    return swallow;
  }
}

// --- the board ---

export class Board {
  // `actions`: move(text), and optionally speak(text), edit(key), explain(text), describe(move),
  // highlight(move), choices(element): where buttons to choose among several moves go. `bar` is an
  // element that is shown beside the board and is as long.
  constructor(game, actions, bar = null) {
    this.module = moduleOf(game);
    this.game = game;
    this.actions = actions;
    this.moves = [];
    this.last = [];
    this.arrows = [];
    this.chosen = new Set();
    this.selected = null;
    this.index = -1;
    this.hovered = null;
    this.flipped = false;
    this.wide = true;
    this.surface = el("div", {
      class: "board", tabindex: "0", role: "application", "aria-label": say("board_label"), test: "board",
      onclick: (event) => this.click(event),
    });
    this.choices = el("div", { class: "choices" });
    this.bar = bar;
    this.element = el("div", { class: "stage" }, bar, this.surface);
    this.drag = new Drag(this);
    this.watch = new ResizeObserver(([{ contentRect }]) => {
      this.area = contentRect; // kept, because asking for it lays out the whole page
      this.fit();
    });
    this.watch.observe(this.element);
  }

  close() {
    this.watch.disconnect();
  }

  sizeIf(wide) {
    return this.module.size({ ...this.state, view: { ...this.state.view, wide } });
  }

  // Makes the board as large as its place allows, with panels beside or below it, whichever makes it
  // larger. If both give the same, the taller one fills more of the window.
  fit() {
    if (!this.state) return;
    const [widest, least] = this.sizeIf(true);
    const [narrow, tall] = this.sizeIf(false), { style } = this.element.closest(".play") ?? this.element;
    style.setProperty("--aspect", (widest / least).toFixed(3));
    style.setProperty("--tall", (tall / narrow).toFixed(3));
    if (!this.area) return;
    const hasBar = this.bar && !this.bar.hidden;
    const width = this.area.width - (hasBar && !PHONE.matches ? BAR_WIDTH : 0), height = this.area.height - (hasBar && PHONE.matches ? BAR_HEIGHT : 0);
    const scale = (wide) => {
      const [w, h] = this.sizeIf(wide);
      return Math.min(width / w, height / h);
    };
    if (width <= 0 || height <= 0) return;
    const wide = scale(true) > scale(false), [w, h] = this.sizeIf(wide);
    this.surface.style.width = `${Math.floor(w * scale(wide))}px`;
    this.surface.style.height = `${Math.floor(h * scale(wide))}px`;
    if (wide === this.wide) return;
    this.wide = wide;
    this.draw();
  }

  // Shows a position. `moves` are those that may be played now; `marked`: highlight them; `arrows` are
  // { trace, turn, tone, label, second } or { move, tone } where moves are sets.
  show({ position, rules, moves = [], last = [], lastTurn = 0, marked = false, running = true, arrows = [] }) {
    this.drag.cancel();
    this.position = position;
    this.rules = rules;
    this.state = this.module.parse(position, rules);
    this.moves = moves;
    this.last = last;
    this.lastTurn = lastTurn;
    this.marked = marked;
    this.running = running;
    this.arrows = arrows;
    this.state.view = { wide: this.wide, flip: this.flipped };
    const { wide } = this;
    this.fit();
    if (wide === this.wide || !this.root) this.clearChoice();
  }

  setArrows(arrows) {
    this.arrows = arrows;
    this.draw();
  }

  flip(to = !this.flipped) {
    if (!this.module.flips) return;
    this.flipped = to;
    if (this.state) this.draw();
  }

  clearChoice() {
    this.selected = null;
    this.index = -1;
    this.hovered = null;
    this.chosen = new Set();
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
    this.state.view = { wide: this.wide, flip: this.flipped };
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
    if (!this.module.tints_last) root.insertBefore(this.route(this.last, this.lastTurn, "past"), root.querySelector(".token[data-key]"));
    const labels = [];
    if (!shown && this.selected === null) root.append(...this.arrows.map((one) => (sets ? outline(this.module, this.state, one) : arrow(this.module, this.state, one, labels))));
    // No arrow covers the label of another.
    for (const tag of root.querySelectorAll(".arrow .tag")) {
      const layer = svg("g", { class: tag.parentNode.getAttribute("class") });
      layer.append(tag);
      root.append(layer);
    }
    root.append(...(shown ? [shown] : selectedMoves).map((move) => this.route(move.trace)));
    this.root = root;
    put(this.surface, root);
    this.drawChoices(selectedMoves);
  }

  pathOf(trace, turn) {
    if (this.module.path) return this.module.path(trace, turn, this.state);
    return trace.map((square) => this.module.point(square, turn, this.state));
  }

  // The path of a move as a dashed line with a head.
  route(trace, turn = this.state.turn, kind = "ahead") {
    const group = svg("g", { class: `route ${kind}` });
    if (!trace || trace.length < 2) return group;
    const points = this.pathOf(trace, turn);
    const [[x1, y1], [x2, y2]] = points.slice(-2);
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    group.append(
      svg("polyline", { points: points.map((one) => one.join(",")).join(" ") }),
      svg("path", { d: "M1 0L-4 -2.6L-4 2.6Z", transform: `translate(${x2} ${y2}) rotate(${angle})` }));
    return group;
  }

  drawChoices(selectedMoves) {
    if (this.module.chooses_sets && this.moves.length > 0) {
      const move = this.chosenMove();
      put(this.choices, button(this.module.setWords([...this.chosen], this.state), () => this.play(move), { disabled: !move, test: "close", class: "main" }));
    } else if (this.module.offers_choices && selectedMoves.length > 1) {
      put(this.choices, selectedMoves.map((move) => button(moveName(this.game, move, this.position, this.rules), () => this.play(move), {
        test: "choice", "data-move": move.move,
        onmouseenter: () => this.hover(move), onmouseleave: () => this.hover(null),
      })));
    } else put(this.choices);
    this.actions.choices?.(this.choices.childElementCount > 0);
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
    if (this.drag.takesClick()) return undefined;
    const key = event.target.closest?.("[data-key]")?.getAttribute("data-key");
    if (key === undefined || key === null) return this.clearChoice();
    if (this.actions.edit?.(key)) return undefined;
    if (this.module.chooses_sets) return this.toggle(key);
    const here = this.selected === null ? [] : this.movesFrom(this.selected).filter((move) => this.endsOf(move).to === key);
    if (here.length === 1) return this.play(here[0]);
    const begins = this.movesFrom(key);
    if (begins.length === 1 && this.module.plays_at_once) return this.play(begins[0]);
    if (begins.length === 0) this.explain(key);
    this.index = -1;
    this.hovered = null;
    this.selected = begins.length > 0 && this.selected !== key ? key : null;
    return this.draw();
  }

  // Says why a click there does nothing.
  explain(key) {
    if (this.moves.length === 0 && !this.module.explain) return;
    const words = this.module.explain?.(this.state, key, this.moves, this.selected);
    if (words) this.actions.explain?.(words);
  }

  toggle(key) {
    if (this.moves.length === 0) return;
    const words = this.module.explain?.(this.state, key, this.moves, null);
    if (words && !this.chosen.has(key)) this.actions.explain?.(words);
    if (!this.module.isChoosable(this.state, key)) return;
    this.index = -1;
    this.hovered = null;
    if (!this.chosen.delete(key)) this.chosen.add(key);
    this.draw();
  }

  // Plays the move that is highlighted or chosen; whether there is one.
  playChosen() {
    const move = this.moves[this.index] ?? (this.module.chooses_sets ? this.chosenMove() : null);
    if (move) this.play(move);
    return Boolean(move);
  }

  // Highlights the next legal move, or the previous one; whether there are any.
  step(by) {
    if (this.moves.length === 0) return false;
    this.selected = null;
    this.hovered = null;
    this.index = this.index < 0 ? (by > 0 ? 0 : this.moves.length - 1) : (this.index + by + this.moves.length) % this.moves.length;
    const move = this.moves[this.index];
    this.chosen = new Set(this.module.chooses_sets ? this.module.parts(move.move) : []);
    this.draw();
    const words = [told(move.told) || move.move, this.actions.describe?.(move)].filter(Boolean).join(", ");
    this.actions.speak?.(say("preview", words, this.index + 1, this.moves.length));
    this.actions.highlight?.(move.move);
    return true;
  }

  // --- animation: only transforms of elements of their own, which the compositor moves ---

  // An element with one piece that floats over the board, its origin at the piece's middle.
  flyer(drawn) {
    const matrix = this.root.getScreenCTM(), edge = this.surface.getBoundingClientRect();
    const scale = matrix.a;
    const flyer = svg("svg", { class: "flyer", width: 1, height: 1, "aria-hidden": "true" }, svg("g", { transform: `scale(${scale})` }, drawn));
    this.surface.append(flyer);
    const place = ([x, y]) => `translate(${(x * scale + matrix.e - edge.left).toFixed(2)}px, ${(y * scale + matrix.f - edge.top).toFixed(2)}px)`;
    return { flyer, place };
  }

  // Animates a piece along `trace` to where it is already drawn; `before` is the position it leaves.
  // `pace` multiplies the time.
  async slide(trace, turn, before, rules, pace = 1) {
    if (trace.length < 2 || !this.module.token) return;
    const points = this.pathOf(trace, turn);
    const { flyer, place } = this.flyer(this.module.token(this.module.parse(before, rules), trace[0], turn));
    const hidden = [...this.root.querySelectorAll(".token[data-key]")].filter((drawn) => drawn.getAttribute("data-key") === trace.at(-1));
    for (const drawn of hidden) drawn.setAttribute("visibility", "hidden");
    const lengths = points.slice(1).map(([x, y], i) => Math.hypot(x - points[i][0], y - points[i][1]));
    const whole = lengths.reduce((sum, length) => sum + length, 0) || 1;
    let sum = 0;
    const frames = points.map((at, i) => {
      sum += i ? lengths[i - 1] : 0;
      return { transform: place(at), offset: sum / whole };
    });
    const time = Math.min(1100, Math.max(260, whole / SPEED)) * pace;
    flyer.style.transform = place(points[0]);
    await painted();
    flyer.style.transform = place(points.at(-1));
    const run = flyer.animate(frames, { duration: time, easing: "ease-in-out" });
    await finished(run, time);
    flyer.remove();
    for (const drawn of hidden) drawn.removeAttribute("visibility");
  }

  clearCallout() {
    this.element.querySelector(".callout")?.remove();
  }

  // A word over the board that fades away.
  async callout(words, isAnimated) {
    this.clearCallout();
    const note = el("div", { class: "callout", test: "callout", "aria-hidden": "true" }, words);
    if (isAnimated) note.style.opacity = 0;
    this.element.append(note);
    if (isAnimated) await painted();
    if (isAnimated) note.animate([{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "scale(1.06)", offset: 0.18 }, { opacity: 1, transform: "scale(1)", offset: 0.75 }, { opacity: 0, transform: "scale(1) translateY(-20px)" }], { duration: CALLOUT_TIME });
    setTimeout(() => note.remove(), CALLOUT_TIME);
  }
}
