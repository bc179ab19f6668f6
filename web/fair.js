// Checks that the throws of a game were fixed before it began: the commitment (with SHA-256 written
// here, because crypto.subtle is missing over plain HTTP) and every throw, recomputed from the seed.

import { button, el, put } from "./dom.js";
import { say } from "./words.js";

// --- SHA-256 ---

const WORD = 2 ** 32;

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

const fraction = (x) => Math.floor((x - Math.floor(x)) * WORD);
const CONSTANTS = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const BEGIN = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const turn = (x, bits) => (x >>> bits) | (x << (32 - bits));

function compress(state, block) {
  const w = [...block];
  for (let i = 16; i < 64; i++) {
    const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + CONSTANTS[i] + w[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((x, i) => (x + state[i]) | 0);
}

export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const words = new Array((((bytes.length + 8) >> 6) + 1) * 16).fill(0);
  bytes.forEach((byte, i) => { words[i >> 2] |= byte << (24 - 8 * (i & 3)); });
  words[bytes.length >> 2] |= 0x80 << (24 - 8 * (bytes.length & 3));
  words[words.length - 1] = bytes.length * 8;
  let state = BEGIN;
  for (let i = 0; i < words.length; i += 16) state = compress(state, words.slice(i, i + 16));
  return state.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}

// --- random numbers, as in src/base/random.c ---

const MASK = (1n << 64n) - 1n;

// The next state of splitmix, and its output.
function splitmix(state) {
  const next = (state + 0x9e3779b97f4a7c15n) & MASK;
  let z = ((next ^ (next >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return [next, z ^ (z >> 31n)];
}

function randomFromSeed(seed, stream) {
  let state = splitmix(stream)[1] ^ seed;
  const words = [];
  for (let i = 0; i < 4; i++) {
    const [next, word] = splitmix(state);
    state = next;
    words.push(word);
  }
  return words;
}

const rotateLeft = (x, bits) => ((x << bits) | (x >> (64n - bits))) & MASK;

function randomNext(s) {
  const result = (rotateLeft((s[1] * 5n) & MASK, 7n) * 9n) & MASK;
  const shifted = (s[1] << 17n) & MASK;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotateLeft(s[3], 45n);
  return result;
}

function randomBelow(random, bound) {
  const skip = (1n << 64n) % bound;
  for (;;) {
    const x = randomNext(random);
    if (x >= skip) return x % bound;
  }
}

// What step `number` must have thrown. `weights` are pairs of a throw and its weight out of `whole`.
export function throwOf(seed, number, weights, whole) {
  let x = randomBelow(randomFromSeed(BigInt(seed), BigInt(number)), BigInt(whole));
  for (const [move, weight] of weights) {
    if (x < BigInt(weight)) return move;
    x -= BigInt(weight);
  }
  return null;
}

// --- the check ---

// Whether the commitment matches, and which throws do not follow from the seed.
export function checkGame(game) {
  const { seed, salt, given } = game.seed;
  const throws = game.steps.map((step, number) => ({ ...step, number })).filter((step) => step.actor === "chance");
  const known = throws.filter((step) => step.number >= given);
  const wrong = known.filter((step) => throwOf(seed, step.number, step.weights, step.whole) !== step.move);
  return {
    sealed: sha256(`${salt}:${seed}`) === game.commitment,
    count: known.length,
    unknown: throws.length - known.length,
    wrong: wrong.map((step) => step.number + 1),
  };
}

function verdict({ sealed, count, unknown, wrong }) {
  const throws = wrong.length ? say("fair_throws_bad", count - wrong.length, count, wrong.join(", "))
    : count ? say("fair_throws_good", count) : unknown ? "" : say("fair_no_throws");
  return [say(sealed ? "fair_seal_good" : "fair_seal_bad"), throws, unknown ? say("fair_unknown", unknown) : ""].filter(Boolean).join(" ");
}

// Shows the commitment; seed, salt and the check once the game is over.
export function fairPanel(game) {
  if (!game.commitment) return null;
  const panel = el("details", { class: "card" }, el("summary", {}, say("fair")), el("p", {}, say("fair_about")),
    el("code", { class: "seal", test: "commitment" }, game.commitment));
  if (!game.seed) {
    panel.append(el("p", {}, say("fair_later")));
    return panel;
  }
  const result = el("p", { test: "fair-result", role: "status" });
  const check = () => {
    const found = checkGame(game);
    const good = found.sealed && found.wrong.length === 0;
    result.className = good ? "good" : "bad";
    put(result, `${good ? "✓" : "✗"} ${verdict(found)}`);
  };
  panel.append(
    el("dl", {}, el("dt", {}, say("seed")), el("dd", {}, game.seed.seed), el("dt", {}, say("salt")), el("dd", {}, game.seed.salt)),
    button(say("check"), check, { test: "check-fair" }), result);
  return panel;
}
