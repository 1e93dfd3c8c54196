// The puzzle page: sends moves to the server and shows what it answers.
//
// What it needs of the page:
//   <main id="main" data-now data-next data-home data-icons data-post>   server time, next change of day (ISO 8601, UTC), today's
//                                                                        address, the icon sprite, where moves are posted
//   <meta name="csrf-token">   <script type="application/json" id="puzzle"> (the puzzle JSON)   … id="texts"> (key -> text)
//   #board       holds the server's picture; the board takes its place
//   #bar         hidden until the board is there; holds #hint (live), #takeback, #flip, #help-open
//   #say         verdicts (live): an icon and <p><b>what happened</b> <span>why, and what next</span></p>
//   #retry #reload #again #share (data-share) #practise #restart      shown when they are of use; the last three may be missing
//   #attempts > #pips, #left, #figures     not in practice       #typed   the form with <input name="move"> and #typed-send, while the puzzle is open
//   #stepper > #step-back, #step-on, #step-text, #solution-line, #rule-note       #help   the dialog
//   #notice (live), #countdown, #streak-link > #streak, #streak-line, [data-today] > .mark, .sr     where the page has them

import { postMove, requestId } from "./api.js";
import { rest } from "./board/animate.js";
import { Board } from "./board/board.js";
import { startClock } from "./clock.js";
import { data, enable, find, isCommand } from "./dom.js";
import { findTyped, parseFen } from "./position.js";
import { attempts, ended, hide, hint, leave, say, show } from "./say.js";
import { share } from "./share.js";
import { Stepper } from "./stepper.js";
import { text } from "./text.js";

const LOOK = 1000; // milliseconds a refuted position stays to be looked at
const SLOW_LOOK = 700; // milliseconds before a move that wins too slowly goes back
const SILENCE = 600; // milliseconds before a wait is worth a word

