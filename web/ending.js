// The end of a game: who won, one sentence of the story, and what to do next.

import * as api from "./api.js";
import { button, el, put } from "./dom.js";
import { namedText, seatName } from "./players.js";
import { savedName } from "./store.js";
import { signedText } from "./values.js";
import { say, told } from "./words.js";

const SLIGHT = 0.03;
const WORDS_MIN = 24; // a shorter text only repeats who won

// The seat that won alone, or -1.
export function winnerOf(game) {
  const result = game.now.result ?? [];
  if (result.length < 2) return -1;
  const best = Math.max(...result);
  return result.filter((value) => value === best).length === 1 ? result.indexOf(best) : -1;
}

export function endingTitle(session) {
  const { game } = session, { result } = game.now, winner = winnerOf(game);
  if (!result) return say("over");
  if (result.length === 1) return namedText(told(game.now.told), (seat) => seatName(game, seat, session.isMine(seat))) || say("ending_score", result[0]);
  if (winner < 0) return say("ending_tie");
  if (!session.plays() || game.you.length > 1) return say("ending_won", seatName(game, winner, session.isMine(winner)));
  return say(session.isMine(winner) ? "ending_you" : "ending_lost");
}

// One sentence about luck and mistakes, from the review.
export function storyOf(session, review, worstStep) {
  const { game } = session, winner = winnerOf(game), words = [];
  const name = (seat) => seatName(game, seat, session.isMine(seat));
  const exact = review.exact !== false;
  if (winner >= 0 && review.steps.some((step) => step.luck !== undefined)) {
    const luck = review.players[winner].luck - Math.max(...review.players.filter((_, seat) => seat !== winner).map((player) => player.luck));
    if (Math.abs(luck) < SLIGHT) words.push(say("story_even"));
    else words.push(say(luck > 0 ? "story_lucky" : "story_unlucky", name(winner), signedText(luck, review.counted, exact)));
  }
  if (worstStep === null) words.push(say("story_clean"));
  else words.push(say("story_mistake", worstStep + 1, name(game.steps[worstStep].player)));
  return words.join(" ");
}

// The same game once more; with `swap`, everybody one seat further.
async function playAgain(game, swap) {
  const seats = game.seats.map(({ kind, player }) => (kind === "computer" ? { kind, player } : { kind, ...(kind === "here" && savedName() ? { name: savedName() } : {}) }));
  if (swap) seats.unshift(seats.pop());
  api.openMade(await api.makeGame({ game: game.game, rules: game.rules_text, seats, position: game.start }));
}

// `actions`: review(), report(function). `tray` shows the last throw; or null.
export function endingPanel(session, actions, tray) {
  const { game } = session;
  const story = el("p", { test: "story" }, say("story_wait"));
  const again = (swap) => actions.report(() => playAgain(game, swap));
  const panel = el("section", { class: "card ending", test: "ending" },
    el("div", { class: "ending-head" }, el("h2", { test: "ending-title" }, endingTitle(session).replace(/\.$/, "")), tray),
    game.now.result?.length > 1 && told(game.now.told).length > WORDS_MIN && el("p", { class: "note" }, namedText(told(game.now.told), (seat) => seatName(game, seat, session.isMine(seat)))),
    story,
    el("div", { class: "row" },
      button(say("review"), actions.review, { class: "main", test: "open-review" }),
      session.plays() && button(say("rematch"), () => again(false), { test: "rematch" }),
      session.plays() && game.seats.length > 1 && button(say("swap_seats"), () => again(true), { test: "swap" }),
      el("a", { class: "button", href: `#/new/${game.game}`, test: "new-game" }, say("new_game"))));
  return { panel, tell: (words) => put(story, words) };
}
