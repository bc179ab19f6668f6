// What this browser remembers: settings, its owner's name, the last setup, recent games, seat links,
// and positions to try again.

const PREFIX = "malpan.";
const RECENT_MAX = 12;
const NOTES_MAX = 60;

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

export const savedLanguage = () => read("language", navigator.language?.startsWith("ko") ? "ko" : "en");
export const saveLanguage = (name) => write("language", name);
export const animationWanted = () => read("animation", true);
export const saveAnimation = (wanted) => write("animation", wanted);
export const soundWanted = () => read("sound", true);
export const saveSound = (wanted) => write("sound", wanted);

// The theme: "auto", "light" or "dark".
export const savedTheme = () => read("theme", "auto");
export const saveTheme = (name) => write("theme", name);

// Whether to animate: enabled here, and not disabled in the system settings.
export function isAnimated() {
  return animationWanted() && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// How fast the moves of others are shown, from the slowest to the fastest.
export const PACES = ["slow", "normal", "fast", "instant"];
export const savedPace = () => read("pace", "normal");
export const savePace = (name) => write("pace", name);

// Whether the list of moves is open when hints are off.
export const listWanted = () => read("list", false);
export const saveList = (wanted) => write("list", wanted);

export const savedName = () => read("name", "");
export const saveName = (name) => write("name", name);

// A secret that tells this browser from others; `make` draws it the first time.
export function browserKey(make) {
  const key = read("browser", null) ?? make();
  write("browser", key);
  return key;
}

// How a game was set up last: { opponent, level, rules, first }.
export const savedSetup = (game) => read(`setup.${game}`, {});
export const saveSetup = (game, setup) => write(`setup.${game}`, setup);

export const recentGames = () => read("recent", []);

export function rememberGame(id, game) {
  const others = recentGames().filter((one) => one.id !== id);
  write("recent", [{ id, game, when: Date.now() }, ...others].slice(0, RECENT_MAX));
}

export const forgetGames = () => write("recent", []);

// The seat links of a game that was created here; the server sends them only once.
export const seatLinks = (id) => read(`links.${id}`, []);

export function saveSeatLinks(id, links) {
  if (links?.length) write(`links.${id}`, links);
}

// Positions in which the owner of this browser erred, the costliest first:
// { game, rules, position, played, best, loss, words, solved }.
export const savedNotes = () => read("notes", []);

export function saveNotes(notes) {
  write("notes", notes.slice(0, NOTES_MAX));
}

export function addNotes(found) {
  const isSame = (a, b) => a.game === b.game && a.rules === b.rules && a.position === b.position;
  const old = savedNotes();
  const fresh = found.filter((one) => !old.some((other) => isSame(one, other)));
  saveNotes([...old, ...fresh].sort((a, b) => Number(a.solved ?? 0) - Number(b.solved ?? 0) || b.loss - a.loss));
}
