// Four yut sticks as they fall: the number of flat sides that face up is the result of the throw.

import { label, overTime, put, svg } from "./dom.js";
import { addWords, say } from "./words.js";

addWords({
  "result_back-do": ["back-do", "빽도"],
  result_do: ["do", "도"],
  result_gae: ["gae", "개"],
  result_geol: ["geol", "걸"],
  result_yut: ["yut", "윷"],
  result_mo: ["mo", "모"],
});

// Which sticks lie with the flat side up; the first one is marked for back-do.
const FLAT = {
  "back-do": [true, false, false, false],
  do: [false, true, false, false],
  gae: [false, true, true, false],
  geol: [false, true, true, true],
  yut: [true, true, true, true],
  mo: [false, false, false, false],
};
const TILTS = [-9, 5, -4, 8];

function stick(isFlat, isMarked) {
  const group = svg("g", { class: isFlat ? "stick flat" : "stick round" }, svg("rect", { x: -4, y: -17, width: 8, height: 34, rx: 4 }));
  if (isFlat && isMarked) group.append(svg("circle", { cx: 0, cy: 9, r: 2, class: "dot" }));
  if (!isFlat) for (const y of [-9, 0, 9]) group.append(svg("path", { d: `M-2.4 ${y - 2.4}L2.4 ${y + 2.4}M2.4 ${y - 2.4}L-2.4 ${y + 2.4}`, class: "cross" }));
  return group;
}

function drawSticks(flats, tilts, word) {
  const root = svg("svg", { viewBox: "0 0 126 40", class: "sticks", role: "img", "aria-label": word });
  flats.forEach((isFlat, i) =>
    root.append(svg("g", { transform: `translate(${12 + i * 14} 20) rotate(${tilts[i]})` }, stick(isFlat, i === 0))));
  root.append(label(66, 20, 11, word, { class: "thrown-word", "text-anchor": "start" }));
  return root;
}

// Shows a throw in `place`; with `moving`, the sticks tumble first. Boards export it.
export async function showThrow(place, result, moving) {
  if (!FLAT[result]) {
    put(place);
    return;
  }
  if (moving) {
    let drawn = -1;
    await overTime(650, (part) => {
      const tick = Math.floor(part * 9);
      if (tick === drawn) return;
      drawn = tick;
      put(place, drawSticks(TILTS.map(() => Math.random() < 0.5), TILTS.map(() => Math.random() * 120 - 60), ""));
    });
  }
  put(place, drawSticks(FLAT[result], TILTS, say("result_" + result)));
}
