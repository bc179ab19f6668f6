// Links to a game and its positions, and its record.

import { getRecord } from "./api.js";
import { button, el, put } from "./dom.js";
import { boardAddress } from "./lobby.js";
import { seatLinks } from "./store.js";
import { say } from "./words.js";

const base = () => location.href.split("#")[0];

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

function copyButton(label, getText, attributes = {}) {
  const done = button(label, async () => {
    await copy(await getText());
    put(done, say("copied"));
    setTimeout(() => put(done, label), 1500);
  }, attributes);
  return done;
}

function linkRow(label, address, test) {
  const input = el("input", { type: "text", readonly: true, value: address, "data-test": test, "aria-label": label, onfocus: (event) => event.target.select() });
  return el("div", { class: "link" }, el("span", {}, label), input, copyButton(say("copy"), async () => address));
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// `position` is the one shown; `report` runs a function and shows its error.
export function sharePanel(game, position, report) {
  const links = seatLinks(game.id);
  return el("details", { class: "card", open: links.length > 0 && game.number === 0 }, el("summary", {}, say("share")),
    links.map((link) => linkRow(say("seat_link", link.seat), `${base()}#/play/${game.id}/${link.token}`, `seat-link-${link.seat}`)),
    linkRow(say("watch_link"), `${base()}#/watch/${game.id}`, "watch-link"),
    el("p", { class: "row" },
      el("a", { class: "button", href: boardAddress(game.game, game.rules_text, position), "data-test": "position-link" }, say("position_link")),
      button(say("export"), () => report(async () => download(`malpan-${game.game}-${game.id}.txt`, await getRecord(game.id))), { "data-test": "export" }),
      copyButton(say("copy_record"), () => getRecord(game.id), { "data-test": "copy-record" })));
}