class PuzzlePage {
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.main = find("main");
    this.form = find("typed"); // not there when the puzzle is over
    this.start = parseFen(puzzle.start).pieces;
    const { attempt, ply, state } = puzzle;
    Object.assign(this, { attempt, ply, state, line: [...puzzle.line], missed: null, pending: null });
    this.now = { pieces: parseFen(puzzle.position).pieces, legal: puzzle.legal, last: puzzle.line.at(-1) ?? puzzle.last_move };
    this.board = new Board(find("board"), {
      side: puzzle.turn,
      onMove: (move, shown) => this.send(move.move, move, shown),
      onHint: hint,
      onSeries: (running) => (running ? show : hide)("takeback"),
    });
    this.board.set({ ...this.now, legal: state === "open" ? puzzle.legal : [] });
    this.listen();
    show("bar");
    this.tellAttempts(puzzle);
    if (state !== "open") {
      this.board.set({ pieces: this.start, last: puzzle.last_move });
      this.finish(puzzle);
    }
  }

  listen() {
    find("flip").addEventListener("click", () => this.board.flip());
    find("takeback").addEventListener("click", () => this.board.takeBack());
    find("help-open").addEventListener("click", () => find("help").showModal());
    find("retry").addEventListener("click", () => this.deliver());
    find("again").addEventListener("click", () => this.showAgain());
    find("share")?.addEventListener("click", (event) => share(event.currentTarget.dataset.share));
    this.form?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(this.form.elements.move);
    });
    document.addEventListener("keydown", (event) => {
      if (!isCommand(event) || event.repeat) return;
      if (event.key === "/") this.form?.elements.move.focus();
      else if (event.key === "?") find("help").showModal();
      else return;
      event.preventDefault();
    });
  }

  /** A typed move: shown at once when it is clear which one is meant. What it means, or what is wrong with it, the server says. */
  type(field) {
    const typed = field.value.trim();
    if (typed === "") return;
    this.typedAhead = this.board.locked;
    if (this.typedAhead) return; // it stays in the field and is played when the board is free
    field.value = "";
    const found = findTyped(this.now.legal, typed);
    this.send(typed, found?.move ?? null, found ? this.board.enter(found.move, found.path) : Promise.resolve());
  }

  /** Sends a move; the request is kept until it is answered, so that a retry is the same request. */
  send(moveText, move, shown) {
    const { attempt, ply, line, puzzle } = this;
    const request = { attempt, ply, move: moveText, request_id: requestId(), mode: puzzle.mode, served: puzzle.served };
    if (puzzle.mode === "practice") request.line = line.map((played) => played.move);
    this.pending = { request, move, shown };
    this.deliver();
  }

  async deliver() {
    const { request, move, shown } = this.pending;
    hide("retry", "reload", "again");
    this.busy(true);
    const slowly = setTimeout(() => say("info", text("sending")), SILENCE);
    const result = await postMove(this.main.dataset.post, request);
    clearTimeout(slowly);
    if (result.kind === "answer") {
      this.pending = null;
      await this.judge(result.answer, result.answer.played ?? move, request.move, move ? shown : null);
    } else {
      await shown;
      this.trouble(result);
    }
    this.busy(false);
  }

  /** Locks everything that could start a second move. */
  busy(waiting) {
    this.board.wait(waiting);
    if (waiting) this.board.locked = true;
    else if (this.typedAhead && this.state === "open") this.type(this.form.elements.move);
  }

  trouble({ kind, message }) {
    if (kind === "refused") {
      say("warn", message || text("stale"));
      show("reload");
    } else {
      say("warn", (kind === "busy" && message) || text(kind === "unreachable" ? "network" : "server_error"));
      show("retry");
    }
  }

  /** Shows a verdict. `shown` resolves when the player's move stands on the board; null when it is not there yet. */
  async judge(answer, move, sent, shown) {
    if (shown) await shown;
    else if (move && answer.verdict !== "illegal" && answer.verdict !== "over") await this.board.play(move);
    const started = { pieces: this.start, legal: answer.legal, last: this.puzzle.last_move };
    this.tell(answer);
    if (answer.verdict === "illegal") this.form.elements.move.value ||= sent; // to be corrected
    if (answer.verdict === "continue") {
      this.line.push(move, answer.reply);
      await this.board.play(answer.reply);
      this.now = { pieces: parseFen(answer.position).pieces, legal: answer.legal, last: answer.reply };
    } else if (answer.verdict === "wrong") {
      await this.refute({ from: this.now, move, refutation: answer.refutation ?? [] });
      this.line = [];
      this.now = started;
    } else if (answer.verdict === "slow") {
      await rest(SLOW_LOOK);
      this.now = { ...this.now, legal: answer.legal };
    } else if (answer.verdict === "solved") {
      this.line.push(move);
      this.now = { pieces: parseFen(answer.position).pieces, legal: [], last: move ?? this.now.last };
    } else if (answer.verdict === "over") {
      this.now = started;
    }
    this.board.set({ ...this.now, legal: this.state === "open" ? this.now.legal : [] });
    if (this.state !== "open") this.finish(answer);
  }

  /** Words first: they explain what is about to be seen. */
  tell(answer) {
    Object.assign(this, {
      state: answer.state ?? this.state,
      attempt: answer.attempt ?? this.attempt,
      ply: answer.ply ?? this.ply,
    });
    this.tellAttempts(answer);
    say(answer.kind, answer.message);
  }

  tellAttempts({ attempts_left: attemptsLeft }) {
    attempts({ state: this.state, attempt: this.attempt, attemptsLeft });
  }

  /** Shows the reply that refutes a move, and leaves time to look. */
  async refute(missed) {
    this.missed = missed.move ? missed : null;
    for (const reply of missed.refutation) await this.board.play(reply);
    await rest(LOOK);
    if (this.missed && this.state === "open") show("again");
  }

  /** The last wrong move and its answer once more. */
  async showAgain() {
    const { from, move, refutation } = this.missed;
    enable(find("again"), false);
    hint("");
    this.board.set({ ...from, legal: [] });
    await rest(LOOK / 2);
    await this.board.play(move);
    for (const reply of refutation) await this.board.play(reply);
    await rest(LOOK);
    this.board.set(this.now);
    enable(find("again"), true);
  }

  /** After the end: result, solution, what to do next. */
  finish({ solution, note, share: result, streak, figures, verdict }) {
    hint("");
    if (this.puzzle.mode === "daily") ended({ state: this.state, attempt: this.attempt, streak, figures });
    const button = find("share");
    if (button && result) button.dataset.share = result;
    if (button?.dataset.share) show("share");
    show("practise", "restart");
    leave(["again", "typed"], ["share", "practise", "restart"]);
    if (!solution?.length) return;
    if (note) {
      find("rule-note").textContent = note;
      show("rule-note");
    }
    // Other moves may have won as well: who has just solved it walks through the line on the board.
    const moves = verdict === "solved" ? this.line : solution;
    new Stepper(this.board, { start: this.start, before: this.puzzle.last_move, moves, at: verdict === "solved" ? moves.length : 0 });
  }
}

const puzzle = data("puzzle");
if (puzzle) new PuzzlePage(puzzle);
startClock(find("main"));
