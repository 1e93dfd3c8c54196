// The moves of a game in numbered pairs, each to be looked at, and the buttons to walk through them.

import { el, enable, find } from "../dom.js";
import { pretty } from "../position.js";
import { text } from "../text.js";

export class MoveList {
  /** `onShow(ply, step)`: somebody wants to see the position after so many plies; `step` when it is the next one. */
  constructor({ onShow }) {
    Object.assign(this, { onShow, at: 0, total: 0, first: "W", known: -1, buttons: [] });
    this.list = find("moves");
    this.go = { first: () => 0, prev: () => this.at - 1, next: () => this.at + 1, last: () => this.total };
    for (const [id, target] of Object.entries(this.go)) {
      find(id).addEventListener("click", () => this.show(target(), id === "next"));
    }
  }

  show(ply, step = false) {
    if (this.leadsTo(ply)) this.onShow(ply, step);
  }

  /** Whether the position after so many plies is known and another than the one that is looked at. */
  leadsTo(ply) {
    return ply >= 0 && ply <= Math.min(this.known, this.total) && ply !== this.at;
  }

  /**
   * Writes the moves; `first` is who makes the first of them, `at` how many of them the board shows. Nobody can walk further than
   * the positions are `known`: after so many moves, -1 when not even the start is.
   */
  draw({ moves, first, at, known }) {
    Object.assign(this, { total: moves.length, at, known });
    const focused = this.buttons.indexOf(document.activeElement);
    this.buttons = moves.map((move, i) => {
      const button = el("button", { type: "button", class: "ply" }, pretty(move));
      button.addEventListener("click", () => this.show(i + 1));
      return button;
    });
    const cells = first === "B" ? [el("span", { class: "ply-gap", "aria-hidden": "true" }, "…"), ...this.buttons] : this.buttons;
    const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, i) =>
      el("li", {}, el("span", { class: "number" }, `${i + 1}.`), ...cells.slice(2 * i, 2 * i + 2)));
    this.list.replaceChildren(...rows);
    if (focused >= 0) (this.buttons[focused] ?? find("first")).focus({ preventScroll: true });
    find("no-moves").hidden = rows.length > 0;
    this.mark();
  }

  mark() {
    const { at, total, list } = this;
    for (const [id, target] of Object.entries(this.go)) enable(find(id), this.leadsTo(target()));
    find("step-text").textContent = total === 0 ? "" : at === 0 ? text("step_start") : text("step_of", { n: at, total });
    const current = this.buttons[at - 1];
    current?.setAttribute("aria-current", "step");
    // The list scrolls, the page does not.
    const row = current?.parentNode;
    if (!row) list.scrollTop = 0;
    else if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
    else if (row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = row.offsetTop + row.offsetHeight - list.clientHeight;
    }
  }
}
