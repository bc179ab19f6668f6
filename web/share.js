// Links to a game and its positions, its record, and its board as a file.

import { boardAddress, getHealth, getRecord, hasServer } from "./api.js";
import { button, el, openDialog, put } from "./dom.js";
import { seatName } from "./players.js";
import { qrPicture } from "./qr.js";
import { seatLinks } from "./store.js";
import { say } from "./words.js";

const LOOPBACK = /^(localhost|127\.|\[::1\])/;
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "stop-color", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline", "visibility", "display"];
const PNG_WIDTH = 1000;
let network = null; // what the server says about its addresses

// Copies a text; works without permission for the clipboard, too.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

export function copyButton(label, getText, attributes = {}) {
  const done = button(label, async () => {
    await copy(await getText());
    put(done, say("copied"));
    setTimeout(() => put(done, label), 1500);
  }, attributes);
  return done;
}

export function download(name, data, type = "text/plain") {
  const address = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// The address of this page as others can open it: on this computer's own name, one of the addresses
// that the server has in the network.
function baseFor(health) {
  const here = location.href.split("#")[0];
  const isLocal = LOOPBACK.test(location.hostname) && health;
  return isLocal && health.addresses?.length ? `${health.addresses[0]}` : here;
}

function linkRow(label, address, test, isCode) {
  const input = el("input", { type: "text", readonly: true, value: address, test, "aria-label": label, onfocus: (event) => event.target.select() });
  return el("div", { class: "link" }, el("span", {}, label), input, copyButton(say("copy"), async () => input.value), isCode && qrPicture(address, say("qr_label", label)));
}

// Says who can open the links, if that is not everybody.
function reachNote(health) {
  if (!health || !LOOPBACK.test(location.hostname)) return null;
  if (health.loopback) return el("p", { class: "note", test: "loopback" }, say("loopback"), " ", el("code", {}, "malpan serve --bind 0.0.0.0"));
  return health.addresses?.length ? el("p", { class: "note" }, say("other_address"), " ", el("code", {}, health.addresses[0])) : null;
}

// Asks the server for its addresses, once.
async function findNetwork() {
  network ??= await getHealth().catch(() => null);
}

// The row of a seat link, with its code.
function seatLinkRow(game, { seat, token }, test) {
  return linkRow(say("seat_link", seatName(game, seat)), `${baseFor(network)}#/play/${game.id}/${token}`, test, true);
}

// Shows the link of one seat, to be sent to a friend.
export async function showInvitation({ game }, link) {
  await findNetwork();
  openDialog(say("invite_title"), [el("p", {}, say("invite_about")), seatLinkRow(game, link, "invite-link"), reachNote(network)], { class: "invitation", test: "invitation" });
}

// How many watch, if any.
export function watchersText({ present }) {
  return present?.watchers ? ` · ${say("watchers", present.watchers)}` : "";
}

// `position` is the one shown; `report` runs a function and shows its error.
export function sharePanel(session, position, report) {
  const { game } = session, links = seatLinks(game.id);
  const place = el("div", {});
  const fill = () => put(place, links.filter((link) => !game.seats[link.seat]?.taken).map((link) => seatLinkRow(game, link, `seat-link-${link.seat}`)),
    hasServer && linkRow(say("watch_link"), `${baseFor(network)}#/watch/${game.id}`, "watch-link"), reachNote(network));
  fill();
  if (hasServer && network === null) findNetwork().then(fill);
  return el("details", { class: "card", test: "share", open: links.some((link) => !game.seats[link.seat]?.taken) && game.number === 0 }, el("summary", {}, say("share"), el("span", { class: "note", test: "watchers" }, watchersText(session))), place,
    el("p", { class: "row" },
      el("a", { class: "button", href: boardAddress(game.game, game.rules_text, position), test: "position-link" }, say("position_link")),
      button(say("export"), () => report(async () => download(`malpan-${game.game}-${game.id}.txt`, await getRecord(game.id))), { test: "export" }),
      copyButton(say("copy_record"), () => getRecord(game.id), { test: "copy-record" })));
}

// --- a board as a file: the drawn SVG with its styles written into it, or a PNG of it ---

// The SVG as text that needs no style sheet.
export function svgText(root) {
  const copy = root.cloneNode(true);
  const from = [root, ...root.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value && !(name === "fill" && element.getAttribute("fill")?.startsWith("url"))) to[i].setAttribute(name, value.replaceAll('"', "'"));
    }
    for (const name of ["class", "data-key", "data-test", "aria-label"]) to[i].removeAttribute(name);
  });
  copy.querySelectorAll('[display="none"], [visibility="hidden"]').forEach((element) => element.remove());
  const [, , width, height] = root.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", PNG_WIDTH);
  copy.setAttribute("height", Math.round((PNG_WIDTH * height) / width));
  return new XMLSerializer().serializeToString(copy);
}

// The same as a PNG file.
export async function pngBlob(root) {
  const text = svgText(root), image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}
