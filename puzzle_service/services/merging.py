"""Merging: a guest's days become part of another player's, each with the better result of the two."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import cast

from sqlalchemy import delete, select, union, update
from sqlalchemy.orm import Session

from puzzle_service.domain import attempts as domain
from puzzle_service.domain.attempts import Progress, Result, Try
from puzzle_service.domain.merging import better
from puzzle_service.models import Account, Amendment, Attempt, MoveRequest, Player, Publication
from puzzle_service.services import days, devices, players, records, recovery, tallies
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.records import Record
from puzzle_service.settings import Settings

Standings = Mapping[str, Progress]
"""Where a player stands with each puzzle begun."""


@dataclass(frozen=True)
class Streak:
    """The run up to now and the longest one, in days."""

    current: int
    best: int


@dataclass(frozen=True)
class Merged:
    """What a merge did.

    ``added`` counts the days that only the guest had, ``improved`` those of both on which the guest's result
    was the better one, ``kept`` the others of both. ``guest`` and ``before`` are the two streaks there were,
    ``after`` is the one that came of them. ``lost_words``: the guest had recovery words, which open nothing
    any more.
    """

    added: int
    improved: int
    kept: int
    guest: Streak
    before: Streak
    after: Streak
    lost_words: bool


@dataclass(frozen=True)
class _Compared:
    """Where a guest and another player stand with each puzzle, and the days of these puzzles.

    A puzzle taken off its day has that day too.
    """

    theirs: Standings
    ours: Standings
    days: Mapping[str, date]

    @cached_property
    def improved(self) -> set[str]:
        """The puzzles of both at which the guest's result is the better one."""
        common = self.theirs.keys() & self.ours.keys()
        return {one for one in common if better(self.theirs[one], self.ours[one])}

    @property
    def kept(self) -> set[str]:
        """The other puzzles of both."""
        return (self.theirs.keys() & self.ours.keys()) - self.improved

    @property
    def giving_way(self) -> Standings:
        """The results that do not stay."""
        ours = {one: self.ours[one] for one in self.improved}
        return ours | {one: self.theirs[one] for one in self.kept}

    def told(self, *streaks: Streak, lost_words: bool) -> Merged:
        """Return what comes of a merge, in days: one may have had two puzzles."""
        guest, before, after = streaks
        shared = self._on(self.theirs) & self._on(self.ours)
        improved = shared & self._on(self.improved)
        return Merged(
            added=len(self._on(self.theirs) - shared),
            improved=len(improved),
            kept=len(shared - improved),
            guest=guest,
            before=before,
            after=after,
            lost_words=lost_words,
        )

    def _on(self, puzzle_ids: Iterable[str]) -> set[date]:
        return {self.days[one] for one in puzzle_ids if one in self.days}


def has_days(session: Session, player_id: int) -> bool:
    """Tell whether a player has begun any puzzle, so that there is something to merge."""
    begun = select(Attempt.player_id).where(Attempt.player_id == player_id).limit(1)
    return session.scalar(begun) is not None


def merge(session: Session, guest_id: int, into_id: int, now: datetime, settings: Settings) -> Merged:
    """Add a guest's days to those of a player, and remove the guest, whom no device holds any more.

    Of each puzzle the better result stays, whole; not to have begun one whose day still runs is better than
    to have failed. Answers kept for repeated requests go along, and where both
    had ended a puzzle the world figures count one player less. The guest's recovery words do not go along:
    whoever used the device before could open the other's account with them. Raises ServiceError: *not_found*
    when either is gone, *not_allowed* when the first is no guest, or both are the same.
    """
    guest = _locked_guest(session, guest_id, into_id)
    lost_words = guest.recovery_hash is not None
    both = _compared(session, guest_id, into_id, now, settings)
    before = [_streak(records.me(session, one, now, settings)) for one in (guest_id, into_id)]
    _count_once(session, both.giving_way)
    _drop_attempts(session, into_id, both.improved)
    _drop_attempts(session, guest_id, both.kept)
    _hand_over(session, guest_id, into_id)
    devices.drop_all(session, guest_id)
    session.delete(guest)
    session.flush()
    after = _streak(records.me(session, into_id, now, settings))
    return both.told(*before, after, lost_words=lost_words)


