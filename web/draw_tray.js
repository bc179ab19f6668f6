// The tray beside the board: four yut sticks or dice, at rest, tumbling, and as they fell.
//
// A board module describes a throw as { word, things }, where each thing is a stick { flat, marked }
// or a die { face }. Only transforms are animated, so that the compositor does the work.

import { el, finished, painted, put, svg } from "./dom.js";
import { die } from "./draw_pieces.js";
import { addWords, say } from "./words.js";

addWords({
  "result_back-do": ["back-do", "빽도"],
  result_do: ["do", "도"],
  result_gae: ["gae", "개"],
  result_geol: ["geol", "걸"],
  result_yut: ["yut", "윷"],
  result_mo: ["mo", "모"],
  result_nak: ["off the mat", "낙"],
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
const TILTS = [-10, 6, -5, 9];

// A throw of four sticks. Boards use it.
export function sticksOf(result) {
  const flats = FLAT[result] ?? [false, true, false, true];
  return { word: FLAT[result] || result === "nak" ? say(`result_${result}`) : "", things: flats.map((flat, i) => ({ flat, marked: i === 0 })) };
}

function stickFace(isFlat, isMarked, name) {
  const face = svg("svg", { viewBox: "0 0 17 68", class: name, "aria-hidden": "true" });
  face.append(svg("rect", { x: 1, y: 1, width: 15, height: 66, rx: 7.5, class: isFlat ? "stick-flat" : "stick-round" }));
  if (isFlat && isMarked) face.append(svg("circle", { cx: 8.5, cy: 54, r: 2.6, class: "stick-dot" }));
  if (!isFlat) {
    face.append(svg("rect", { x: 3.4, y: 6, width: 3, height: 56, rx: 1.5, class: "stick-glow" }));
    for (const y of [16, 34, 52]) face.append(svg("path", { d: `M4.5 ${y - 4}L12.5 ${y + 4}M12.5 ${y - 4}L4.5 ${y + 4}`, class: "stick-cross" }));
  }
  return face;
}

// A throw as it lies.
export function drawThrow({ things }) {
  const drawn = things.map(drawThing);
  drawn.forEach((one, i) => { one.style.transform = pose(things[i], i); });
  return el("div", { class: "throw-set" }, drawn);
}

function drawThing(thing) {
  if (thing.face !== undefined)
    return el("div", { class: "die3d" }, svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, die(0, 0, 7, thing.face)));
  return el("div", { class: "stick3d" }, stickFace(true, thing.marked, "front"), stickFace(false, false, "back"));
}

// How thing number `i` lies, as a transform; `turns` are whole turns before it came to rest.
function pose(thing, i, turns = 0) {
  if (thing.face !== undefined) return `rotate(${(i % 2 ? 5 : -4) + 360 * turns}deg)`;
  return `rotate(${TILTS[i % 4]}deg) rotateY(${360 * turns + (thing.flat ? 0 : 180)}deg)`;
}

// How it lies in the hand.
const thrownPose = (thing, i) => pose({ ...thing, flat: i % 2 === 0 }, i);

function tumble(drawn, thing, i, time) {
  const height = -26 - 12 * ((i * 7) % 3), drift = (i % 2 ? 8 : -8) * (1 + (i % 3));
  const spin = thing.face !== undefined ? `rotate(${i % 2 ? 200 : -220}deg) scale(1.15)` : `rotate(${i % 2 ? 65 : -70}deg) rotateY(${540 + 180 * i}deg) scale(1.1)`;
  return drawn.animate([
    { transform: thrownPose(thing, i), easing: "ease-out" },
    { transform: `translate(${drift}px, ${height}px) ${spin}`, offset: 0.45, easing: "ease-in" },
    { transform: `translate(0, 0) ${pose(thing, i, 3)}`, offset: 0.84, easing: "ease-out" },
    { transform: `translate(0, -5px) ${pose(thing, i, 3)}`, offset: 0.92, easing: "ease-in" },
    { transform: `translate(0, 0) ${pose(thing, i, 3)}` },
  ], { duration: time * (0.86 + 0.07 * (i % 3)), fill: "backwards" });
}

export class Tray {
  constructor() {
    this.element = el("div", { class: "tray", test: "tray" });
  }

  // Shows a throw; null: things at rest. With `time`, they tumble that many milliseconds first.
  async show(view, time = 0, resting = null) {
    const shown = view ?? resting;
    if (!shown) {
      put(this.element);
      return;
    }
    const set = drawThrow(shown), drawn = [...set.children], word = el("span", { class: "thrown-word" });
    set.classList.toggle("resting", !view);
    set.setAttribute("role", "img");
    set.setAttribute("aria-label", view?.word ?? "");
    if (shown.word !== undefined) set.append(word);
    put(this.element, set);
    if (view && time > 0) {
      drawn.forEach((one, i) => { one.style.transform = thrownPose(shown.things[i], i); });
      await painted();
      drawn.forEach((one, i) => { one.style.transform = pose(shown.things[i], i); });
      const runs = drawn.map((one, i) => tumble(one, shown.things[i], i, time));
      await Promise.all(runs.map((run) => finished(run, time)));
    }
    put(word, view?.word ?? "");
  }
}
