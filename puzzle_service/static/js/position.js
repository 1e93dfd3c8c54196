// Positions and moves as values: reads the text forms and replays moves that the server gave. It knows the geometry, not the rules.
//
// pieces: Map from a square's name to { color: "W" | "B", king: boolean }.
// move: the server's Move JSON { move, from, to, captured, promotes, paths }.

import { gridOf } from "./board/geometry.js";

/** The side that a colour plays against. */
export const other = (color) => (color === "W" ? "B" : "W");

/** The piece map and the side to move of a FEN such as "W:Wa2,Kd4:Ba6,Kh8" or "B:W21-32:BK7,12:H3". */
export function parseFen(fen) {
  const [turn, ...sides] = fen.trim().replace(/\.$/, "").split(":");
  const pieces = new Map();
  for (const side of sides) {
    const color = side[0];
    if (color !== "W" && color !== "B") continue; // ":H<plies>" carries the clock
    for (const item of side.slice(1).split(",").filter(Boolean)) {
      const king = item.startsWith("K");
      for (const square of squaresOf(king ? item.slice(1) : item)) pieces.set(square, { color, king });
    }
  }
  return { turn, pieces };
}

/** One square, or a range of numbered ones. */
function squaresOf(text) {
  const [first, last = first] = text.split("-");
  if (first === last) return [first];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => String(Number(first) + i));
}

/** The squares strictly between two squares of one line. */
function between(from, to) {
  const grid = gridOf(from);
  const [file, rank] = grid.place(from);
  const [toFile, toRank] = grid.place(to);
  const steps = Math.max(Math.abs(toFile - file), Math.abs(toRank - rank));
  const [stepFile, stepRank] = [Math.sign(toFile - file), Math.sign(toRank - rank)];
  return Array.from({ length: Math.max(steps - 1, 0) },
    (_, i) => grid.at(file + stepFile * (i + 1), rank + stepRank * (i + 1)));
}

/** For each leg of a path the captured square it jumps, or null: one that no earlier leg has taken. */
export function victims(path, captured) {
  const left = new Set(captured);
  return path.slice(1).map((stop, i) => {
    const taken = between(path[i], stop).find((square) => left.has(square)) ?? null;
    left.delete(taken);
    return taken;
  });
}

/** The piece map after a move. */
export function afterMove(pieces, move) {
  const next = new Map(pieces);
  const piece = next.get(move.from);
  next.delete(move.from);
  for (const square of move.captured) next.delete(square);
  next.set(move.to, { color: piece.color, king: piece.king || move.promotes });
  return next;
}

// Two squares or more, with at most a separator between names and just one between numbers: the spellings that the server reads.
const NAMES = /^[a-h][1-8](\s*([-–−x×:]\s*)?[a-h][1-8])+$/i;
const NUMBERS = /^\d{1,2}(\s*[-–−x×:]\s*\d{1,2})+$/;

/** The legal move that a typed text names, with its path; null when none or several fit, or the text holds anything else. */
export function findTyped(legal, typed) {
  if (!(NAMES.test(typed) || NUMBERS.test(typed))) return null;
  const squares = typed.toLowerCase().match(/[a-h][1-8]|\d{1,2}/g);
  const same = (list) => list.length === squares.length && list.every((square, i) => square === squares[i]);
  for (const move of legal) {
    const path = move.paths.find(same);
    if (path) return { move, path };
  }
  const ends = squares.length === 2 ? legal.filter((move) => move.from === squares[0] && move.to === squares[1]) : [];
  return ends.length === 1 ? { move: ends[0], path: ends[0].paths[0] } : null;
}

/** A move text as people write it: g4–f4, f5×f3×h3. */
export const pretty = (move) => move.replaceAll("-", "–").replaceAll("x", "×");
