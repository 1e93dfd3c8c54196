"""Fits the weights of the evaluation to the results of games that the engine plays against itself.

    python bench/tune.py play GAMES.npz --rules turkish --games 3000 --nodes 2000 [--seed 1]
    python bench/tune.py fit GAMES.npz [GAMES.npz …] --rules turkish

``play`` begins each game with moves by chance, lets the engine play it to its end by the rules, and keeps of
every quiet position the counts that the evaluation weighs, the number of pieces, and the result for the side
to move. ``fit`` finds the weights under which the logistic function of the evaluation tells the results best
(Texel's method), by Newton's steps with a pull towards the weights before, scales them to 100 for a man on
the full board, and prints them, with the loss on a tenth of the games that the fit has not seen.
"""

import argparse
import random
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dama import kernel
from dama.kernel.bits import ONE, ZERO
from dama.kernel.compiler import compiled, u8, work_array
from dama.kernel.evaluation import weighed, weights_of
from dama.kernel.play import prepared, think
from dama.kernel.play_space import LINES, WEIGHTS_AT
from dama.kernel.weighing import END_PIECES, PHASES
from dama.kernel.workspace import ENEMY_KINGS, ENEMY_MEN, KINGS, LIMIT, MEN, RULES, Work
from dama.position import Position
from dama.rulesets import find_ruleset

U = np.uint64
Floats = npt.NDArray[np.float64]
OPENING = range(4, 13)
"""Moves by chance at the beginning."""
LONGEST = 400
"""Plies after which a game counts as a draw."""
HELD_OUT = 10
PULLS = (3e-1, 1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4)
"""How strongly the fit is held to the weights before; the games held out decide."""


@compiled(u8(work_array), entry=True)
def write_counts(work: Work) -> U:
    """Write what each of the LIMIT weights is multiplied with: the value under that weight alone."""
    cell = ZERO
    while cell < work[LIMIT]:
        work[WEIGHTS_AT + cell] = ZERO
        cell += ONE
    cell = ZERO
    while cell < work[LIMIT]:
        work[WEIGHTS_AT + cell] = ONE
        work[LINES + cell] = np.uint64(
            weighed(work, work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS], work[RULES])
        )
        work[WEIGHTS_AT + cell] = ZERO
        cell += ONE
    return cell


def counts(position: Position) -> list[int]:
    """Return the counts that the evaluation weighs, and the number of pieces."""
    work = prepared(position, 0)
    work[LIMIT] = count = len(weights_of(position.rules))
    write_counts(work)
    first = int(LINES)
    pieces = position.white_men | position.white_kings | position.black_men | position.black_kings
    return [*work[first : first + count].astype(np.int64).tolist(), pieces.bit_count()]


def play_one(rules: str, nodes: int, seed: int) -> list[list[int]]:
    """Return the rows of one game: counts, pieces, and twice the points of the side to move."""
    chance = random.Random(seed)
    position = Position.start(rules)
    seen: list[Position] = []
    kept: list[tuple[int, list[int]]] = []
    random_plies, quiet = chance.choice(OPENING), 0
    points = 1  # of White, twice: a draw unless somebody wins
    for ply in range(LONGEST):
        if kernel.standing(position) is not kernel.Standing.OPEN:
            if kernel.standing(position) is not kernel.Standing.DRAWN:
                lost = kernel.standing(position) is kernel.Standing.LOST
                points = 2 * int((position.turn.value == "W") != lost)
            break
        clock = position.rules.clock_plies
        if seen.count(position) >= 2 or (clock is not None and quiet >= clock):
            break
        moves = kernel.moves(position)
        is_quiet = not moves[0][2]
        if ply >= random_plies and is_quiet:
            kept.append((1 if position.turn.value == "W" else -1, counts(position)))
        seen.append(position)
        if ply < random_plies:
            chosen = chance.choice(moves)
        else:
            chance.shuffle(moves)
            chosen = think(position, moves, nodes=nodes, past=seen[-1 - quiet : -1]).line[0]
        men = position.pieces(position.turn).men
        quiet = quiet + 1 if is_quiet and not is_step(position, men, chosen) else 0
        position = position.moved(*chosen)
    return [[*row, points if side > 0 else 2 - points] for side, row in kept]


