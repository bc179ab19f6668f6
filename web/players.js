// Who plays: names; a line for each seat with presence and whose turn it is; which computers there are, and
// a form for every seat by itself.

import { hasServer } from "./api.js";
import { moduleOf } from "./board.js";
import { button, el, openDialog, put } from "./dom.js";
import * as store from "./store.js";
import { emblem, playerName } from "./values.js";
import { addWords, say, told } from "./words.js";

addWords({
  player_random: ["random", "무작위"],
  player_greedy: ["greedy", "욕심쟁이"],
  player_expectimax: ["expectimax", "한 차례 앞 읽기"],
  player_minimax: ["minimax", "수읽기"],
  player_alphabeta: ["alphabeta", "깊은 수읽기"],
  player_perfect: ["perfect", "완벽"],
});

const LEVELS = ["easy", "normal", "strong", "best"];

// A setting in words: `6` is a depth, `200ms` and `1s` are times per move.
export function settingWords(setting) {
  const [, number, unit] = /^([\d.]+)(ms|s)?$/.exec(setting) ?? [];
  if (unit) return say("seconds", unit === "ms" ? number / 1000 : number);
  return number ? say("moves_ahead", number) : setting;
}

// The name of a kind of computer player: a level, or how it plays.
export function kindName(name) {
  return ["level_", "player_"].map((prefix) => [prefix + name, say(prefix + name)]).find(([key, words]) => key !== words)?.[1] ?? name;
}

// The name of a computer player with its setting.
export function computerName(player) {
  const [name, setting] = player.split(":"), words = kindName(name);
  return say("computer_level", words) + (setting ? ` (${settingWords(setting)})` : "");
}

// What a seat is called: the name that its player chose, the computer, or the mark of the seat.
export function seatName(game, seat, isMine = false) {
  const { kind, player, name } = game.seats[seat] ?? {};
  if (name) return name;
  if (kind === "computer") return computerName(player);
  return (isMine && game.you.length === 1 && store.savedName()) || playerName(game.game, seat);
}

// The same with the mark of the seat on the board, where the name does not contain it.
export function markedName(game, seat, isMine) {
  const name = seatName(game, seat, isMine), mark = moduleOf(game.game).seatMark(seat);
  return game.seats.length < 2 || name === playerName(game.game, seat) ? name : `${name} (${mark})`;
}

// A text from the server in which players are numbers, with their names instead.
export function namedText(text, nameOf) {
  return text.replace(/(?:player|선수) (\d)/gi, (all, seat) => nameOf(Number(seat)));
}

// A line for each seat. `present` is { seats, watchers } or null if unknown; `onInvite` gets the link of
// a seat that nobody has taken.
export function drawStrip(place, session, turn, onInvite) {
  const { game, present } = session, links = store.seatLinks(game.id);
  place.className = `strip${game.seats.length > 2 ? " many" : game.seats.length === 1 ? " one" : ""}`;
  put(place, game.seats.map((seat, number) => {
    const isMine = session.isMine(number), isHere = isMine || present?.seats.includes(number);
    const words = seatName(game, number, isMine);
    const state = seat.kind === "computer" ? "machine" : isHere ? "here" : "away";
    const presence = state === "machine" ? say("computer") : say(isHere ? "here_now" : "not_here", words);
    const link = !seat.taken && links.find((one) => one.seat === number);
    return el("div", { class: `seat-line p${number}${turn === number ? " turn" : ""}`, test: `seat-${number}`, "data-state": state },
      game.seats.length > 1 && emblem(game.game, number),
      el("span", { class: "who", title: words }, words, isMine && game.seats.length > 1 && el("small", {}, ` · ${say("you")}`)),
      link ? button(say("invite"), () => onInvite(link), { test: `invite-${number}` })
        : el("span", { class: `dot ${state}`, role: "img", "aria-label": presence, title: presence }));
  }));
}

// Asks for the owner's name.
export function askName(onName) {
  const input = el("input", { type: "text", maxlength: 24, value: store.savedName(), id: "name", test: "name-input", autocomplete: "nickname" });
  const form = el("form", { method: "dialog", onsubmit: () => { store.saveName(input.value.trim()); onName(input.value.trim()); } },
    el("p", {}, el("label", { for: "name" }, say("name_hint"))), el("p", { class: "row" }, input, el("button", { type: "submit", class: "main", test: "name-go" }, "OK")));
  const dialog = openDialog(say("your_name"), form, { test: "name-dialog" });
  form.addEventListener("submit", () => setTimeout(() => dialog.close()));
  input.focus();
}

export function nameButton(onName) {
  return button(store.savedName() || say("your_name"), () => askName(onName), { test: "name" });
}

// --- who plays which seat ---

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
