// Sounds made by the page itself, and vibration. Nothing sounds before the first click or key.

import { soundWanted } from "./store.js";

let context = null;

// Browsers allow sound only after a gesture.
export function readySound() {
  if (!context && window.AudioContext) context = new AudioContext();
  if (context?.state === "suspended") context.resume();
}

// A short tone: frequency in Hz, start and length in seconds.
function tone(frequency, start, length, volume = 0.12, type = "triangle") {
  const from = context.currentTime + start;
  const source = context.createOscillator(), gain = context.createGain();
  source.type = type;
  source.frequency.setValueAtTime(frequency, from);
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(volume, from + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0006, from + length);
  source.connect(gain).connect(context.destination);
  source.start(from);
  source.stop(from + length + 0.02);
}

// A knock of wood: a burst of filtered noise.
function knock(start, pitch = 900, volume = 0.28) {
  const from = context.currentTime + start, length = 0.06;
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const source = context.createBufferSource(), filter = context.createBiquadFilter(), gain = context.createGain();
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 1.6;
  gain.gain.value = volume;
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(from);
}

const chord = (notes, step, length) => notes.forEach((note, i) => tone(note, i * step, length));

const SOUNDS = {
  throw: () => [0, 0.07, 0.13, 0.18].forEach((at, i) => knock(at, 700 + 180 * i, 0.14)),
  land: () => [0, 0.04, 0.09, 0.15].forEach((at, i) => knock(at, 1100 - 120 * i)),
  move: () => knock(0, 620, 0.34),
  close: () => { knock(0, 480, 0.4); knock(0.05, 760, 0.2); },
  stack: () => { knock(0, 560, 0.3); tone(523, 0.04, 0.16); tone(659, 0.1, 0.2); },
  catch: () => { knock(0, 380, 0.5); chord([392, 523, 784], 0.06, 0.22); },
  home: () => chord([523, 659, 784, 1047], 0.07, 0.25),
  great: () => chord([659, 831, 988], 0.06, 0.3),
  bust: () => chord([330, 262, 196], 0.11, 0.28),
  win: () => chord([523, 659, 784, 1047, 1319], 0.1, 0.4),
  lose: () => chord([392, 349, 294, 262], 0.14, 0.36),
  wrong: () => tone(180, 0, 0.16, 0.1, "square"),
  right: () => chord([659, 988], 0.08, 0.25),
};
const SHAKES = { throw: 25, land: 15, catch: [30, 40, 60], great: [20, 30, 20], win: [40, 60, 80], bust: 60 };

// Plays a sound by its name. The body counts them, for tests.
export function play(name) {
  if (!soundWanted() || !context || !SOUNDS[name]) return;
  const { dataset } = document.body;
  dataset.sounds = String(Number(dataset.sounds ?? 0) + 1);
  dataset.lastSound = name;
  try {
    SOUNDS[name]();
  } catch {
    // A device without sound is no reason to stop a game.
  }
  if (SHAKES[name]) navigator.vibrate?.(SHAKES[name]);
}
