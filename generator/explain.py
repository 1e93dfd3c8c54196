"""What there is to say about one position: every predicate, themes, difficulty, and why it is no puzzle."""

from collections.abc import Iterator
from typing import Final

from dama import Position
from dama.prove import prove
from generator.difficulty import WEIGHTS, difficulty, features_of
from generator.examination import inspect
from generator.quality import MOVES_TO_WIN, Check
from generator.skeleton import skeleton
from generator.themes import themes_of
from generator.tries import tries
from generator.win import Win

_WIDTH: Final = 20


def explain(position: Position) -> Iterator[str]:
    """Yield the explanation line by line, the side to move taken for the solver."""
    yield str(position)
    yield position.fen()
    yield ""
    checks = inspect(position)
    yield from _verdict(checks)
    proof = None if position.status() else prove(position, max(MOVES_TO_WIN))
    if proof is not None:
        yield f"{position.turn.name.lower()} wins in {proof.moves}: {' '.join(proof.main_line())}"
    yield ""
    yield "predicates"
    yield from map(_told, checks)
    if proof is not None:
        yield ""
        yield from _findings(Win.of(proof))


def _verdict(checks: list[Check]) -> Iterator[str]:
    failed = [check for check in checks if not check.passes]
    if not failed:
        yield "a puzzle, if it is new"
    for check in failed:
        if check.value is not None:
            yield f"no puzzle: {check.reason} ({check.name})"


def _told(check: Check) -> str:
    verdict = "passes" if check.passes else f"REFUSED: {check.reason}"
    if check.value is None:
        return f"  {check.name:{_WIDTH}} {'':>14}  not asked without a win"
    value = ("no", "yes")[check.value] if isinstance(check.value, bool) else check.value
    return f"  {check.name:{_WIDTH}} {value or 'none'!s:>14}  {verdict}"


def _findings(win: Win) -> Iterator[str]:
    themes, near_misses = themes_of(win), tries(win)
    features = features_of(win, themes, len(near_misses))
    yield f"{'themes':{_WIDTH}}   {', '.join(themes) or 'none'}"
    yield f"{'skeleton':{_WIDTH}}   {skeleton(win.whole_proof)}"
    yield f"{'near misses':{_WIDTH}}   {len(near_misses) or 'none'}"
    for move, line in near_misses.items():
        yield f"  {move} is refuted by {' '.join(line)} alone"
    yield f"{'difficulty':{_WIDTH}}   {difficulty(features):.2f}"
    for name, value in features.items():
        yield f"  {name:{_WIDTH}} {value:8.2f} × {WEIGHTS[name]:.1f} = {value * WEIGHTS[name]:6.2f}"
