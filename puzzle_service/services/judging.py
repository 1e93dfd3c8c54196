"""Judging: what a move is worth by the proof, as plain values that can be kept and as what is shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self

from dama import Move, Position
from puzzle_service.domain import attempts as domain
from puzzle_service.domain.attempts import Progress, State, Verdict
from puzzle_service.services import illegal
from puzzle_service.services.illegal import Code, Illegal
from puzzle_service.services.publication import PublishedPuzzle

LINES_KEPT: Final = 4096
"""How many lines of play a process remembers: the players of a day play much the same ones."""


@dataclass(frozen=True)
class MoveResult:
    """The answer to a move: verdict, the defence to a right one, and where the player stands now.

    ``position`` is the one to go on from: after move and reply, or the start again after a wrong move. Before
    the end ``refutation`` holds the defender's reply alone and ``solution`` is None. ``late`` says that a
    wrong move does win, but too late once more than is taken back; ``illegal`` is set when it is no move.
    """

    verdict: Verdict
    move: Move | None
    reply: Move | None
    position: Position
    attempt: int
    ply: int
    attempts_left: int
    slow_left: int
    state: State
    refutation: list[Move] | None
    solution: list[Move] | None
    late: bool
    illegal: Illegal | None


@dataclass(frozen=True)
class Answer:
    """A result as it is kept: plain values, from which the same result can be made again."""

    verdict: Verdict
    line: tuple[str, ...]
    """The plies before the move."""
    move: str | None
    reply: str | None
    refutation: tuple[str, ...]
    attempt: int
    attempts_left: int
    slow_left: int
    state: State
    late: bool = False
    illegal: tuple[Code, Mapping[str, Any]] | None = None

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Return the answer that was written down as JSON."""
        texts = {name: tuple(fields[name]) for name in ("line", "refutation")}
        return cls(**{**fields, **texts})


def judge(
    published: PublishedPuzzle, stands: Progress, text: str, *, practice: bool = False, whole: bool = False
) -> Answer:
    """Return the answer to a move sent as text; raises ValueError when the proof lacks the line so far."""
    node = domain.node_after(published.proof.root, stands.plies)
    _, position = played(published.position, stands.plies)
    try:
        move = str(position.parse_move(text))
    except ValueError as error:
        return _answer("illegal", stands, why=illegal.why(text, error))
    judgement = domain.judge(node, move)
    verdict = judgement.verdict
    if verdict in ("continue", "solved"):
        state: State = "open" if verdict == "continue" else "solved"
        return _answer(verdict, stands, move=move, reply=judgement.reply, state=state)
    too_slow = verdict == "slow"
    if too_slow and stands.slow_left:
        slow_left = stands.slow_left - (not practice)
        return _answer("slow", stands, move=move, slow_left=slow_left)
    attempts_left = stands.attempts_left - (not practice)
    failed = attempts_left == 0
    return _answer(
        "wrong",
        stands,
        move=move,
        refutation=judgement.refutation[: None if failed or whole else 1],
        attempt=stands.attempt + (not practice and not failed),
        attempts_left=attempts_left,
        state="failed" if failed else "open",
        late=too_slow,
    )


def _answer(
    verdict: Verdict,
    stands: Progress,
    *,
    move: str | None = None,
    reply: str | None = None,
    refutation: tuple[str, ...] = (),
    attempt: int | None = None,
    attempts_left: int | None = None,
    slow_left: int | None = None,
    state: State = "open",
    late: bool = False,
    why: Illegal | None = None,
) -> Answer:
    """Return an answer in which what is not said stays as it stands."""
    return Answer(
        verdict=verdict,
        line=stands.plies,
        move=move,
        reply=reply,
        refutation=refutation,
        attempt=stands.attempt if attempt is None else attempt,
        attempts_left=stands.attempts_left if attempts_left is None else attempts_left,
        slow_left=stands.slow_left if slow_left is None else slow_left,
        state=state,
        late=late,
        illegal=None if why is None else (why.code, why.params),
    )


def over(stands: Progress) -> Answer:
    """Return the answer to a move that comes after the end."""
    return _answer("over", stands, state=stands.state)


def result(published: PublishedPuzzle, answer: Answer) -> MoveResult:
    """Return what an answer means on the board."""
    _, before = played(published.position, answer.line)
    move = before.parse_move(answer.move) if answer.move else None
    plies = tuple(filter(None, (answer.move, answer.reply)))
    line = {"wrong": (), "slow": answer.line, "illegal": answer.line}.get(
        answer.verdict, (*answer.line, *plies)
    )
    refutation = None
    if answer.verdict == "wrong" and move is not None and answer.refutation:
        refutation = list(played(before.play(move), answer.refutation)[0])
    return MoveResult(
        verdict=answer.verdict,
        move=move,
        reply=before.play(move).parse_move(answer.reply) if move and answer.reply else None,
        position=played(published.position, line)[1],
        attempt=answer.attempt,
        ply=len(line),
        attempts_left=answer.attempts_left,
        slow_left=answer.slow_left,
        state=answer.state,
        refutation=refutation,
        solution=None if answer.state == "open" else solution(published),
        late=answer.late,
        illegal=Illegal(*answer.illegal) if answer.illegal else None,
    )


def solution(published: PublishedPuzzle) -> list[Move]:
    """Return the moves of the main line."""
    return list(played(published.position, tuple(published.proof.main_line()))[0])


@lru_cache(LINES_KEPT)
def played(position: Position, plies: tuple[str, ...]) -> tuple[tuple[Move, ...], Position]:
    """Return the moves that these texts mean, each after those before it, and the position after all.

    Raises ValueError for the first that cannot be played.
    """
    if not plies:
        return (), position
    moves, before = played(position, plies[:-1])
    move = before.parse_move(plies[-1])
    return (*moves, move), before.after(move)
