// The connection to a hosted game: its present state, changes by events, and requests that change it.

import * as api from "./api.js";
import { browserKey, savedName } from "./store.js";
import { say } from "./words.js";

const RETRY_TIME = 3000;
const UNSEEN_TIME = 15000;

export class Session {
  // `on`: change({ before, isTakenBack }), presence(who), state(isOpen), notice(text).
  constructor(id, watchOnly, on) {
    this.id = id;
    this.watchOnly = watchOnly;
    this.on = on;
    this.game = null;
    this.present = null;
    this.isBusy = false; // a request that changes the game is under way: `pending`
    this.pending = Promise.resolve();
    this.isClosed = false;
  }

  async open(token) {
    this.game = token ? await api.joinGame(this.id, token, browserKey(api.randomKey), savedName()) : await api.getGame(this.id);
  }

  start() {
    this.listen();
    document.addEventListener("visibilitychange", this.seen);
  }

  close() {
    this.isClosed = true;
    this.source?.close();
    clearInterval(this.asking);
    document.removeEventListener("visibilitychange", this.seen);
  }

  // Browsers limit the connections to one server, so a hidden page polls instead of listening.
  seen = () => (document.hidden ? this.listen() : this.retry());

  listen() {
    this.source?.close();
    clearInterval(this.asking);
    if (document.hidden) {
      this.asking = setInterval(() => api.getGame(this.id, this.game.version).then((game) => this.apply(game), () => {}), UNSEEN_TIME);
      return;
    }
    let wasLost = false;
    this.source = api.listen(this.id, this.game.version, (change) => this.apply(change), (isOpen) => {
      if (this.isClosed) return;
      if (!isOpen) {
        wasLost = true;
        this.on.notice(say("connection_lost"));
        if (this.source.readyState === EventSource.CLOSED) setTimeout(() => this.retry(), RETRY_TIME);
      } else if (wasLost) {
        wasLost = false;
        this.on.notice("");
        this.fetch();
      }
    }, (present) => {
      this.present = present;
      if (!this.isClosed) this.on.presence(present);
    });
  }

  async retry() {
    if (this.isClosed) return;
    try {
      this.apply(await api.getGame(this.id, this.game.version));
      this.on.notice("");
      this.listen();
    } catch {
      setTimeout(() => this.retry(), RETRY_TIME);
    }
  }

  async fetch() {
    try {
      this.apply(await api.getGame(this.id, this.game.version));
    } catch (error) {
      this.on.notice(error.message);
    }
  }

  // Applies a change: the steps from `from` on are replaced. A long one has to be fetched.
  apply(change) {
    if (this.isClosed || change.version < this.game.version) return;
    if (change.reload) {
      this.fetch();
      return;
    }
    const before = this.game, from = change.from ?? 0;
    const steps = [...before.steps.slice(0, from), ...change.steps];
    const isTakenBack = steps.length < before.steps.length || before.steps.some((step, i) => steps[i]?.position !== step.position);
    this.game = { ...before, ...change, steps, number: change.number ?? steps.length };
    if (change.version > before.version) this.on.change({ before, isTakenBack });
  }

  // Sends a request that changes the game; if the game has moved on in the meantime, reloads it. While
  // another one is under way, a second click on the same button does nothing. But an event may have shown
  // the next step already: what is done there waits for the answer.
  act(request) {
    const { number } = this.game;
    if (!this.isBusy) {
      this.busyAt = number;
      this.pending = this.send(request);
    } else if (number !== this.busyAt) this.pending = this.pending.then(() => !this.isBusy && this.game.number === number && this.act(request));
    return this.pending;
  }

  async send(request) {
    this.isBusy = true;
    this.on.notice("");
    try {
      const answer = await request();
      if (answer?.steps) this.apply(answer);
    } catch (error) {
      if (error.status === 409) await this.fetch();
      this.on.notice(error.message);
    } finally {
      this.isBusy = false;
    }
  }

  isMine(seat) {
    return !this.watchOnly && this.game.you.includes(seat);
  }

  // Whether this browser plays at all.
  plays() {
    return !this.watchOnly && this.game.you.length > 0;
  }

  move(text) {
    return this.act(() => api.postMove(this.game, text));
  }

  throws() {
    return this.act(() => api.postThrow(this.game));
  }

  undo(what) {
    return this.act(() => api.postUndo(this.game, what));
  }

  rename(name) {
    return this.act(() => api.postName(this.game, name));
  }
}
