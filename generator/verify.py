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
        proof = prove(entry.position, _LONGEST, solver)
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

    They must agree on the distance, on all that the proof says of any move (keys, duals, slow moves), on
    soundness and on themes. Raises VerificationError.
    """
    plain = PlainSolver()
    by_kernel, by_plain = prove(position, _LONGEST), prove(position, _LONGEST, plain)
    if by_kernel != by_plain:
        moves = [proof and proof.moves for proof in (by_kernel, by_plain)]
        raise VerificationError(f"{position.fen()}: proofs differ, wins in {moves[0]} and {moves[1]}")
    if by_plain is None:
        return None
    verdicts = [solver.soundness(position, by_plain.moves) for solver in (kernel, plain)]
    if verdicts[0] is not verdicts[1]:
        names = [verdict.name for verdict in verdicts]
        raise VerificationError(f"{position.fen()}: {names[0]} by the kernel, {names[1]} by the plain rules")
    themes = [themes_of(Win.of(by_plain, solver)) for solver in (kernel, plain)]
    if themes[0] != themes[1]:
        raise VerificationError(f"{position.fen()}: the kernel sees {themes[0]}, the plain rules {themes[1]}")
    return by_plain.moves


def random_positions(seed: int, number: int, count: int) -> Iterator[Position]:
    """Yield so many positions of a numbered batch, from every source in turn, half of them won."""
    rng = Random(f"{seed} {number}")
    rules = Position.start().rules
    streams = [share.source.candidates(rng, rules) for share in DEFAULT]
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
        previous = entry.fields["previous"]
        before = Position.from_fen(previous["fen"], entry.position.rules)
        move = before.parse_move(previous["move"])
    except (KeyError, TypeError, ValueError) as error:
        raise VerificationError(f"{where}: no legal move before: {error}") from error
    if before.status() or before.outcome() is not None or before.after(move) != entry.position:
        raise VerificationError(f"{where}: {move} in {before.fen()} does not lead here")
    return Before(before, move)


def _comparable(fields: dict[str, Any]) -> dict[str, Any]:
    """Return what solvers must agree in; of the material it is only whether that is a lead."""
    checks = {f"check {name}": value for name, value in fields["checks"].items()}
    checks["check material"] = checks.get("check material", 0) >= LEAD
    return {name: value for name, value in fields.items() if name not in _GIVEN} | checks


def _difference(recorded: dict[str, Any], found: dict[str, Any]) -> str | None:
    for name, value in found.items():
        if name != "checks" and recorded.get(name) != value:
            return f"{name} is {_short(value)}, not {_short(recorded.get(name))}"
    return None


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)[:_LONGEST_VALUE]