def preview(session: Session, guest_id: int, into_id: int, now: datetime, settings: Settings) -> Merged:
    """Return what ``merge`` would do as things stand, and do nothing; raises ServiceError as it does."""
    _check(session, guest_id, into_id)
    before = [_streak(records.me(session, one, now, settings)) for one in (guest_id, into_id)]
    after = _streak(records.together(session, guest_id, into_id, now, settings))
    has_words = recovery.has_code(session, guest_id)
    both = _compared(session, guest_id, into_id, now, settings)
    return both.told(*before, after, lost_words=has_words)


def _locked_guest(session: Session, guest_id: int, into_id: int) -> Player:
    players.lock(session, guest_id, into_id)
    _check(session, guest_id, into_id)
    return session.get_one(Player, guest_id, populate_existing=True)


def _check(session: Session, guest_id: int, into_id: int) -> None:
    if guest_id == into_id:
        raise ServiceError("not_allowed", "a player cannot be merged with itself")
    there = session.scalars(select(Player.id).where(Player.id.in_([guest_id, into_id]))).all()
    if len(there) != 2:
        raise ServiceError("not_found", "one of the two players is not there any more")
    if session.scalar(select(Account.player_id).where(Account.player_id == guest_id)) is not None:
        raise ServiceError("not_allowed", "this player has an account; only a guest can be merged")


def _compared(session: Session, guest_id: int, into_id: int, now: datetime, settings: Settings) -> _Compared:
    theirs, ours = _standings(session, guest_id), _standings(session, into_id)
    for puzzle_id in days.still_open(session, now, settings):
        # Who has not begun it stands better than who has failed.
        for one, other in ((theirs, ours), (ours, theirs)):
            if puzzle_id not in other and puzzle_id in one and one[puzzle_id].state == "failed":
                other[puzzle_id] = domain.progress(())
    begun = select(Attempt.puzzle_id).where(Attempt.player_id.in_([guest_id, into_id]))
    dated = [
        select(table.puzzle_id, table.day).where(table.puzzle_id.in_(begun))
        for table in (Publication, Amendment)
    ]
    day_of = {row.puzzle_id: row.day for row in session.execute(union(*dated))}
    return _Compared(theirs, ours, day_of)


def _standings(session: Session, player_id: int) -> dict[str, Progress]:
    tries: dict[str, list[Try]] = defaultdict(list)
    wanted = select(Attempt.puzzle_id, Attempt.ordinal, Attempt.plies, Attempt.result, Attempt.slow)
    for puzzle_id, ordinal, plies, result, slow in session.execute(
        wanted.where(Attempt.player_id == player_id)
    ):
        tries[puzzle_id].append(Try(ordinal, tuple(plies), cast(Result | None, result), slow))
    return {puzzle_id: domain.progress(found) for puzzle_id, found in tries.items()}


def _streak(record: Record) -> Streak:
    return Streak(record.current, record.best)


def _count_once(session: Session, giving_way: Standings) -> None:
    """Take the results that give way off the world figures."""
    # In one order, so that two merges never wait for each other.
    for puzzle_id, stands in sorted(giving_way.items()):
        if (ended := tallies.outcome(stands.state, stands.attempt)) is not None:
            tallies.take_off(session, puzzle_id, ended)


def _drop_attempts(session: Session, player_id: int, puzzle_ids: Iterable[str]) -> None:
    session.execute(
        delete(Attempt)
        .where(Attempt.player_id == player_id, Attempt.puzzle_id.in_(puzzle_ids))
        .execution_options(synchronize_session=False)
    )


def _hand_over(session: Session, guest_id: int, into_id: int) -> None:
    """Make the guest's attempts and kept answers the other's; an answer whose id is taken is dropped."""
    taken = select(MoveRequest.request_id).where(MoveRequest.player_id == into_id)
    for statement in (
        update(Attempt).where(Attempt.player_id == guest_id).values(player_id=into_id),
        update(MoveRequest)
        .where(MoveRequest.player_id == guest_id, MoveRequest.request_id.not_in(taken))
        .values(player_id=into_id),
        delete(MoveRequest).where(MoveRequest.player_id == guest_id),
    ):
        session.execute(statement, execution_options={"synchronize_session": False})
