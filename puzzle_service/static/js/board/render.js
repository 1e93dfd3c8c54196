// Draws a board: an SVG picture below, and over it a grid of cells, one a square, that carries names, focus and clicks.

import { el, svg } from "../dom.js";
import { text } from "../text.js";
import { ORTHOGONAL } from "./geometry.js";
import * as markers from "./markers.js";

const COLORS = { W: "white", B: "black" };

export class View {
  /** Replaces what `host` holds; the picture the server drew goes away. `facing`: the pieces of whoever sits at the top face him. */
  constructor(host, { label, flipped, grid = ORTHOGONAL, facing = false }) {
    Object.assign(this, { host, flipped, squares: grid, facing, numbered: grid !== ORTHOGONAL });
    this.layers = Object.fromEntries(["ground", "below", "pieces", "above"].map((name) => [name, svg("g", { class: name })]));
    this.cells = new Map(grid.squares.map((square) => [square, el("div", { role: "gridcell", class: "cell", "data-square": square, tabindex: -1 })]));
    this.grid = el("div", { role: "grid", class: "cells", "aria-label": label });
    this.pieceNodes = new Map();
    host.replaceChildren(
      svg("svg", { class: "board", viewBox: "0 0 800 800", "aria-hidden": "true", focusable: "false" }, ...Object.values(this.layers)),
      this.grid,
    );
    this.layOut();
    this.cursor = this.squareIn(0, 7) ?? this.squareIn(1, 7);
    this.point(this.cursor);
  }

  /** Top left corner of a square in the picture. */
  corner(square) {
    const [file, rank] = this.squares.place(square);
    return this.flipped ? [(7 - file) * 100, rank * 100] : [file * 100, (7 - rank) * 100];
  }

  /** Centre of a square in the picture. */
  centre(square) {
    const [x, y] = this.corner(square);
    return [x + 50, y + 50];
  }

  /** The point of the picture below a point of the window. */
  locate(clientX, clientY) {
    const box = this.host.getBoundingClientRect();
    return [((clientX - box.left) / box.width) * 800, ((clientY - box.top) / box.height) * 800];
  }

  /** The square below a point of the window, or null beside the board. */
  squareAt(clientX, clientY) {
    const [x, y] = this.locate(clientX, clientY);
    return this.squareIn(Math.floor(x / 100), Math.floor(y / 100));
  }

  /** The square in a column and row as seen, from the top left; null beside the board and where nobody plays. */
  squareIn(column, row) {
    return this.flipped ? this.squares.at(7 - column, row) : this.squares.at(column, 7 - row);
  }

  /** The square a number of columns and rows away as seen, kept on the board. Where nobody plays there, the next one in the row. */
  neighbour(square, columns, rows) {
    const [x, y] = this.corner(square);
    const keep = (value) => Math.min(7, Math.max(0, value));
    const [column, row] = [keep(x / 100 + columns), keep(y / 100 + rows)];
    // Up and down go to and fro between two columns, so that an arrow and its opposite lead back.
    const onward = columns === 0 ? (y / 100) % 2 === 0 ? 1 : -1 : Math.sign(columns);
    return this.squareIn(column, row) ?? this.squareIn(column + onward, row) ?? this.squareIn(column - onward, row);
  }

  /** Turns the board: picture, coordinates, cells and their order together. */
  turn() {
    const focused = this.host.contains(document.activeElement);
    this.flipped = !this.flipped;
    this.layOut();
    if (focused) this.focus(this.cursor);
  }

  layOut() {
    this.layers.ground.replaceChildren(...(this.numbered ? this.darkAndLight() : this.twoShades()));
    const square = (column, row) => this.cells.get(this.squareIn(column, row)) ?? el("div", { role: "presentation" });
    this.grid.replaceChildren(...Array.from({ length: 8 }, (_, row) => el("div", { role: "row", class: "cells-row" },
      ...Array.from({ length: 8 }, (__, column) => square(column, row)))));
  }

  /** Every square is played on: two close shades with lines between, files and ranks at the edge. */
  twoShades() {
    const ground = this.squares.squares.map((square) => {
      const [x, y] = this.corner(square);
      const [file, rank] = this.squares.place(square);
      return svg("rect", { class: `square ${(file + rank) % 2 ? "a" : "b"}`, x, y, width: 100, height: 100 });
    });
    for (let i = 1; i < 8; i += 1) ground.push(svg("path", { class: "grid", d: `M${i * 100} 0V800M0 ${i * 100}H800` }));
    for (let i = 0; i < 8; i += 1) {
      ground.push(
        svg("text", { class: "coordinate file", x: i * 100 + 95, y: 793, "text-anchor": "end" }, this.squareIn(i, 7)[0]),
        svg("text", { class: "coordinate rank", x: 5, y: i * 100 + 21 }, this.squareIn(0, i)[1]),
      );
    }
    return ground;
  }

