// What this browser remembers: settings, games played, links given out.

const PREFIX = "malpan.";
const RECENT_MAX = 12;

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser that stores nothing only forgets.
  }
}

export function savedLanguage() {
  return read("language", navigator.language?.startsWith("ko") ? "ko" : "en");
}

export function saveLanguage(name) {
  write("language", name);
}

export function animationWanted() {
  return read("animation", true);
}

export function saveAnimation(wanted) {
  write("animation", wanted);
}

// Whether things move: wanted here, and not unwanted everywhere.
export function moves() {
  return animationWanted() && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Whether the list of moves is open without hints.
export function listWanted() {
  return read("list", false);
}

export function saveList(wanted) {
  write("list", wanted);
}

export function recentGames() {
  return read("recent", []);
}

export function rememberGame(id, game) {
  const others = recentGames().filter((one) => one.id !== id);
  write("recent", [{ id, game, when: Date.now() }, ...others].slice(0, RECENT_MAX));
}

export function forgetGames() {
  write("recent", []);
}

// The links of a game's seats, for who made it: they are told once.
export function seatLinks(id) {
  return read("links." + id, []);
}

export function saveSeatLinks(id, links) {
  if (links?.length) write("links." + id, links);
}
