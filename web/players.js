// Who plays: names, and a line for each seat with presence and whose turn it is.

import { moduleOf } from "./board.js";
import { button, el, openDialog, put } from "./dom.js";
import * as store from "./store.js";
import { emblem, playerName } from "./values.js";
import { addWords, say } from "./words.js";

addWords({
  player_random: ["random", "무작위"],
  player_greedy: ["greedy", "욕심쟁이"],
  player_expectimax: ["expectimax", "한 차례 앞 읽기"],
  player_minimax: ["minimax", "수읽기"],
  player_alphabeta: ["alphabeta", "깊은 수읽기"],
  player_perfect: ["perfect", "완벽"],
});

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