  /** Only the dark squares are played on: each carries its number. */
  darkAndLight() {
    const squares = this.squares.squares.map((square) => [square, ...this.corner(square)]);
    return [
      svg("rect", { class: "square light", width: 800, height: 800 }),
      ...squares.map(([, x, y]) => svg("rect", { class: "square dark", x, y, width: 100, height: 100 })),
      ...squares.map(([square, x, y]) => svg("text", { class: "coordinate number", x: x + 3, y: y + 18 }, square)),
    ];
  }

  /** Moves the one tab stop of the grid, without taking the focus. */
  point(square) {
    this.cells.get(this.cursor).tabIndex = -1;
    this.cursor = square;
    this.cells.get(square).tabIndex = 0;
  }

  /** Moves the tab stop and the focus. */
  focus(square) {
    this.point(square);
    this.cells.get(square).focus({ preventScroll: true });
  }

  /**
   * Draws a model { pieces, ghosts, last, must, selected, passed, stops, ends, movable, hinted }: squares throughout; `passed` lists the
   * stops behind, the last of them under the piece; `stops` maps those ahead to their numbers; `hinted` is the path of a hint.
   */
  draw(model) {
    const at = (square, make, ...rest) => make(...this.corner(square), ...rest);
    this.layers.below.replaceChildren(
      ...(model.last ? [at(model.last.from, markers.corners, "from", this.numbered), at(model.last.to, markers.corners, "to", this.numbered)] : []),
      ...(model.hinted.length > 0 ? [markers.way(model.hinted.map((square) => this.centre(square)))] : []),
    );
    this.drawPieces(model);
    const behind = model.passed.slice(0, -1).map((square, i) => at(square, markers.stop, i + 1, "passed"));
    const here = model.passed.slice(-1).map((square) => at(square, markers.stop, model.passed.length, "here"));
    this.layers.above.replaceChildren(
      ...[...model.must].filter((square) => square !== model.hinted[0]).map((square) => at(square, markers.must)),
      ...[...new Set([model.hinted[0], model.hinted.at(-1)])].filter(Boolean).map((square) => at(square, markers.hinted)),
      ...(model.selected ? [at(model.selected, markers.selected)] : []),
      ...[...model.ends].map((square) => at(square, markers.destination)),
      ...[...model.stops].map(([square, number]) => at(square, markers.stop, number, "ahead")),
      ...behind,
      ...here,
    );
    this.nameCells(model);
  }

  drawPieces({ pieces, ghosts, selected }) {
    const top = this.flipped ? "W" : "B";
    this.pieceNodes.clear();
    const nodes = [];
    for (const [square, value] of pieces) {
      const node = markers.piece(value, { ghost: ghosts.has(square), turned: this.facing && value.color === top });
      node.setAttribute("transform", `translate(${this.centre(square).join(" ")})`);
      this.pieceNodes.set(square, node);
      if (square === selected) nodes.push(node);
      else nodes.unshift(node);
    }
    this.layers.pieces.replaceChildren(...nodes);
  }

  nameCells(model) {
    for (const [square, cell] of this.cells) {
      const value = model.pieces.get(square);
      const words = [square, value && !model.ghosts.has(square) ? text(`${COLORS[value.color]}_${value.king ? "king" : "man"}`) : text("empty")];
      const passed = model.passed.indexOf(square);
      if (model.ghosts.has(square)) words[1] = text("captured");
      if (model.must.has(square)) words.push(text("must_capture"));
      if (model.selected === square) words.push(text("selected"));
      if (passed >= 0) words.push(text("stop", { n: passed + 1 }));
      if (model.stops.has(square)) words.push(text("next_stop", { n: model.stops.get(square) }));
      if (model.ends.has(square)) words.push(text("destination"));
      if (model.hinted.includes(square)) words.push(text("hinted"));
      if (model.last?.from === square) words.push(text("last_from"));
      if (model.last?.to === square) words.push(text("last_to"));
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-selected", String(model.selected === square));
      cell.classList.toggle("movable", model.movable.has(square));
      cell.classList.toggle("target", model.stops.has(square) || model.ends.has(square));
    }
  }
}
