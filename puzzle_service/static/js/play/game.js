// A game as the browser keeps it: how it began, what was played, who plays. A value with text forms; how it stands the server says.

import { find } from "../dom.js";
import { other } from "../position.js";

const VERSION = 1;
const SEEDS = 2 ** 31;
const LAST_INSTANT = 8.64e15; // milliseconds that a Date can hold
const KEPT = ["id", "revision", "saved", "rules", "start", "moves", "undone", "ended", "over", "opponent", "human", "level", "seating", "seed", "fen"];
const FEN = /^[WB]:W[a-h\dK,]*:B[a-h\dK,]*$/; // as the server writes it

/** How many plies the server takes. */
const longest = () => Number(find("main").dataset.longest);

const texts = (list) => Array.isArray(list) && list.length <= longest() && list.every((item) => typeof item === "string");
const oneOf = (value, ...values) => values.includes(value);
const whole = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;

export class Game {
  /**
   * rules: a ruleset's name. start: FEN, or null for the usual start. moves, undone: move texts; the last undone one is redone first.
   * ended: null, { resigned: "W" | "B" } or { agreed: true }. opponent: "computer" or "person".
   * human: whose moves the person makes, and level, against the computer. seating: "fixed", "turning" or "facing", between two.
   * over: whether the server has said that it has ended. seed: what the computer's choice among equal moves depends on.
   */
  constructor(values) {
    Object.assign(this, {
      id: freshId(), revision: 0, saved: 0, start: null, moves: [], undone: [], ended: null, over: false,
      opponent: "person", human: "W", level: "medium", seating: "fixed", seed: Math.floor(Math.random() * SEEDS), ...values,
    });
  }

  /** Reads what `text` wrote; throws for anything else. */
  static parse(text) {
    const { version, ...values } = JSON.parse(text);
    const { id, rules, start, moves, undone, ended, fen = null } = values;
    const sound = version === VERSION && typeof id === "string" && typeof rules === "string"
      && (start === null || typeof start === "string") && texts(moves) && texts(undone)
      && (ended === null || ended.agreed === true || oneOf(ended.resigned, "W", "B"))
      && oneOf(values.opponent, "computer", "person") && oneOf(values.human, "W", "B") && oneOf(values.level, "easy", "medium", "hard")
      && oneOf(values.seating, "fixed", "turning", "facing") && whole(values.seed, SEEDS - 1)
      && whole(values.revision, Number.MAX_SAFE_INTEGER - 1) && whole(values.saved, LAST_INSTANT) && (fen === null || FEN.test(fen))
      && Object.keys(values).every((name) => KEPT.includes(name));
    if (!sound) throw new TypeError("expected a game of this version");
    return new Game(values);
  }

  get text() {
    return JSON.stringify({ version: VERSION, ...this });
  }

  /** What the server is asked about. */
  get request() {
    const { rules, start, moves, ended } = this;
    return { rules, moves, ...(start ? { start } : {}), ...(ended ? { ended } : {}) };
  }

  /** Who is to move. */
  get turn() {
    return this.turnAt(this.moves.length);
  }

  /** Who is to move after so many plies: sides alternate from the start on. */
  turnAt(ply) {
    const first = this.start?.trim()[0] === "B" ? "B" : "W";
    return ply % 2 === 0 ? first : other(first);
  }

  /** Whose pieces can be moved here now: both in turn, or only the person's. */
  get isPersonsTurn() {
    return this.opponent === "person" || this.turn === this.human;
  }

  /** Who would give up, or be offered a draw by: the person, or whose turn it is. */
  get speaker() {
    return this.opponent === "computer" ? this.human : this.turn;
  }

  get isFull() {
    return this.moves.length >= longest();
  }

  play(move) {
    this.moves.push(move);
    this.undone = [];
  }

  /** Whether there is a move of the person's, or an end that was declared, to take back. */
  get canUndo() {
    const first = this.opponent === "computer" && this.moves.length % 2 === 1 && this.isPersonsTurn;
    return this.ended !== null || this.moves.length > (first ? 1 : 0);
  }

  get canRedo() {
    return this.ended === null && this.undone.length > 0;
  }

  /** Takes back the last move, against the computer up to the person's last one; after a declared end just that. */
  undo() {
    if (!this.canUndo) return;
    if (this.ended !== null) {
      this.ended = null;
      return;
    }
    do this.undone.push(this.moves.pop());
    while (!this.isPersonsTurn && this.moves.length > 0);
  }

  redo() {
    if (!this.canRedo) return;
    do this.moves.push(this.undone.pop());
    while (!this.isPersonsTurn && this.undone.length > 0);
  }
}

/** A name that no other game has. */
function freshId() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
