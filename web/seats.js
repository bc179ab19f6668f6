// Who plays which seat: which computers there are, and a form for every seat by itself.

import { hasServer } from "./api.js";
import { el, put } from "./dom.js";
import { kindName, settingWords } from "./players.js";
import { playerName } from "./values.js";
import { say, told } from "./words.js";

const LEVELS = ["easy", "normal", "strong", "best"];

// The computer players of a game: [text, description]. Whether a player that needs a table can play
// depends on the rules, so with rules other than the default it is offered, too.
export function computersOf(players, game, unusual) {
  const able = players.filter((player) => player.games.includes(game) || (unusual && player.name === "perfect"));
  return able.flatMap((player) => {
    const name = kindName(player.name);
    if (!player.levels?.length) return [[player.name, `${name}: ${told(player.about)}`]];
    return player.levels.map((level) => [`${player.name}:${level}`, `${name}: ${settingWords(level)}`]);
  });
}

// Levels from easy to best: those that the server lists as players, or else the strongest of the other
// players that can play the game, by what they can do. Each is [level, player].
export function levelsOf(players, game) {
  const able = players.filter((player) => player.games.includes(game));
  const named = LEVELS.filter((level) => able.some((player) => player.name === level));
  if (named.length) return named.map((level) => [level, level]);
  const texts = able.flatMap((player) => (player.levels?.length ? player.levels.map((level) => `${player.name}:${level}`) : [player.name]));
  const order = [["easy", ["random"]], ["normal", ["greedy", "minimax:2"]], ["strong", ["expectimax", "alphabeta:4"]], ["best", ["perfect", "alphabeta:1s"]]];
  return order.map(([level, names]) => [level, names.find((name) => texts.includes(name))]).filter(([, name]) => name);
}

export class Seats {
  constructor(players, game) {
    this.players = players;
    this.game = game;
    this.chosen = [];
    this.element = el("fieldset", { class: "seats" });
  }

  // Shows `count` seats and keeps what was chosen. `unusual`: the rules are not the default.
  show(count, unusual) {
    this.computers = computersOf(this.players, this.game, unusual);
    const preferred = levelsOf(this.players, this.game).at(-1)?.[1] ?? this.computers[0]?.[0];
    for (const seat of this.chosen) if (!this.computers.some(([text]) => text === seat.player)) seat.player = preferred;
    while (this.chosen.length < count)
      this.chosen.push({ kind: this.chosen.length === 0 || !preferred ? "here" : "computer", player: preferred });
    Object.assign(this, { count, unusual });
    put(this.element, el("legend", {}, say("seats")), this.chosen.slice(0, count).map((seat, number) => this.row(seat, number)));
  }

  // Fills the seats: `set(number)` gives { kind, player }.
  fill(set) {
    this.chosen = this.chosen.map((seat, number) => ({ ...seat, ...set(number) }));
    this.show(this.count, this.unusual);
  }

  row(seat, number) {
    const kinds = ["here", ...(hasServer ? ["link"] : []), ...(this.computers.length ? ["computer"] : [])];
    const player = el("select", {
      test: `seat-${number}-player`, "aria-label": say("computer_player", number + 1), hidden: seat.kind !== "computer",
      onchange: (event) => { seat.player = event.target.value; this.touched = true; },
    }, this.computers.map(([text, about]) => el("option", { value: text, selected: text === seat.player }, about)));
    const kind = el("select", {
      id: `seat-${number}`, test: `seat-${number}-kind`,
      onchange: (event) => { seat.kind = event.target.value; player.hidden = seat.kind !== "computer"; this.touched = true; },
    }, kinds.map((name) => el("option", { value: name, selected: name === seat.kind }, say(`kind_${name}`))));
    return el("div", { class: "seat" }, el("label", { for: `seat-${number}` }, playerName(this.game, number)), kind, player);
  }

  // As POST /api/games takes them.
  values(name) {
    return this.chosen.slice(0, this.count).map((seat) => {
      if (seat.kind === "computer") return { kind: seat.kind, player: seat.player };
      return seat.kind === "here" && name && this.chosen.slice(0, this.count).filter(({ kind }) => kind === "here").length === 1 ? { kind: seat.kind, name } : { kind: seat.kind };
    });
  }
}
