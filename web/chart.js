// A chart of the value over the game, one line per player; clicking a point goes to that position.

import { label, svg } from "./dom.js";
import { capital, seatMark } from "./values.js";
import { say } from "./words.js";

const WIDTH = 320;
const HEIGHT = 130;
const LEFT = 40;
const RIGHT = 36;
const TOP = 8;
const BOTTOM = 18;
const DASHES = [null, "6 3", "2 3", "8 3 2 3"];

// `rows` are the values before each step and at the end; `at` is the position shown; `marks` maps the
// numbers of steps to "bad" or "fair".
export function drawChart(game, rows, at, onPick, marks = new Map()) {
  const all = rows.flat();
  const low = Math.min(0, ...all), high = Math.max(1, ...all);
  const x = (i) => LEFT + ((WIDTH - LEFT - RIGHT) * i) / Math.max(rows.length - 1, 1);
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - low)) / (high - low);
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": say("history"), test: "chart" });
  for (const part of [0, 0.5, 1]) {
    const value = low + (high - low) * part;
    root.append(svg("path", { d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}`, class: "grid" }));
    root.append(label(LEFT - 4, y(value), 11, high > 1 ? Math.round(value) : `${Math.round(value * 100)} %`, { class: "small", "text-anchor": "end" }));
  }
  root.append(label(x(0), HEIGHT - 6, 11, 0, { class: "small" }), label(x(rows.length - 1), HEIGHT - 6, 11, rows.length - 1, { class: "small" }));
  if (rows[at]) root.append(svg("path", { d: `M${x(at)} ${TOP}V${HEIGHT - BOTTOM}`, class: "at" }));
  // With two players the second line would mirror the first.
  const players = rows[0].length === 2 ? [0] : rows[0].map((_, player) => player);
  for (const player of players) {
    const line = rows.map((values, i) => `${x(i).toFixed(1)},${y(values[player]).toFixed(1)}`).join(" ");
    if (players.length === 1) root.append(svg("polygon", { points: `${x(0)},${y(low)} ${line} ${x(rows.length - 1)},${y(low)}`, class: `area p${player}` }));
    root.append(svg("polyline", { points: line, class: `line p${player}`, "stroke-dasharray": DASHES[player % DASHES.length] }));
    if (rows[0].length > 1) root.append(label(WIDTH - 1, Math.min(Math.max(y(rows.at(-1)[player]), 12), HEIGHT - 24), 11, capital(seatMark(game, player)), { class: `line-letter p${player}`, "text-anchor": "end" }));
  }
  rows.forEach((values, i) => {
    const mark = marks.get(i);
    const point = svg("g", { class: `point p0${i === at ? " here" : ""}${mark ? ` ${mark}` : ""}`, test: "chart-point", "data-step": i, onclick: () => onPick(i) });
    const half = (WIDTH - LEFT - RIGHT) / Math.max(rows.length - 1, 1) / 2;
    point.append(svg("rect", { x: x(i) - half, y: 0, width: half * 2, height: HEIGHT, class: "hit" }));
    if (mark) point.append(svg("path", { d: `M${x(i)} ${y(values[0]) - 4.4}l3.8 6.6h-7.6Z` }));
    else point.append(svg("circle", { cx: x(i), cy: y(values[0]), r: i === at ? 3.4 : rows.length > 80 ? 0.8 : 1.8 }));
    root.append(point);
  });
  return root;
}
