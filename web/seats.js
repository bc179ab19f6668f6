// Who plays which seat: a form for the lobby and for playing on from a position.

import { el, put } from "./dom.js";
import { say, told } from "./words.js";
import { playerName } from "./values.js";

const PREFERRED = ["expectimax", "alphabeta:1s", "perfect", "greedy", "random"];

// A setting in words: `6` is a depth, `200ms` and `1s` are times per move.
function settingWords(setting) {
  const [, number, unit] = /^([\d.]+)(ms|s)?$/.exec(setting) ?? [];
  if (unit) return say("seconds", unit === "ms" ? number / 1000 : number);
  return number ? say("moves_ahead", number) : setting;
}

// The name of a computer player with its setting.
export function computerName(player) {
  const [name, setting] = player.split(":");
  return setting ? `${name} (${settingWords(setting)})` : name;
}

// The computer players of a game: [text, description]. Whether `perfect` can play depends on the
// rules, so with rules other than the default it is always offered.
function computers(players, game, unusual) {
  const able = players.filter((player) => player.games.includes(game) || (unusual && player.name === "perfect"));
  return able.flatMap((player) => {
    if (!player.levels?.length) return [[player.name, `${player.name}: ${told(player.about)}`]];
    return player.levels.map((level) => [`${player.name}:${level}`, `${player.name}: ${settingWords(level)}`]);
  });
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
    this.computers = computers(this.players, this.game, unusual);
    const preferred = PREFERRED.find((name) => this.computers.some(([text]) => text === name)) ?? this.computers[0]?.[0];
    for (const seat of this.chosen) if (!this.computers.some(([text]) => text === seat.player)) seat.player = preferred;
    while (this.chosen.length < count)
      this.chosen.push({ kind: this.chosen.length === 0 || !preferred ? "here" : "computer", player: preferred });
    this.count = count;
    put(this.element, el("legend", {}, say("seats")), this.chosen.slice(0, count).map((seat, number) => this.row(seat, number)));
  }

  row(seat, number) {
    const kinds = ["here", "link", ...(this.computers.length ? ["computer"] : [])];
    const player = el("select", {
      "data-test": `seat-${number}-player`, "aria-label": say("computer_player", number), hidden: seat.kind !== "computer",
      onchange: (event) => { seat.player = event.target.value; },
    }, this.computers.map(([text, about]) => el("option", { value: text, selected: text === seat.player }, about)));
    const kind = el("select", {
      id: `seat-${number}`, "data-test": `seat-${number}-kind`,
      onchange: (event) => { seat.kind = event.target.value; player.hidden = seat.kind !== "computer"; },
    }, kinds.map((name) => el("option", { value: name, selected: name === seat.kind }, say("kind_" + name))));
    return el("div", { class: "seat" }, el("label", { for: `seat-${number}` }, playerName(this.game, number)), kind, player);
  }

  // As POST /api/games takes them.
  values() {
    return this.chosen.slice(0, this.count).map((seat) => (seat.kind === "computer" ? { kind: seat.kind, player: seat.player } : { kind: seat.kind }));
  }
}