def is_step(position: Position, men: int, chosen: tuple[int, int, int]) -> bool:
    """Tell whether a move is a man's to another rank."""
    place = position.rules.grid.place
    return bool(men >> chosen[0] & 1) and place(chosen[0])[1] != place(chosen[1])[1]


def play(options: argparse.Namespace) -> None:
    rows, games = [], []
    for number in range(options.games):
        new = play_one(options.rules, options.nodes, options.seed * 1_000_000 + number)
        rows += new
        games += [number] * len(new)
        if number % 200 == 199:
            print(f"{number + 1} games, {len(rows)} positions", flush=True)
            np.savez_compressed(options.file, rows=np.array(rows, np.int16), games=np.array(games))
    np.savez_compressed(options.file, rows=np.array(rows, np.int16), games=np.array(games))


def design(rows: npt.NDArray[np.int16]) -> tuple[Floats, Floats]:
    """Return the counts, shared out between the two weights by the number of pieces, and the points."""
    values = rows[:, :-2].astype(float)
    phase = np.clip(rows[:, -2] - int(END_PIECES), 0, int(PHASES))[:, None] / int(PHASES)
    return np.hstack([values * phase, values * (1 - phase)]), rows[:, -1] / 2


def loss(x: Floats, y: Floats, weights: Floats) -> float:
    chance = 1 / (1 + np.exp(-x @ weights))
    return float(-np.mean(y * np.log(chance + 1e-12) + (1 - y) * np.log(1 - chance + 1e-12)))


def fitted(x: Floats, y: Floats, start: Floats, pull: float) -> Floats:
    """Return the weights that tell the results best, held back by a pull towards those to start with."""
    weights = start.copy()
    for _ in range(12):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (chance - y) / len(y) + pull * (weights - start)
        bend = (x * (chance * (1 - chance))[:, None]).T @ x / len(y)
        weights -= np.linalg.solve(bend + pull * np.eye(len(weights)), slope)
    return weights


def fit(options: argparse.Namespace) -> None:
    loaded = [np.load(file) for file in options.files]
    rows = np.concatenate([data["rows"] for data in loaded])
    games = np.concatenate([data["games"] + 1_000_000 * number for number, data in enumerate(loaded)])
    x, y = design(rows)
    held = games % HELD_OUT == 0
    print(f"{len(y)} positions of {len(set(games.tolist()))} games, a tenth of the games held out")
    known = weights_of(find_ruleset(options.rules))
    now = np.array([[early, late] for _, early, late in known]).T.ravel() / 100.0
    scale = min(np.linspace(0.2, 3, 57), key=lambda factor: loss(x[held], y[held], now * factor))
    print(f"weights as they are: loss {loss(x[held], y[held], now * scale):.4f}")
    best, least = now * scale, np.inf
    for pull in PULLS:
        weights = fitted(x[~held], y[~held], now * scale, pull)
        found = loss(x[held], y[held], weights)
        print(f"pull {pull:.0e}: loss {found:.4f}")
        if found < least:
            best, least = weights, found
    scaled = np.rint(best / best[0] * 100).astype(int)
    for (name, _, _), early, late in zip(known, scaled[: len(known)], scaled[len(known) :], strict=True):
        print(f'    ("{name}", {early}, {late}),')


def main() -> None:
    parser = argparse.ArgumentParser(description="fit the weights of the evaluation")
    commands = parser.add_subparsers(required=True)
    playing = commands.add_parser("play")
    playing.add_argument("file", type=Path)
    playing.add_argument("--rules", default="turkish")
    playing.add_argument("--games", type=int, default=3000)
    playing.add_argument("--nodes", type=int, default=2000)
    playing.add_argument("--seed", type=int, default=1)
    playing.set_defaults(run=play)
    fitting = commands.add_parser("fit")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--rules", default="turkish")
    fitting.set_defaults(run=fit)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
