// Keeps games in the browser, each under a key of its own, so that two tabs with two games never touch each other's.

import { Game } from "./game.js";

const GAME = "dama.game.";
const WISHES = "dama.play"; // what was chosen last in the set-up
const HERE = "dama.game"; // in the tab's own storage: which game it shows
const MOST = 24; // games that are kept; the oldest goes

/** A storage of the browser, or null where it gives none. */
function storage(name) {
  try {
    const found = window[name];
    found.getItem(HERE);
    return found;
  } catch {
    return null;
  }
}

/** All of a game but which writing of it this is. */
const contents = (game) => JSON.stringify({ ...game, revision: 0, saved: 0 });

export class Shelf {
  /** `onChange(id)`: another tab has written a game, or taken it away. */
  constructor({ onChange = () => {} } = {}) {
    this.local = storage("localStorage");
    this.tab = storage("sessionStorage");
    window.addEventListener("storage", ({ key, storageArea }) => {
      if (storageArea === this.local && key?.startsWith(GAME)) onChange(key.slice(GAME.length));
    });
  }

  get works() {
    return this.local !== null;
  }

  /** Every game that can be read, the newest first, and the ids of those that cannot. */
  all() {
    const games = [];
    const damaged = [];
    for (const id of this.ids()) {
      const game = this.load(id);
      if (game) games.push(game);
      else damaged.push(id);
    }
    return { games: games.sort((a, b) => b.saved - a.saved), damaged };
  }

  ids() {
    const keys = Array.from({ length: this.local?.length ?? 0 }, (_, i) => this.local.key(i));
    return keys.filter((key) => key.startsWith(GAME)).map((key) => key.slice(GAME.length));
  }

  /** A game, or null when there is none or it cannot be read. */
  load(id) {
    try {
      const game = Game.parse(this.local.getItem(GAME + id));
      return game.id === id ? game : null;
    } catch {
      return null;
    }
  }

  has(id) {
    return this.ids().includes(id);
  }

  /**
   * Writes a game. When another tab has gone on with it in another way meanwhile, this one becomes a game of its own.
   * Returns whether it is kept.
   */
  save(game) {
    const kept = this.load(game.id);
    if (kept && contents(kept) === contents(game)) {
      Object.assign(game, { revision: kept.revision, saved: kept.saved });
      this.show(game.id);
      return true;
    }
    const differs = kept && kept.revision > game.revision && kept.moves.join() !== game.moves.join();
    if (differs) game.id = new Game({}).id;
    Object.assign(game, { revision: Math.max(kept?.revision ?? 0, game.revision) + 1, saved: Date.now() });
    try {
      this.local.setItem(GAME + game.id, game.text);
    } catch {
      return false; // no storage, or a full one
    }
    this.show(game.id);
    for (const old of this.all().games.slice(MOST)) this.remove(old.id);
    return true;
  }

  remove(id) {
    this.local?.removeItem(GAME + id);
  }

  /** Remembers which game this tab shows, through reloads. */
  show(id) {
    if (id === null) this.tab?.removeItem(HERE);
    else this.tab?.setItem(HERE, id);
  }

  get shown() {
    return this.tab?.getItem(HERE) ?? null;
  }

  /** What was chosen last, {} when nothing was or it cannot be read. */
  get wishes() {
    try {
      return { ...JSON.parse(this.local.getItem(WISHES)) };
    } catch {
      return {};
    }
  }

  set wishes(values) {
    try {
      this.local.setItem(WISHES, JSON.stringify({ ...this.wishes, ...values }));
    } catch {
      // They are chosen anew next time.
    }
  }
}
