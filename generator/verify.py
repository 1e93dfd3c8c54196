"""Verifying puzzles: found out again by the plain rules, and by the kernel, down to the last word."""

import json
from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Any, Final

from dama import Position, kernel
from dama.proof import ProofError
from dama.prove import prove
from generator import gate
from generator.examination import described
from generator.faults import missed_faults
from generator.mix import DEFAULT
from generator.plain import PlainSolver
from generator.pool import Entry
from generator.quality import MOVES_TO_WIN
from generator.record import write_record
from generator.sources import Before, Candidate
from generator.themes import themes_of
from generator.win import LEAD, Solver, Win

_LONGEST: Final = max(MOVES_TO_WIN)
_GIVEN: Final = frozenset({"game", "generator", "seed"})
"""What a record says of the run that made it, which nobody can find out again."""
_CHEAP: Final = 15
"""Candidates a chunk from which on a source is cheap enough to draw many positions from."""
_LONGEST_VALUE: Final = 120
"""Characters of a value that a message shows."""


class VerificationError(Exception):
    """Something that is not so; the message holds the FEN and says what."""


def verify(entry: Entry) -> None:
    """Find out again all that a record says, once by the plain rules and once by the kernel.

    Raises VerificationError at the first thing that another word stands for in the record, and at the first
    filter that the puzzle does not pass.
    """
    where = f"{entry.where}: {entry.position.fen()}"
    before = _before(entry, where)
    solvers: tuple[tuple[str, Solver], ...] = (("the plain rules", PlainSolver()), ("the kernel", kernel))
    for name, solver in solvers:
        try:
            proof = prove(entry.position, _LONGEST, solver)
        except RuntimeError as error:  # answers that contradict each other
            raise VerificationError(f"{where}: {name}: {error}") from error
        if proof is None or proof.moves not in MOVES_TO_WIN:
            raise VerificationError(f"{where}: {name} find no win of a puzzle's length")
        puzzle = described(Candidate(entry.position, entry.source), before, Win.of(proof, solver))
        for check in puzzle.checks:
            if not check.passes:
                raise VerificationError(f"{where}: by {name} it fails {check.name!r}: {check.reason}")
        found = json.loads(write_record(puzzle, 0, 0).line)
        told = _difference(_comparable(entry.fields), _comparable(found))
        if told is not None:
            raise VerificationError(f"{where}: by {name} {told}")
    try:
        gate.check(entry.proof())
    except (gate.DisagreementError, ProofError) as error:
        raise VerificationError(f"{where}: {error}") from error


def inject_faults(entry: Entry) -> int:
    """Put faults into the proof and return how many; raises VerificationError when one goes unseen."""
    tried, missed = missed_faults(entry.proof())
    if missed:
        raise VerificationError(f"{entry.where}: {entry.position.fen()}: nobody sees {missed[0]}")
    return tried


def compare(position: Position) -> int | None:
    """Compare what kernel and plain rules say of a position; return in how many moves it is won, or None.

    They must agree on the distance, at every node on the moves that win in time (so on keys and duals), on
    soundness and on themes. Raises VerificationError.
    """
    fen, plain = position.fen(), PlainSolver()
    moves, by_kernel = plain.wins_in(position, _LONGEST), kernel.wins_in(position, _LONGEST)
    if moves != by_kernel:
        raise VerificationError(f"{fen}: won in {by_kernel} by the kernel, in {moves} by the plain rules")
    if moves is None:
        return None
    try:
        proof = prove(position, moves)
        if proof is None:
            raise VerificationError(f"{fen}: the kernel proves nothing")
        proof.walk()
    except (ProofError, RuntimeError) as error:
        raise VerificationError(f"{fen}: {error}") from error
    for at, left, node in proof.solver_nodes():
        wins = list(map(str, plain.winning_moves(at, left)))
        if wins != list(node["wins"]):
            raise VerificationError(
                f"{fen}: in {at.fen()} within {left} {', '.join(wins)} win by the plain rules"
            )
    verdicts = [solver.soundness(position, moves).name for solver in (kernel, plain)]
    if verdicts[0] != verdicts[1]:
        raise VerificationError(f"{fen}: {verdicts[0]} by the kernel, {verdicts[1]} by the plain rules")
    themes = [themes_of(Win.of(proof, solver)) for solver in (kernel, plain)]
    if themes[0] != themes[1]:
        raise VerificationError(f"{fen}: the kernel sees {themes[0]}, the plain rules {themes[1]}")
    return moves


def random_positions(seed: int, number: int, count: int) -> Iterator[Position]:
    """Yield so many positions of a numbered batch, from every cheap source in turn, half of them won."""
    rng = Random(f"{seed} {number}")
    rules = Position.start().rules
    streams = [share.source.candidates(rng, rules) for share in DEFAULT if share.candidates >= _CHEAP]
    wanted = {True: count - count // 2, False: count // 2}
    for candidate in map(next, cycle(streams)):
        is_won = kernel.wins_in(candidate.position, _LONGEST) is not None
        if wanted[is_won]:
            wanted[is_won] -= 1
            yield candidate.position
        if not any(wanted.values()):
            return


def _before(entry: Entry, where: str) -> Before:
    """Return the defender's move before; raises VerificationError unless it leads to the puzzle."""
    try:
        match entry.fields.get("previous"):
            case {"fen": str(fen), "move": str(text)}:
                before = Position.from_fen(fen, entry.position.rules)
                move = before.parse_move(text)
            case _:
                raise ValueError("expected previous with its fen and move")
    except ValueError as error:
        raise VerificationError(f"{where}: no legal move before: {error}") from error
    if before.status() or before.outcome() is not None or before.after(move) != entry.position:
        raise VerificationError(f"{where}: {move} in {before.fen()} does not lead here")
    return Before(before, move)


def _comparable(fields: dict[str, Any]) -> dict[str, Any]:
    """Return what solvers must agree in; of the material it is only whether that is a lead."""
    checks = {f"check {name}": value for name, value in fields["checks"].items()}
    material = checks.get("check material", 0)
    checks["check material"] = isinstance(material, int | float) and material >= LEAD
    return {name: value for name, value in fields.items() if name not in _GIVEN} | checks


def _difference(recorded: dict[str, Any], found: dict[str, Any]) -> str | None:
    for name, value in found.items():
        if name != "checks" and recorded.get(name) != value:
            return f"{name} is {_short(value)}, not {_short(recorded.get(name))}"
    return None


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)[:_LONGEST_VALUE]
