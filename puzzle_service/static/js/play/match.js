// A game at the board: the person's moves, the computer's, and all that can be done with a game. How it stands the server says.

import { Board } from "../board/board.js";
import { DIAGONAL, ORTHOGONAL } from "../board/geometry.js";
import { mustCapture } from "../board/state.js";
import { enable, find } from "../dom.js";
import { findTyped, parseFen, pretty } from "../position.js";
import { hide, hint, leave, say, show } from "../say.js";
import { all, capital, text } from "../text.js";
import { MoveList } from "./moves.js";
import { ask } from "./questions.js";
import { advise, offerDraw, resign } from "./talk.js";
import { announcements, ending, moved, players, standing, toMove } from "./words.js";

const MOST_TOLD = 4; // captures that are listed when another move was typed
const LONGEST_REFUSAL = 120; // letters of why the server does not take a game
const GRIDS = { orthogonal: ORTHOGONAL, diagonal: DIAGONAL };

export class Match {
  /** `rulesets`: what the page knows of each by name. `shelf` keeps the game. */
  constructor({ shelf, rulesets }) {
    Object.assign(this, { shelf, rulesets, game: null, board: null, turn: new AbortController() });
    this.list = new MoveList({ onShow: (ply, step) => this.look(ply, step) });
    this.listen();
  }

