// What api.js asks where there is no server: the module, in a worker. The same requests as over HTTP get
// the same answers. Computations that take too long are ended with the worker; a new one goes on with
// what is stored.

const REQUEST_TIME = 60000; // how long a request, or a computer's move, may take
const IDS = /^\/api\/games\/([\w-]{22})\//;
const asked = new Map(); // by number: { message, done }
const listeners = new Map(); // by game: a set of functions that receive changes
const others = new BroadcastChannel("malpan-games"); // other pages of this browser
let worker = null;
let number = 0;
let timer = 0;

const refusal = (message, inKorean) => ({ status: 503, isJson: true, text: JSON.stringify({ error: { code: "unavailable", message, message_ko: inKorean } }) });
const tooLong = () => refusal("this takes too long for the browser", "브라우저에서 계산하기에는 너무 오래 걸립니다");
const notStarted = () => refusal("this browser cannot start the program", "이 브라우저에서는 프로그램을 시작할 수 없습니다");

function start() {
  worker = new Worker(new URL("local_worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = giveUp;
  for (const id of listeners.keys()) worker.postMessage({ watch: id, isWatched: true });
}

// The worker answers in order: the oldest request is the one that takes too long.
function restart() {
  worker.terminate();
  const [first] = asked.keys();
  asked.get(first)?.done(tooLong());
  asked.delete(first);
  start();
  for (const { message } of asked.values()) worker.postMessage(message);
  expect();
}

// The worker could not be loaded. The next request tries again.
function giveUp(event) {
  event.preventDefault();
  console.warn(event.message ?? "the worker does not start");
  worker.terminate();
  worker = null;
  for (const { done } of asked.values()) done(notStarted());
  asked.clear();
  expect();
}

// Starts the time of the oldest request, if there is one.
function expect() {
  clearTimeout(timer);
  if (asked.size > 0) timer = setTimeout(restart, REQUEST_TIME);
}

function tell(id, change) {
  for (const listener of listeners.get(id) ?? []) listener(change);
}

function receive(reply) {
  if (reply.game) { // a computer has moved
    others.postMessage(reply.game);
    tell(reply.game, JSON.parse(reply.text));
    expect();
    return;
  }
  const { message, done } = asked.get(reply.id);
  asked.delete(reply.id);
  expect();
  const id = reply.isChange && message.path.match(IDS)?.[1];
  if (id) { // listeners hear of all changes in order: the reply itself may be read after the next one
    others.postMessage(id);
    tell(id, JSON.parse(reply.text));
  }
  done(reply);
}

// A page that hears of a change elsewhere asks for the game.
others.onmessage = ({ data: id }) => tell(id, { version: Infinity, reload: true });

// As fetch, for addresses below /api/.
export async function localFetch(address, { method = "GET", body = "" } = {}) {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  const message = { id: ++number, method, path: pathname, query: Object.fromEntries(searchParams), body };
  if (!worker) start();
  const { status, isJson, text } = await new Promise((done) => {
    asked.set(message.id, { message, done });
    worker.postMessage(message);
    if (asked.size === 1) expect();
  });
  return new Response(text, { status, headers: { "Content-Type": isJson ? "application/json" : "text/plain" } });
}

// Ends what is being computed. Its request is answered with an error.
export function stopWork() {
  if (asked.size > 0) restart();
}

// Listens to a game, as an EventSource does. All players sit here.
export function listenLocally(id, onChange, onState, onPresence) {
  const all = listeners.get(id) ?? new Set();
  listeners.set(id, all.add(onChange));
  if (!worker) start();
  worker.postMessage({ watch: id, isWatched: true });
  setTimeout(() => {
    onState(true);
    onPresence({ seats: [0, 1, 2, 3, 4, 5, 6, 7], watchers: 0 });
  });
  const close = () => {
    all.delete(onChange);
    if (all.size > 0) return;
    listeners.delete(id);
    worker?.postMessage({ watch: id, isWatched: false });
  };
  return { close, readyState: EventSource.OPEN };
}
