// A board to play on: holds the position and the choice in progress, draws both, and reports a complete move.

import { afterMove, victims } from "../position.js";
import { all, either, text } from "../text.js";
import { REST, rest, slide } from "./animate.js";
import { listen } from "./input.js";
import { View } from "./render.js";
import { advance, candidates, mustCapture, origins, targets } from "./state.js";

const NOTHING = new Set();

export class Board {
  /**
   * Builds the board in `host`. `side` is the player's colour, who sits below. `grid`: which squares there are; `facing`: the other side's pieces face him.
   * onMove(move, shown): a complete move; `shown` resolves when it stands on the board. The board is locked from then on.
   * onHint(text, quiet): a word to the player, "" to clear it; quiet when the board shows the same. onSeries(running): whether Esc has a series to take back.
   * onLocked(): a square was pressed while nothing can be moved.
   */
  constructor(host, { side, grid, facing, onMove = () => {}, onHint = () => {}, onSeries = () => {}, onLocked = () => {} }) {
    Object.assign(this, { side, onMove, onHint, onSeries, onLocked, listening: new AbortController() });
    Object.assign(this, { pieces: new Map(), legal: [], last: null, prefix: [], goal: null, locked: true, motion: null, hinted: [] });
    this.view = new View(host, { label: text("board"), flipped: side === "B", grid, facing });
    listen(this.view, {
      press: (square) => this.press(square),
      grab: (square) => this.grab(square),
      drop: (square) => this.drop(square),
      back: () => this.takeBack(),
      turn: () => this.flip(),
    }, this.listening.signal);
  }

  /** Puts up a position; with legal moves the player may choose one, for `side` where one plays both. */
  set({ pieces, legal = [], last = null, side = this.side }) {
    Object.assign(this, { pieces, legal, last, side, locked: legal.length === 0, hinted: [] });
    this.choose([], null);
    this.view.grid.setAttribute("aria-readonly", String(this.locked));
  }

  /** Marks the wait for an answer. */
  wait(waiting) {
    this.view.grid.setAttribute("aria-busy", String(waiting));
    this.view.host.classList.toggle("waiting", waiting);
  }

  flip() {
    this.view.turn();
    this.draw();
  }

  /** Has a side sit below. */
  seat(side) {
    if (this.view.flipped !== (side === "B")) this.flip();
  }

  /** Shows a way to play until the position changes; an empty path takes the hint away. */
  advise(path) {
    this.hinted = path;
    this.draw();
  }

  /** Takes back a series that is running, or the selection. */
  takeBack() {
    if (this.locked || this.prefix.length === 0) return;
    const running = this.prefix.length > 1;
    this.choose([], null);
    this.onHint(running ? text("taken_back") : "");
  }

  press(square) {
    if (this.locked) this.onLocked();
    else if (this.prefix.length === 0) this.touch(square);
    else if (this.prefix.length === 1 && square === this.prefix[0]) this.takeBack();
    else this.aim(square, false);
  }

  grab(square) {
    if (this.locked) return false;
    if (this.prefix.length <= 1 && this.prefix[0] !== square) this.touch(square);
    return this.prefix.at(-1) === square;
  }

  drop(square) {
    if (square === null || square === this.prefix.at(-1)) this.draw();
    else this.aim(square, true);
  }

  /** Points at a piece: selects it, or says why not. */
  touch(square) {
    const piece = this.pieces.get(square);
    if (origins(this.legal).has(square)) {
      this.choose([square], null);
      const { stops, ends } = targets(this.legal, this.prefix);
      this.onHint(text("chosen", { square, squares: either([...new Set([...stops.keys(), ...ends])]) }), true);
      return;
    }
    this.choose([], null);
    if (!piece) this.onHint("");
    else if (piece.color !== this.side) this.onHint(text(this.side === "W" ? "not_yours_w" : "not_yours_b"));
    else if (mustCapture(this.legal)) this.onHint(text("may_not_move", { square, squares: all([...origins(this.legal)]) }));
    else this.onHint(text("no_move", { square }));
  }

