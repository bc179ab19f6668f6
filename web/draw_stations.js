// What the boards with the shape of a Yut board share: a ring of twenty stations, two diagonals, and
// how lines and stations are drawn. The board extends from (0, 0) to (100, 100).

import { label, svg } from "./dom.js";
import { addWords } from "./words.js";

addWords({
  waiting: ["waiting", "대기"],
  home: ["home", "났다"],
  start_finish: ["start / finish", "출발 · 도착"],
});

const LOW = 9;
const HIGH = 91;
const CORNERS = [[HIGH, HIGH], [HIGH, LOW], [LOW, LOW], [LOW, HIGH]];

function between([x1, y1], [x2, y2], part) {
  return [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part];
}

// Station 0 (and 20) is the bottom right corner; the path goes up, left, down and right.
export function ringPoint(index) {
  const side = Math.floor((index % 20) / 5);
  return between(CORNERS[side], CORNERS[(side + 1) % 4], (index % 5) / 5);
}

// A point on the diagonal from the top right corner to the bottom left one ...
export function fallingPoint(part) {
  return between(CORNERS[1], CORNERS[3], part);
}

// ... and on the one from the top left to the bottom right.
export function risingPoint(part) {
  return between(CORNERS[2], CORNERS[0], part);
}

export function drawLines() {
  const [a, b, c, d] = CORNERS.map((corner) => corner.join(" "));
  return svg("g", {}, svg("rect", { x: 0.5, y: 0.5, width: 99, height: 99.5, rx: 4, class: "ground" }),
    svg("path", { class: "lines", d: `M${a}L${b}L${c}L${d}ZM${b}L${d}M${c}L${a}` }));
}

// A station with its name; big ones are the corners and the centre.
export function station(key, [x, y], big, name) {
  const group = svg("g", { class: big ? "station big" : "station", "data-key": key });
  group.append(svg("circle", { cx: x, cy: y, r: 6.4, class: "hit" }));
  if (big) group.append(svg("circle", { cx: x, cy: y, r: 6, class: "rim" }));
  group.append(svg("circle", { cx: x, cy: y, r: big ? 4.7 : 4.2, class: "spot" }));
  group.append(label(x, y, 3.1, name, { class: "name" }));
  return group;
}

// Marks where a move starts or ends: a dashed ring, with a crosshair for ends.
export function ringMark([x, y], kind, r = 6.2) {
  const mark = svg("g", { class: `mark ${kind}` }, svg("circle", { cx: x, cy: y, r }));
  if (kind === "to") mark.append(svg("path", { d: `M${x - r} ${y}h-2M${x + r} ${y}h2M${x} ${y - r}v-2M${x} ${y + r}v2` }));
  return mark;
}
