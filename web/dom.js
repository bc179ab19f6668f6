// Creates HTML and SVG elements. Text is always inserted as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name === "test" ? "data-test" : name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// el("button", { class: "main", onclick: play, test: "play" }, "Play"); `test` is how tests find it.
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Replaces the children of an element.
export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Replaces a panel; it stays open if the old one was open.
export function putPanel(place, panel) {
  const old = place.querySelector("details");
  put(place, panel);
  if (old && panel) panel.open ||= old.open;
}

// Describes the element that has the focus, so that its counterpart can be found after a redraw; null
// if nothing has it, or it came by a click.
export function focusMark() {
  const { activeElement } = document;
  const { test, step, move } = activeElement?.dataset ?? {};
  return test && activeElement.matches(":focus-visible") ? { test, step, move } : null;
}

// Restores the focus; if the element is disabled now, focuses one beside it.
export function focusAgain(mark) {
  if (!mark || document.activeElement !== document.body) return;
  const like = [...document.querySelectorAll(`[data-test="${mark.test}"]`)];
  const same = like.find((one) => one.dataset.step === mark.step && one.dataset.move === mark.move) ?? like[0];
  const next = same?.disabled ? same.parentElement.querySelector("button:not(:disabled)") : same;
  next?.focus({ preventScroll: true });
}

export function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}

// A text centred at (x, y).
export function label(x, y, size, text, attributes = {}) {
  return svg("text", { x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central", ...attributes }, String(text));
}

// About how long a text is, in sizes of its letters.
export function lengthOf(words) {
  return [...words].reduce((sum, letter) => sum + (letter > "\u1100" ? 1 : 0.58), 0);
}

// Waits until what was drawn is on the screen, so that an animation does not begin with a long frame. A
// page in the background draws nothing, and does not wait long.
export function painted() {
  return new Promise((done) => {
    setTimeout(done, 100);
    requestAnimationFrame(() => setTimeout(done));
  });
}

// Waits for an animation of `time` milliseconds. A page in the background does not run animations, and
// must not wait for them.
export function finished(run, time) {
  return new Promise((done) => {
    run.onfinish = done;
    run.oncancel = done;
    setTimeout(done, time + 300);
  });
}

// Line icons, 24 by 24.
const ICONS = {
  undo: "M9 7L4 12L9 17M4 12H15a5 5 0 0 1 0 10H12",
  hint: "M9.5 18h5M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.7.5 1 1.3 1 2.1h5c0-.8.3-1.6 1-2.1A6 6 0 0 0 12 3Z",
  flip: "M7 4V18M7 4L4 7M7 4L10 7M17 20V6M17 20L14 17M17 20L20 17",
  sound: "M4 9.5V14.5H7.5L12 18.5V5.5L7.5 9.5ZM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5V14.5H7.5L12 18.5V5.5L7.5 9.5ZM16 9.5L21 14.5M21 9.5L16 14.5",
  settings: "M4 7H14M18 7H20M4 17H6M10 17H20M16 5V9M8 15V19",
  first: "M7 5V19M18 5L10 12L18 19Z",
  back: "M16 5L8 12L16 19Z",
  forward: "M8 5L16 12L8 19Z",
  last: "M17 5V19M6 5L14 12L6 19Z",
  close: "M6 6L18 18M18 6L6 18",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] ?? "" }));
}

// A button with only an icon; `words` is its name.
export function iconButton(name, words, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, "aria-label": words, title: words, ...attributes }, icon(name));
}

// Shows a dialog that removes itself when it is closed.
export function openDialog(words, content, attributes = {}) {
  const dialog = el("dialog", { "aria-label": words, ...attributes, onclose: () => dialog.remove(), onclick: (event) => event.target === dialog && dialog.close() },
    el("div", { class: "row spread" }, el("h2", {}, words), iconButton("close", attributes["data-close"] ?? "×", () => dialog.close(), { class: "icon-button", test: "dialog-close" })), content);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// Wraps an async function so that calls during a call do nothing: a double click starts one game.
export function once(work) {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
    } finally {
      isBusy = false;
    }
  };
}