  listen() {
    const press = {
      undo: () => this.undo(), redo: () => this.redo(), advice: () => advise(this), draw: () => offerDraw(this), resign: () => resign(this),
      flip: () => this.board.flip(), takeback: () => this.board.takeBack(),
    };
    for (const [id, act] of Object.entries(press)) find(id).addEventListener("click", act);
    find("etiquette").checked = this.shelf.wishes.etiquette ?? true;
    find("etiquette").addEventListener("change", ({ target }) => { this.shelf.wishes = { etiquette: target.checked }; });
    find("typed").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(event.target.elements.move);
    });
  }

  /** Takes up a game. A `replay` is only looked at: it is not kept, and nobody moves. */
  open(game, { replay = false } = {}) {
    this.close();
    // `state` is what the server says of the game, null while that is not known.
    Object.assign(this, { game, replay, state: null, begun: null, plies: [], viewing: null, thinking: false, refused: null });
    const ruleset = this.rulesets[game.rules];
    const below = game.opponent === "computer" ? game.human : "W";
    this.board = new Board(find("board"), {
      side: below,
      grid: GRIDS[ruleset?.grid],
      facing: game.seating === "facing" && game.opponent === "person",
      onMove: (move, shown) => this.play(move.move, shown),
      onHint: (message, quiet) => this.tellHint(message, quiet),
      onSeries: (running) => (running ? show : hide)("takeback"),
      onLocked: () => this.tellHint(this.whyLocked()),
    });
    this.showKept(game);
    (replay ? hide : show)("controls", "wishes");
    (replay ? show : hide)("adopt");
    this.list.draw({ moves: [], first: "W", at: 0, known: -1 });
    if (!replay) this.save();
    this.proceed({ said: game.moves.length > 0 ? text("here_it_is") : text("begin") });
  }

  /** Shows a kept game as it stood, until the server has answered. */
  showKept({ fen }) {
    const { pieces } = parseFen(fen ?? "");
    const { squares } = this.board.view;
    if ([...pieces.keys()].every((square) => squares.has(square))) this.board.set({ pieces });
  }

  /** Leaves the game: what it asked for is of no interest any more. */
  close() {
    this.turn.abort();
    this.board?.discard();
    this.game = null;
    hide("question", "takeback");
    hint("");
    find("copied").textContent = "";
  }

  /** Begins something new: answers to what was asked before are dropped. */
  begin() {
    this.turn.abort();
    this.turn = new AbortController();
    this.refused = null;
    this.ponder(false);
    return this.turn.signal;
  }

  save() {
    if (!this.replay) (this.shelf.save(this.game) ? hide : show)("not-kept");
  }

  /** Another tab has gone on with this game: it goes on here as well. */
  follow(id) {
    const kept = this.game && !this.replay && id === this.game.id ? this.shelf.load(id) : null;
    if (!kept || kept.revision <= this.game.revision) return;
    const same = kept.moves.join() === this.game.moves.join() && JSON.stringify(kept.ended) === JSON.stringify(this.game.ended);
    Object.assign(this.game, kept);
    if (same) return;
    this.plies = this.plies.slice(0, this.known());
    // What is looked at may not be of this game any more, or be where it stands now.
    if (this.viewing > this.plies.length || this.viewing === this.game.moves.length) this.viewing = null;
    this.renew(text("followed"), { followed: true });
  }

  /** The position that is looked at, null while it is not known. */
  get fen() {
    return this.viewing === null ? this.state?.full_fen ?? null : this.fenAt(this.viewing);
  }

  /** Whether it was refused as a whole: no position of it is known, and nobody is to move. */
  get isUnknown() {
    return this.refused !== null && this.begun === null;
  }

  fenAt(ply) {
    return ply === 0 ? this.begun : this.plies[ply - 1].fen;
  }

  /** What another game begins with that goes on from the position that is looked at. */
  get begunHere() {
    const { rules, start, moves } = this.game;
    return { rules, start, moves: moves.slice(0, this.viewing ?? moves.length) };
  }

  /** The address that opens this game, null while it is not known. */
  get link() {
    const { origin, pathname } = window.location;
    return this.state && origin + pathname + this.state.link;
  }

  /** Whether the person can move now. */
  get isOpen() {
    return !this.replay && this.state?.result === null && !this.game.isFull && this.game.isPersonsTurn;
  }

  /** A move of the person's; `shown` resolves when it stands on the board. */
  play(move, shown) {
    this.game.play(move);
    this.viewing = null;
    this.save();
    return this.proceed({ shown });
  }

  /** Asks how the game stands and goes on from there. `said` is what to say instead of the last move. */
  async proceed({ shown = null, said = null, followed = false } = {}) {
    this.state = null;
    const signal = this.begin();
    const known = this.known();
    const answer = await ask("state", { ...this.game.request, since: known }, signal);
    await shown;
    if (answer === null || signal.aborted) return;
    if (answer.refusal) {
      this.sayRefused(answer.refusal);
      return;
    }
    this.take(answer.body, known);
    this.put();
    this.say(said);
    if (!this.replay && !this.state.result && !this.game.isPersonsTurn && !this.game.isFull) await this.think(signal, followed);
  }

  /** How many of the game's moves the page has the positions of. */
  known() {
    const { moves } = this.game;
    const differs = this.plies.findIndex((ply, i) => ply.move !== moves[i]);
    return differs < 0 ? this.plies.length : differs;
  }

  take(state, known) {
    Object.assign(this, { state, begun: state.start });
    this.plies = [...this.plies.slice(0, known), ...state.played];
    Object.assign(this.game, { moves: this.plies.map((ply) => ply.move), over: state.result !== null, fen: state.fen });
    this.save();
  }

  /** The computer's turn. In a tab that nobody looks at it can wait, when another one has made the move. */
  async think(signal, followed) {
    this.ponder(true);
    if (followed) await this.seen(signal);
    const { level, seed, request } = this.game;
    const answer = signal.aborted ? null : await ask("engine", { ...request, level, seed }, signal, { slowly: () => {}, onPause: (pausing) => this.ponder(!pausing) });
    if (answer === null || signal.aborted) return;
    this.ponder(false);
    if (answer.refusal) {
      this.sayRefused(answer.refusal);
      return;
    }
    const { move } = answer.body;
    this.game.play(move.move);
    this.save();
    await this.proceed({ shown: this.viewing === null ? this.board.play(move) : null });
  }

  ponder(thinking) {
    this.thinking = thinking;
    this.board.wait(thinking);
    this.tell();
  }

  seen(signal) {
    if (!document.hidden) return Promise.resolve();
    return new Promise((resolve) => {
      for (const [target, name] of [[document, "visibilitychange"], [signal, "abort"]]) target.addEventListener(name, resolve, { once: true });
    });
  }

  /** Puts up the position that is looked at, with what can be moved there. */
  put() {
    const at = this.viewing ?? this.plies.length;
    const { pieces, turn } = parseFen(this.fenAt(at));
    const legal = this.viewing === null && this.isOpen ? this.state.legal : [];
    this.board.set({ pieces, legal, last: this.plies[at - 1] ?? null, side: turn });
    if (this.game.opponent === "person" && this.game.seating === "turning" && this.viewing === null) this.board.seat(turn);
    this.tell();
  }

  /** Looks at the position after so many plies; the game goes on from its end all the same. */
  async look(ply, step) {
    if (this.begun === null) return;
    const { game } = this;
    this.board.stop();
    const isLast = ply === this.game.moves.length;
    if (step) {
      this.viewing = ply - 1;
      this.put();
      this.viewing = isLast ? null : ply;
      this.tell();
      await this.board.play(this.plies[ply - 1]);
      if (this.game !== game || (this.viewing ?? this.plies.length) !== ply) return;
    }
    this.viewing = isLast ? null : ply;
    this.put();
    this.tellShown();
  }

  undo() {
    if (!this.game.canUndo) return;
    this.game.undo();
    this.change(text("undone"));
  }

  redo() {
    if (!this.game.canRedo) return;
    this.game.redo();
    this.change(text("redone"));
  }

  /** The moves of the game have changed otherwise than by the next one. */
  change(said) {
    this.viewing = null;
    this.save();
    this.plies = this.plies.slice(0, this.known());
    this.renew(said);
  }

  /** Shows as much of the game as is known, where nothing can be moved, and asks for the rest. */
  renew(said, { followed = false } = {}) {
    this.board.stop();
    this.tellHint(this.viewing === null ? "" : text("looking_back"));
    this.state = null;
    if (this.begun !== null) this.put();
    this.proceed({ said, followed });
  }

  /** Back to where the game stands. */
  latest() {
    if (this.viewing === null) return;
    this.board.stop();
    this.viewing = null;
    this.put();
    this.tellShown();
  }

  end(how) {
    if (this.game.over) return;
    this.game.ended = how;
    this.change(null);
  }

  /** A typed move: what the page does not know the server may, in another way of writing. */
  async type(field) {
    const typed = field.value.trim();
    if (typed === "") return;
    if (!this.isOpen) {
      this.tellHint(this.whyLocked());
      return;
    }
    this.latest();
    const found = findTyped(this.state.legal, typed);
    if (found) {
      field.value = "";
      this.play(found.move.move, this.board.enter(found.move, found.path));
      return;
    }
    const { signal } = this.turn;
    const { moves, ...rest } = this.game.request;
    const answer = await ask("state", { ...rest, moves: [...moves, typed], since: moves.length }, signal);
    if (answer === null || signal.aborted) return;
    if (answer.refusal) {
      const legal = this.state.legal.map(({ move }) => pretty(move));
      const able = all(legal.length > MOST_TOLD ? [...legal.slice(0, MOST_TOLD), "…"] : legal);
      say("warn", `${text("typed_wrong", { move: typed })} ${mustCapture(this.state.legal) ? text("typed_must", { moves: able }) : text("typed_how")}`);
      return;
    }
    field.value = "";
    const [move] = answer.body.played;
    this.latest();
    this.play(move.move, this.board.enter(move, move.paths[0]));
  }

  whyLocked() {
    if (this.viewing !== null) return text("looking_back");
    if (this.replay) return text("locked_replay");
    if (this.state?.result) return text("locked_over");
    return this.thinking ? text("locked_thinking") : "";
  }

  /** Says what has happened: the move or `said`, and what etiquette adds; the end before all. */
  say(said = null) {
    const { game, state, replay } = this;
    if (state.result) {
      say(...ending(game, state, replay));
      return;
    }
    if (game.isFull) {
      say("warn", text("full"));
      return;
    }
    const words = [said ?? this.lastMove(this.plies.length) ?? text("begin")];
    if (find("etiquette").checked && !replay) words.push(...announcements(game, state.notes));
    say("info", words.join(" "));
  }

  /** The move that led to the position after so many plies; null for the first. */
  lastMove(ply) {
    return ply === 0 ? null : moved(this.game.turnAt(ply - 1), this.plies[ply - 1]);
  }

  /** Says what belongs to the position that is looked at, in place of what was said of another. */
  tellShown() {
    const { viewing, state, refused } = this;
    this.tellHint(viewing === null ? "" : text("looking_back"));
    if (!find("retry").hidden) return; // that there is no answer matters wherever one looks
    if (viewing !== null) say("info", this.lastMove(viewing) ?? capital(text("step_start")));
    else if (refused) this.sayRefused(refused);
    else if (state) this.say();
  }

  sayRefused(message) {
    this.refused = message;
    hide("adopt"); // there is nothing to go on from
    const why = message.length > LONGEST_REFUSAL ? `${message.slice(0, LONGEST_REFUSAL)}…` : message;
    this.tell();
    say("warn", this.isUnknown ? why : `${text("refused_game")} ${why}`);
  }

  tellHint(message, quiet = false) {
    hint(message, quiet);
    this.tellMirror(quiet ? "" : message);
  }

  /** What whoever sits at the top of a board with pieces that face him has to read. */
  tellMirror(message = "") {
    const facing = this.board.view.facing;
    (facing ? show : hide)("mirror");
    if (facing) find("mirror").textContent = `${find("status-text").textContent}${message ? ` · ${message}` : ""}`;
  }

  /** Brings the words and buttons around the board up to date. */
  tell() {
    const { game, state, replay, viewing } = this;
    const ruleset = this.rulesets[game.rules] ?? { title: game.rules };
    find("kicker").textContent = players(game, ruleset, { replay });
    const shown = viewing === null ? null : game.turnAt(viewing);
    find("status-text").textContent = shown ? toMove(shown) : standing(game, state, this);
    const over = Boolean(state?.result);
    const color = over ? state.result.winner : game.turn;
    const disc = { W: "white", B: "black" }[this.isUnknown ? null : shown ?? color] ?? "none";
    find("status-disc").setAttribute("class", `disc-mark ${disc}${this.thinking && !shown ? " thinking" : ""}`);
    this.tellMirror();
    enable(find("undo"), game.canUndo);
    enable(find("redo"), game.canRedo);
    enable(find("advice"), this.isOpen);
    enable(find("draw"), this.isOpen);
    enable(find("resign"), state?.result === null);
    if (over || replay) leave(["talk", "typed"], ["new-game"]);
    else show("talk");
    // A typed move would be one of the last position.
    if (!over && !replay) (viewing === null ? show : hide)("typed");
    find("new-game").classList.toggle("main", over && !replay);
    this.list.draw({ moves: game.moves, first: game.turnAt(0), at: viewing ?? game.moves.length, known: this.begun === null ? -1 : this.plies.length });
  }
}
