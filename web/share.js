// Links to a game and its positions, and its record.

import { boardAddress, getHealth, getRecord, hasServer } from "./api.js";
import { button, el, openDialog, put } from "./dom.js";
import { seatName } from "./players.js";
import { qrPicture } from "./qr.js";
import { seatLinks } from "./store.js";
import { say } from "./words.js";

const LOOPBACK = /^(localhost|127\.|\[::1\])/;
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
