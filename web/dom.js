// Creates HTML and SVG elements. Text is always inserted as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// el("button", { class: "main", onclick: play }, "Play")
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

// Calls `frame` with values from 0 to 1 over `milliseconds`.
export function overTime(milliseconds, frame) {
  return new Promise((resolve) => {
    const begin = performance.now();
    const next = (now) => {
      const part = Math.min(1, Math.max(0, (now - begin) / milliseconds));
      frame(part);
      if (part < 1) requestAnimationFrame(next);
      else resolve();
    };
    requestAnimationFrame(next);
    // A page in the background gets no animation frames, and must not wait for them.
    setTimeout(() => { frame(1); resolve(); }, milliseconds + 300);
  });
}
