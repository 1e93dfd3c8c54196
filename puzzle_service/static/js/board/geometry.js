// The two boards as geometry: names of squares and where they lie. File and rank are both 0…7; White sits at rank 0.

const FILES = "abcdefgh";

class Grid {
  constructor(squares) {
    this.places = new Map(squares.map(({ name, file, rank }) => [name, [file, rank]]));
    this.names = new Map(squares.map(({ name, file, rank }) => [file + 8 * rank, name]));
    this.squares = [...this.places.keys()];
  }

  has(square) {
    return this.places.has(square);
  }

  /** File and rank of a square. */
  place(square) {
    return this.places.get(square);
  }

  /** The square at a file and rank; null where nobody plays. */
  at(file, rank) {
    const inside = file >= 0 && file < 8 && rank >= 0 && rank < 8;
    return (inside && this.names.get(file + 8 * rank)) || null;
  }
}

/** All 64 squares, a1 … h8. */
export const ORTHOGONAL = new Grid(Array.from({ length: 64 }, (_, i) => {
  const [file, rank] = [i % 8, Math.floor(i / 8)];
  return { name: FILES[file] + (rank + 1), file, rank };
}));

/** The 32 dark squares, numbered from Black's side: 1 is White's top left, 32 the corner at White's right. */
export const DIAGONAL = new Grid(Array.from({ length: 32 }, (_, i) => {
  const row = Math.floor(i / 4);
  return { name: String(i + 1), file: 2 * (i % 4) + (row % 2), rank: 7 - row };
}));

/** The board that a square belongs to. */
export const gridOf = (square) => (DIAGONAL.has(square) ? DIAGONAL : ORTHOGONAL);
