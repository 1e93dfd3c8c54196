// Choosing a move square by square. Pure functions over the server's list of legal moves: the board knows no rules.
//
// prefix: the squares chosen so far, the piece's own first. goal: an end the player pointed at before the way there was clear.

const last = (list) => list[list.length - 1];

/** Every (move, path) of the legal moves that begins with the chosen squares. */
export function candidates(legal, prefix, goal = null) {
  return legal.flatMap((move) => move.paths
    .filter((path) => prefix.every((square, i) => path[i] === square) && (goal === null || last(path) === goal))
    .map((path) => ({ move, path })));
}

/** The squares of the pieces that may move. */
export const origins = (legal) => new Set(legal.map((move) => move.from));

/** True when the side to move has to capture: then every legal move is a capture. */
export const mustCapture = (legal) => legal.some((move) => move.captured.length > 0);

const moves = (open) => [...new Set(open.map((candidate) => candidate.move))];

/** The longest way that all candidates share. */
function common(open) {
  const [first, ...rest] = open.map((candidate) => candidate.path);
  let length = 0;
  while (length < first.length && rest.every((path) => path[length] === first[length])) length += 1;
  return first.slice(0, length);
}

/**
 * What pointing at a square means. One of
 *   { kind: "move", move, path }      the move is complete
 *   { kind: "stop", prefix, goal }    the series goes on from there
 *   { kind: "ask", prefix, goal }     several series end there: the player chooses the way
 *   { kind: "none" }                  nothing goes there
 */
export function advance(legal, prefix, goal, square) {
  const open = candidates(legal, prefix, goal);
  const steps = open.filter(({ path }) => path[prefix.length] === square);
  if (steps.length > 0) return stepTo(steps, [...prefix, square], goal);
  const ends = open.filter(({ path }) => last(path) === square);
  if (ends.length > 0) return goTo(ends, square);
  const later = open.filter(({ path }) => path.indexOf(square, prefix.length) > 0)
    .map(({ move, path }) => ({ move, path: path.slice(0, path.indexOf(square, prefix.length) + 1) }));
  if (later.length === 0) return { kind: "none" };
  const shared = common(later);
  return last(shared) === square ? { kind: "stop", prefix: shared, goal } : { kind: "none" };
}

function stepTo(steps, prefix, goal) {
  const done = steps.find(({ path }) => path.length === prefix.length);
  if (done) return { kind: "move", ...done };
  // With the end named, the way is only asked for until one move is left.
  if (goal !== null && moves(steps).length === 1) return { kind: "move", ...steps[0] };
  return { kind: "stop", prefix, goal };
}

function goTo(ends, square) {
  if (moves(ends).length === 1) return { kind: "move", ...ends[0] };
  return { kind: "ask", prefix: common(ends), goal: square };
}

/** Where the chosen piece can go: numbered stops ahead, and the squares where a move ends. */
export function targets(legal, prefix, goal = null) {
  const open = candidates(legal, prefix, goal);
  const single = open.length === 1;
  const stops = new Map();
  const ends = new Set();
  for (const { path } of open) {
    const ahead = path.slice(prefix.length, -1);
    (single ? ahead : ahead.slice(0, 1)).forEach((square, i) => {
      if (!stops.has(square)) stops.set(square, prefix.length + i); // a series may pass a square twice
    });
    ends.add(last(path));
  }
  return { stops, ends: new Set([...ends].filter((square) => !stops.has(square))) };
}
