// QR codes of links: byte mode, error correction level M, versions 1 to 10 (up to 213 bytes).
//
// A code is a square of modules. Three finders, timing lines, alignment marks and the format are fixed;
// the rest holds the data and its Reed-Solomon codewords in a zigzag from the bottom right, inverted by
// one of eight masks.

import { svg } from "./dom.js";

// For each version: codewords of error correction per block, and the data codewords of each block.
const BLOCKS = [null, [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]]];
const ALIGNMENT = [null, [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const MASKS = [
  (x, y) => (x + y) % 2 === 0, (x, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

// --- Reed-Solomon over GF(256) with the polynomial 0x11d ---

const EXP = new Uint8Array(512), LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
}
const times = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);

function correction(data, count) {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const next = [...generator, 0];
    generator.forEach((value, j) => { next[j + 1] ^= times(value, EXP[i]); });
    generator = next;
  }
  const rest = [...data, ...Array(count).fill(0)];
  data.forEach((_, i) => {
    const factor = rest[i];
    if (factor) generator.forEach((value, j) => { rest[i + j] ^= times(value, factor); });
  });
  return rest.slice(data.length);
}

// --- the codewords ---

function pickVersion(length) {
  for (let version = 1; version < BLOCKS.length; version++) {
    const room = BLOCKS[version][1].reduce((sum, size) => sum + size, 0);
    if (length + (version < 10 ? 2 : 3) <= room) return version;
  }
  return 0;
}

function codewords(bytes, version) {
  const [count, sizes] = BLOCKS[version], room = sizes.reduce((sum, size) => sum + size, 0);
  const bits = [];
  const add = (value, length) => { for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1); };
  add(4, 4); // byte mode
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  add(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(bits.slice(i, i + 8).reduce((value, bit) => value * 2 + bit, 0));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);
  const blocks = [];
  let at = 0;
  for (const size of sizes) blocks.push(data.slice(at, (at += size)));
  const extra = blocks.map((block) => correction(block, count)), all = [];
  for (let i = 0; i < Math.max(...sizes); i++) for (const block of blocks) if (i < block.length) all.push(block[i]);
  for (let i = 0; i < count; i++) for (const block of extra) all.push(block[i]);
  return all;
}

// --- the square ---

// Appends the remainder of a binary division: for the format and the version.
function withCheck(value, bits, generator) {
  let rest = value << bits;
  const top = 31 - Math.clz32(generator);
  for (let i = 31 - Math.clz32(rest || 1); i >= top; i--) if ((rest >> i) & 1) rest ^= generator << (i - top);
  return (value << bits) | rest;
}

// The fixed patterns: modules[y][x] is true, false, or null where data goes.
function frame(version) {
  const size = 17 + 4 * version, modules = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (x, y, value) => { if (modules[y]?.[x] !== undefined) modules[y][x] = value; };
  const finder = (cx, cy) => {
    for (let dy = -4; dy <= 4; dy++) for (let dx = -4; dx <= 4; dx++) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy));
      set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
    }
  };
  for (let i = 0; i < size; i++) { set(6, i, i % 2 === 0); set(i, 6, i % 2 === 0); }
  finder(3, 3); finder(size - 4, 3); finder(3, size - 4);
  const marks = ALIGNMENT[version];
  for (const cy of marks) for (const cx of marks) {
    if ((cx === 6 && cy === 6) || (cx === 6 && cy === size - 7) || (cx === size - 7 && cy === 6)) continue;
    for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
  }
  return modules;
}

function setFormat(modules, version, mask) {
  const size = modules.length, bits = withCheck(mask, 10, 0x537) ^ 0x5412; // level M is 00
  const bit = (i) => Boolean((bits >> i) & 1);
  for (let i = 0; i <= 5; i++) modules[i][8] = bit(i);
  modules[7][8] = bit(6); modules[8][8] = bit(7); modules[8][7] = bit(8);
  for (let i = 9; i < 15; i++) modules[8][14 - i] = bit(i);
  for (let i = 0; i < 8; i++) modules[8][size - 1 - i] = bit(i);
  for (let i = 8; i < 15; i++) modules[size - 15 + i][8] = bit(i);
  modules[size - 8][8] = true;
  if (version < 7) return;
  const about = withCheck(version, 12, 0x1f25);
  for (let i = 0; i < 18; i++) {
    const x = size - 11 + (i % 3), y = Math.floor(i / 3);
    modules[y][x] = modules[x][y] = Boolean((about >> i) & 1);
  }
}

function fillData(modules, isFixed, words, mask) {
  const size = modules.length;
  let i = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) for (let side = 0; side < 2; side++) {
      const x = right - side, y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      if (isFixed[y][x]) continue;
      const value = i < words.length * 8 && Boolean((words[i >> 3] >> (7 - (i & 7))) & 1);
      modules[y][x] = value !== MASKS[mask](x, y);
      i++;
    }
  }
}

// How hard a square is to read: long runs, and an unequal number of dark and light modules.
function penalty(modules) {
  const size = modules.length;
  let sum = 0, dark = 0;
  for (const get of [(i, j) => modules[i][j], (i, j) => modules[j][i]])
    for (let i = 0; i < size; i++) for (let j = 0, run = 0; j < size; j++) {
      run = j && get(i, j) === get(i, j - 1) ? run + 1 : 1;
      if (run >= 5) sum += run === 5 ? 3 : 1;
    }
  for (const row of modules) for (const module of row) dark += module ? 1 : 0;
  return sum + Math.floor(Math.abs((dark * 20) / size ** 2 - 10)) * 10;
}

// The modules of a text as rows of booleans; null if it is too long.
export function encode(text) {
  const bytes = [...new TextEncoder().encode(text)], version = pickVersion(bytes.length);
  if (!version) return null;
  const words = codewords(bytes, version);
  let best = null;
  for (let mask = 0; mask < MASKS.length; mask++) {
    const modules = frame(version);
    setFormat(modules, version, mask);
    const isFixed = modules.map((row) => row.map((module) => module !== null));
    fillData(modules, isFixed, words, mask);
    const cost = penalty(modules);
    if (!best || cost < best.cost) best = { modules, cost };
  }
  return best.modules;
}

// The code as a picture with its margin.
export function qrPicture(text, words) {
  const modules = encode(text);
  if (!modules) return null;
  const size = modules.length + 8;
  const dots = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": words, test: "qr", "shape-rendering": "crispEdges" }, svg("path", { d: dots }));
}
