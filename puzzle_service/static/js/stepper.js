// Walks through the solution after the end: two buttons, and the moves themselves to jump to.

import { el, enable, find } from "./dom.js";
import { afterMove, pretty } from "./position.js";
import { show } from "./say.js";
import { text } from "./text.js";

export class Stepper {
  /**
   * `board` shows `moves` from `start` (a piece map); `before` is the move that led there, or null. `at`: how many of the moves
   * the board shows already.
   */
  constructor(board, { start, before, moves, at }) {
    Object.assign(this, { board, moves, before, at });
    this.positions = moves.reduce((list, move) => [...list, afterMove(list.at(-1), move)], [start]);
    this.back = find("step-back");
    this.on = find("step-on");
    this.back.addEventListener("click", () => this.jump(this.at - 1));
    this.on.addEventListener("click", () => this.forward());
    this.line = moves.map((move, i) => el("button", { type: "button", class: "ply" }, pretty(move.move)));
    this.line.forEach((button, i) => button.addEventListener("click", () => this.jump(i + 1)));
    find("solution-line").replaceChildren(...this.line.map((button) => el("li", {}, button)));
    this.mark();
    show("stepper");
  }

  /** Puts up the position after `ply` moves. */
  jump(ply) {
    this.at = Math.min(Math.max(ply, 0), this.moves.length);
    this.board.stop();
    this.board.set({ pieces: this.positions[this.at], last: this.at > 0 ? this.moves[this.at - 1] : this.before });
    this.mark();
  }

  /** Shows the next move; a second press while it runs goes on at once. */
  async forward() {
    const from = this.at;
    if (from >= this.moves.length) return;
    this.jump(from);
    this.at = from + 1;
    this.mark();
    await this.board.play(this.moves[from]);
  }

  mark() {
    enable(this.back, this.at > 0);
    enable(this.on, this.at < this.moves.length);
    this.line.forEach((button, i) => (i + 1 === this.at ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current")));
    find("step-text").textContent = this.at === 0 ? text("step_start")
      : text("step", { n: this.at, total: this.moves.length, move: pretty(this.moves[this.at - 1].move) });
  }
}
