// What this browser remembers: settings, recent games, seat links.

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
    // Without storage the page works, but forgets.
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

// Whether to animate: enabled here, and not disabled in the system settings.
export function isAnimated() {
  return animationWanted() && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Whether the list of moves is open when hints are off.
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

// The seat links of a game that was created here; the server sends them only once.
export function seatLinks(id) {
  return read("links." + id, []);
}

export function saveSeatLinks(id, links) {
  if (links?.length) write("links." + id, links);
}
