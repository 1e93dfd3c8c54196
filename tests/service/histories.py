"""Histories: attempts as short texts, one letter each, and a calendar of days to have them on."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.models import Amendment, Attempt, Publication
from puzzle_service.services import tallies

DAY = timedelta(days=1)
RESULTS = {"w": "wrong", "s": "solved", ".": None}
ENDED: dict[str, tallies.Outcome] = {"s": "first", "ws": "second", "wws": "third", "www": "failed"}
PLAYED = ("s", "ws", "wws", ".", "w.", "w", "ww.", "ww", "www")
"""All that attempts at a puzzle can look like, the best first."""


def play(session: Session, player_id: int, history_of: Mapping[str, str], now: datetime) -> None:
    """Let a player have made these attempts at these puzzles, counted as they are when moves make them."""
    rows: list[dict[str, Any]] = [
        {
            "player_id": player_id,
            "puzzle_id": puzzle_id,
            "ordinal": ordinal,
            "plies": [],
            "slow": 0,
            "result": RESULTS[letter],
            "started_at": now,
            "finished_at": now if RESULTS[letter] else None,
        }
        for puzzle_id, history in history_of.items()
        for ordinal, letter in enumerate(history, 1)
    ]
    if rows:
        session.execute(insert(Attempt), rows)
    for puzzle_id, history in history_of.items():
        if history in ENDED:
            tallies.add(session, puzzle_id, ENDED[history])


def played(session: Session, player_id: int) -> dict[str, str]:
    """Return a player's attempts at each puzzle as they are written here."""
    letters = {result: letter for letter, result in RESULTS.items()}
    found: dict[str, str] = {}
    wanted = select(Attempt.puzzle_id, Attempt.ordinal, Attempt.result).where(Attempt.player_id == player_id)
    for puzzle_id, ordinal, result in session.execute(wanted.order_by(Attempt.puzzle_id, Attempt.ordinal)):
        history = found.get(puzzle_id, "")
        assert ordinal == len(history) + 1 <= MAX_ATTEMPTS
        found[puzzle_id] = history + letters[result]
    return found


def publish(
    session: Session, ids: Sequence[str], first: datetime, withdrawn: Mapping[int, str] | None = None
) -> None:
    """Publish a puzzle a day; ``withdrawn`` says what was taken off a day: its own for one that is void."""
    for place, puzzle_id in enumerate(ids):
        day = (first + place * DAY).date()
        session.add(
            Publication(
                day=day,
                number=place + 1,
                puzzle_id=puzzle_id,
                swapped=False,
                published_at=first + place * DAY,
                alarm=False,
            )
        )
        session.flush()
        if withdrawn and place in withdrawn:
            taken = withdrawn[place]
            session.add(Amendment(day=day, puzzle_id=taken, reason="", made_at=first, made_by=""))