  /** Points at where the selected piece shall go. */
  aim(square, dropped) {
    const result = advance(this.legal, this.prefix, this.goal, square);
    if (result.kind === "move") {
      this.commit(result.move, result.path, dropped);
    } else if (result.kind === "none") {
      this.refuse(square);
    } else {
      this.choose(result.prefix, result.goal);
      const { stops, ends } = targets(this.legal, this.prefix, this.goal);
      const ahead = either([...(result.goal ? stops.keys() : new Set([...stops.keys(), ...ends]))]);
      if (result.kind === "ask") this.onHint(text("which_way", { square, squares: ahead }));
      else this.onHint(text("series", { n: this.prefix.length - 1, squares: ahead }), true);
    }
  }

  refuse(square) {
    const from = this.prefix.at(-1);
    if (this.prefix.length > 1) {
      this.draw();
      const { stops, ends } = targets(this.legal, this.prefix, this.goal);
      this.onHint(text("series_running", { squares: either([...new Set([...stops.keys(), ...ends])]) }));
    } else if (this.pieces.has(square)) {
      this.touch(square);
    } else {
      const taken = candidates(this.legal, this.prefix)[0].move.captured.length;
      this.choose([], null);
      this.onHint(taken > 1 ? text("must_take", { square: from, n: taken }) : text("cannot_go", { from, to: square }));
    }
  }

  choose(prefix, goal) {
    Object.assign(this, { prefix, goal });
    this.onSeries(prefix.length > 1 || goal !== null);
    this.draw();
  }

  /** Shows the rest of the player's move and reports it. */
  commit(move, path, dropped) {
    const begun = Math.max(this.prefix.length - 1, 0);
    this.onHint("");
    this.onSeries(false);
    this.onMove(move, this.play(move, { path, begun, dropped }));
  }

  /** Shows a move that was typed as if it had been pointed at, without reporting it; resolves when it stands on the board. */
  enter(move, path) {
    this.choose([], null);
    this.onHint("");
    return this.play(move, { path });
  }

  /** Shows a move stop by stop from leg `begun` on, then makes it the last move. The board stays locked. */
  async play(move, { path = move.paths[0], begun = 0, dropped = false } = {}) {
    this.motion?.abort();
    const motion = new AbortController();
    Object.assign(this, { motion, locked: true, legal: [], hinted: [], prefix: path.slice(0, begun + 1), goal: null });
    const after = afterMove(this.pieces, move);
    for (let leg = begun; leg < path.length - 1; leg += 1) {
      this.draw(move);
      const node = this.view.pieceNodes.get(path[leg]);
      if (!(dropped && leg === begun && leg === path.length - 2)) {
        await slide(node, this.view.centre(path[leg]), this.view.centre(path[leg + 1]), motion.signal);
      }
      if (motion.signal.aborted) return;
      this.prefix = path.slice(0, leg + 2);
      this.draw(move);
      if (leg < path.length - 2) await rest(REST, motion.signal);
      if (motion.signal.aborted) return;
    }
    Object.assign(this, { pieces: after, last: move, prefix: [] });
    this.draw();
    await rest(REST, motion.signal);
  }

  /** Ends a move that is being shown; whoever calls puts up the next position. */
  stop() {
    this.motion?.abort();
  }

  /** Gives up the keys of the page; another board takes this one's place. */
  discard() {
    this.stop();
    this.listening.abort();
  }

  /** Draws the position with the choice in progress, or with a move that is being shown. */
  draw(shown = null) {
    const { prefix } = this;
    const here = prefix.at(-1) ?? null;
    const move = shown ?? (prefix.length > 0 ? candidates(this.legal, prefix, this.goal)[0]?.move : null);
    const pieces = new Map(this.pieces);
    const ghosts = new Set();
    if (prefix.length > 1 && move) {
      victims(prefix, move.captured).forEach((square) => square && ghosts.add(square));
      pieces.delete(prefix[0]);
      pieces.set(here, this.pieces.get(prefix[0]));
      ghosts.delete(here); // it may come to stand where a piece was taken
    }
    const open = !this.locked;
    const { stops, ends } = open && here ? targets(this.legal, prefix, this.goal) : { stops: new Map(), ends: NOTHING };
    const able = origins(this.legal);
    this.view.draw({
      pieces, ghosts, stops, ends,
      last: prefix.length > 1 ? null : this.last,
      must: open && !here && mustCapture(this.legal) ? able : NOTHING,
      selected: open ? here : null,
      hinted: prefix.length > 1 ? [] : this.hinted,
      passed: move && move.captured.length > 1 ? prefix.slice(1) : [],
      movable: !open ? NOTHING : prefix.length > 1 ? new Set([here]) : able,
    });
  }
}
