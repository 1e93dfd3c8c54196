// Walks through a proof on the review page: every move and every defence is a button, the board follows.
//
// Needs #board, #walker (its no-script contents are replaced), #bar with #flip, [data-line] where there are lines of their own to show
// (their contents become buttons), and <script type="application/json" id="proof"> with
// { fen, turn, moves, previous: Move JSON | null, root, plies }. plies maps each line of the tree, its texts joined by spaces, to the
// Move JSON of its last ply. root is a solver's node { wins: {move: defender's node}, slow: [move],
// refuted: {move: [ply]} }; a defender's node is { defence: solver's node }, empty when the game is over.

import { Board } from "./board/board.js";
import { data, el, find, isCommand } from "./dom.js";
import { afterMove, parseFen, pretty } from "./position.js";
import { show } from "./say.js";
import { text } from "./text.js";

class Walker {
  constructor(proof, board, place) {
    Object.assign(this, { proof, board, place });
    this.sides = proof.turn === "W" ? ["white", "black"] : ["black", "white"];
    // Each step: the position, the move that led there, and what may come next.
    this.steps = [{ pieces: parseFen(proof.fen).pieces, move: proof.previous, node: proof.root, rest: null }];
    this.draw();
  }

  get step() {
    return this.steps.at(-1);
  }

  get solverToMove() {
    return this.steps.length % 2 === 1;
  }

  /** Cuts the line to `length` steps and shows where it ends. */
  cut(length) {
    this.steps.length = Math.max(length, 1);
    this.board.stop();
    this.board.set({ pieces: this.step.pieces, last: this.step.move });
    this.draw();
  }

  /** Plays a move text; `node` is the tree below it, `rest` the plies left of a refuted line. */
  async go(moveText, node, rest = null) {
    const { pieces, move: before } = this.step;
    const line = [...this.steps.slice(1).map((step) => step.move.move), moveText].join(" ");
    const move = this.proof.plies[line];
    this.steps.push({ pieces: afterMove(pieces, move), move, node, rest });
    this.draw();
    this.board.stop();
    this.board.set({ pieces, last: before });
    await this.board.play(move);
  }

  /** Shows a line of its own from the first position: its first move; the others follow one by one. */
  start(line) {
    const [first, ...rest] = line.split(" ");
    this.cut(1);
    this.go(first, null, rest);
    (this.place.querySelector(".choice") ?? this.place.querySelector('[aria-current="step"]')).focus({ preventScroll: true });
  }

  /** What can be played here: [heading, class, [move, node, rest, note]] for each group. */
  groups() {
    const { node, rest } = this.step;
    if (rest) return rest.length > 0 ? [[null, "refuted", [[rest[0], null, rest.slice(1), ""]]]] : [];
    if (node === null) return [];
    if (!this.solverToMove) {
      const defences = Object.entries(node).map(([move, next]) => [move, next, null, ""]);
      return [[text("proof_defences", { side: text(this.sides[1]) }), "defences", defences]];
    }
    return [
      [text("proof_wins"), "wins", Object.entries(node.wins).map(([move, next]) => [move, next, null, ""])],
      [text("proof_slow"), "slow", node.slow.map((move) => [move, null, null, ""])],
      [text("proof_refuted"), "refuted", Object.entries(node.refuted).map(([move, line]) => [move, null, line, line.map(pretty).join(" ")])],
    ].filter(([, , choices]) => choices.length > 0);
  }

  /** The word at the end of a line, or null. */
  verdict() {
    const { node, rest } = this.step;
    if (rest) return rest.length === 0 ? text("proof_line_end", { n: this.proof.moves }) : null;
    if (node === null) return text("proof_slow");
    if (!this.solverToMove && Object.keys(node).length === 0) return text("proof_end", { side: text(this.sides[0]) });
    return null;
  }

  draw() {
    const focused = this.place.contains(document.activeElement);
    const verdict = this.verdict();
    this.place.replaceChildren(
      this.trail(),
      el("div", { class: "choices", role: "status" }, verdict ? el("p", { class: "walk-end" }, verdict) : null),
      ...this.groups().filter(([, , choices]) => choices.length > 0).map((group) => this.group(...group)),
    );
    // The button that was pressed is gone: the focus goes on to the next one, or back to the last of the line.
    if (focused) (this.place.querySelector(".choice") ?? this.place.querySelector('[aria-current="step"]')).focus();
  }

  trail() {
    const buttons = this.steps.map(({ move }, i) => {
      const current = i === this.steps.length - 1;
      const button = el("button", { type: "button", class: "ply", "aria-current": current ? "step" : null },
        i === 0 ? text("proof_start") : pretty(move.move));
      button.addEventListener("click", () => this.cut(i + 1));
      return el("li", {}, button);
    });
    return el("ol", { class: "line" }, ...buttons);
  }

  group(heading, kind, choices) {
    const buttons = choices.map(([move, node, rest, note]) => {
      const button = el("button", { type: "button", class: `choice ${kind}` }, el("b", {}, pretty(move)), note ? el("span", {}, note) : null);
      button.addEventListener("click", () => this.go(move, node, rest));
      return el("li", {}, button);
    });
    return el("section", { class: "group" }, heading ? el("h3", {}, heading) : null, el("ul", { class: "moves" }, ...buttons));
  }
}

const proof = data("proof");
if (proof) {
  const board = new Board(find("board"), { side: proof.turn });
  board.set({ pieces: parseFen(proof.fen).pieces, last: proof.previous });
  const walker = new Walker(proof, board, find("walker"));
  for (const item of document.querySelectorAll("[data-line]")) {
    const button = el("button", { type: "button", class: "choice refuted" }, ...item.childNodes);
    button.addEventListener("click", () => walker.start(item.dataset.line));
    item.replaceChildren(button);
  }
  find("flip").addEventListener("click", () => board.flip());
  show("bar");
  document.addEventListener("keydown", (event) => {
    if (!isCommand(event) || event.target.closest(".cells")) return;
    if (event.key === "ArrowLeft") walker.cut(walker.steps.length - 1);
    else if (event.key === "ArrowRight") walker.place.querySelector(".choice")?.click();
    else return;
    event.preventDefault();
  });
}
