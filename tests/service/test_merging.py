"""Merging a guest into another player: the union of their days, each with the better result."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations
from threading import Barrier

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from puzzle_service import models
from puzzle_service.db import Database
from puzzle_service.models import Device, MoveRequest, Player
from puzzle_service.services import (
    accounts,
    devices,
    merging,
    passwords,
    players,
    records,
    recovery,
    sign_ins,
    tallies,
)
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.merging import Merged, Streak
from puzzle_service.services.tallies import OUTCOMES, Tally
from puzzle_service.settings import Settings
from tests.conftest import AddPuzzles
from tests.service.conftest import Table
from tests.service.histories import DAY, ENDED, PLAYED, play, played, publish

PASSWORD = "four unrelated words"  # noqa: S105
ALIKE = ({"w.", "w"}, {"ww.", "ww"})
"""Two writings of one standing: before the first move of an attempt, and after none of it was right."""
TALLIES = select(models.Tally)
RANK = {"s": 0, "ws": 1, "wws": 2, ".": 3, "w.": 4, "w": 4, "ww.": 5, "ww": 5, "www": 6}


@dataclass(frozen=True)
class Calendar:
    """Eight published days, two of them void and one with a replaced puzzle, whose first one comes last."""

    database: Database
    settings: Settings
    first: datetime
    ids: list[str]


@pytest.fixture
def calendar(database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime) -> Calendar:
    ids = add_puzzles(9)
    with database.write.begin() as session:
        publish(session, ids[:-1], noon, {2: ids[2], 4: ids[-1], 6: ids[6]})
    return Calendar(database, settings, noon, ids)


@pytest.fixture
def other(table: Table) -> Table:
    """A second player at the same puzzle."""
    return Table(table.database, table.settings, table.published, table.now)


def merge(guest: Table, into: Table) -> Merged:
    with into.database.write.begin() as session:
        return merging.merge(session, guest.player, into.player, into.now, into.settings)


@pytest.fixture
def week(database: Database, add_puzzles: AddPuzzles, noon: datetime) -> list[str]:
    """Seven days of published puzzles."""
    ids = add_puzzles(7)
    with database.write.begin() as session:
        publish(session, ids, noon)
    return ids


def two(session: Session, now: datetime) -> tuple[int, int]:
    """Make a guest and an account."""
    guest, _ = players.create_guest(session, now)
    return guest, accounts.create(session, "Işık", passwords.hashed(PASSWORD), now, player_id=None).player_id


def test_a_merge_says_what_it_did(
    database: Database, settings: Settings, week: list[str], noon: datetime
) -> None:
    theirs = ("s", "s", "ws", "www", "", "s", "s")
    ours = ("s", "", "wws", "ws", "s", "", "")
    with database.write.begin() as session:
        guest, own = two(session, noon)
        play(session, guest, dict(zip(week, theirs, strict=True)), noon)
        play(session, own, dict(zip(week, ours, strict=True)), noon)
        assert merging.has_days(session, guest)
        merged = merging.merge(session, guest, own, noon + 6 * DAY, settings)
        assert merged == Merged(
            added=3,
            improved=1,
            kept=2,
            guest=Streak(2, 3),
            before=Streak(0, 3),
            after=Streak(7, 7),
            lost_words=False,
        )
        assert [played(session, own)[one] for one in week] == ["s", "s", "ws", "ws", "s", "s", "s"]
        assert not merging.has_days(session, guest)


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_the_better_of_two_results_stays_and_is_counted_once(
    database: Database, settings: Settings, week: list[str], noon: datetime
) -> None:
    puzzle_id = week[0]
    expected = Tally()
    with database.write.begin() as session:
        for better, worse in combinations(PLAYED, 2):
            for their, our in ((better, worse), (worse, better)):
                guest, own = (players.create_guest(session, noon)[0] for _ in range(2))
                play(session, guest, {puzzle_id: their}, noon)
                play(session, own, {puzzle_id: our}, noon)
                merged = merging.merge(session, guest, own, noon, settings)
                if {their, our} not in ALIKE:
                    assert played(session, own) == {puzzle_id: better}
                    assert (merged.added, merged.improved, merged.kept) == (0, their == better, our == better)
                if better in ENDED:
                    expected = replace(expected, **{ENDED[better]: getattr(expected, ENDED[better]) + 1})
                assert tallies.get(session, puzzle_id) == expected


def test_of_two_attempts_in_play_the_one_further_on_stays(table: Table, other: Table) -> None:
    slow = table.published.proof.root["slow"][0]
    table.send(slow)
    other.send(slow)
    other.send(other.right())
    assert (table.view().slow_left, table.view().ply, other.view().ply) == (2, 0, 2)
    merge(other, table)
    stands = table.view()
    assert (stands.attempt, stands.ply, stands.slow_left) == (1, 2, 2)
    assert table.solve().attempt == 1


def test_an_answer_lost_before_a_merge_is_given_again_after_it(table: Table, other: Table) -> None:
    lost = other.send(other.wrong, request_id="lost")
    table.send(table.right(), request_id="kept")
    merge(other, table)
    assert table.send(table.wrong, request_id="lost", attempt=1, ply=0) == lost
    assert table.rows() == [(1, None, 0)]


def test_of_two_requests_of_one_id_the_players_own_stays(table: Table, other: Table) -> None:
    own = table.send(table.right(), request_id="both")
    other.send(other.wrong, request_id="both")
    merge(other, table)
    assert table.send(table.wrong, request_id="both") == own
    with table.database.read() as session:
        assert session.scalar(select(func.count()).select_from(MoveRequest)) == 1


def test_a_merged_guest_is_gone_with_devices_and_words(
    database: Database, settings: Settings, week: list[str], noon: datetime
) -> None:
    """Whoever used the device before knows the guest's words: they must not open the account."""
    with database.write.begin() as session:
        guest, own = two(session, noon)
        tokens = [devices.add(session, guest, noon) for _ in range(2)]
        kept = devices.add(session, own, noon)
        words = recovery.new_code(session, guest, "english")
        play(session, guest, {week[0]: "s"}, noon)
        assert merging.preview(session, guest, own, noon, settings).lost_words
        assert merging.merge(session, guest, own, noon, settings).lost_words
    with database.read() as session:
        assert [devices.guest(session, token) for token in tokens] == [None, None]
        assert sign_ins.find(session, kept) is not None
        assert recovery.find(session, words) is None
        assert session.scalars(select(Player.id)).all() == [own]


def test_a_merge_that_cannot_be_is_refused(
    database: Database, settings: Settings, week: list[str], noon: datetime
) -> None:
    def refused(guest: int, into: int) -> str:
        with pytest.raises(ServiceError) as error, database.write.begin() as session:
            merging.merge(session, guest, into, noon, settings)
        with pytest.raises(ServiceError) as beforehand, database.read() as session:
            merging.preview(session, guest, into, noon, settings)
        assert beforehand.value.code == error.value.code
        return error.value.code

    with database.write.begin() as session:
        guest, own = two(session, noon)
        play(session, guest, {week[0]: "s"}, noon)
    assert refused(guest, guest) == "not_allowed"
    assert refused(own, guest) == "not_allowed", "an account does not vanish into a guest"
    assert refused(guest, own + 1000) == "not_found"
    assert refused(own + 1000, own) == "not_found"
    with database.read() as session:
        assert (merging.has_days(session, guest), merging.has_days(session, own)) == (True, False)


def test_a_day_with_two_puzzles_is_one_day(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    withdrawn, *ids = add_puzzles(3)
    with database.write.begin() as session:
        publish(session, ids, noon, {0: withdrawn})
        guest, own = two(session, noon)
        play(session, guest, {withdrawn: "s"}, noon)
        play(session, own, {ids[0]: "www"}, noon)
        play(session, guest, {ids[1]: "s"}, noon)
        merged = merging.merge(session, guest, own, noon + DAY, settings)
    assert (merged.added, merged.improved, merged.kept, merged.after) == (1, 0, 1, Streak(2, 2))


@pytest.mark.parametrize("hours", [0, 14])
def test_a_day_that_one_has_failed_and_the_other_can_still_play_stays_open(
    database: Database, settings: Settings, week: list[str], noon: datetime, hours: int
) -> None:
    """At noon of its day and in its grace period: the merge must not end the streak of who has not begun."""
    now = noon + 6 * DAY + timedelta(hours=hours)
    with database.write.begin() as session:
        for failed_by_guest in (True, False):
            guest, own = (players.create_guest(session, noon)[0] for _ in range(2))
            failing, waiting = (guest, own) if failed_by_guest else (own, guest)
            play(session, failing, {week[6]: "www"}, noon)
            play(session, waiting, dict.fromkeys(week[3:6], "s"), noon)
            told = merging.preview(session, guest, own, now, settings)
            merged = merging.merge(session, guest, own, now, settings)
            assert told == merged
            assert merged.after == Streak(3, 3)
            assert week[6] not in played(session, own)
            assert tallies.get(session, week[6]).failed == 0


def test_a_day_that_is_over_stays_failed(
    database: Database, settings: Settings, week: list[str], noon: datetime
) -> None:
    with database.write.begin() as session:
        guest, own = two(session, noon)
        play(session, guest, {week[6]: "www"}, noon)
        play(session, own, {week[5]: "s"}, noon)
        merged = merging.merge(session, guest, own, noon + 6 * DAY + timedelta(hours=16), settings)
        assert (merged.added, merged.after) == (1, Streak(0, 1))
        assert played(session, own) == {week[5]: "s", week[6]: "www"}
        assert tallies.get(session, week[6]).failed == 1


HISTORY = st.lists(st.sampled_from(["", "", "s", "s", *PLAYED]), min_size=9, max_size=9)


@examples(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(theirs=HISTORY, ours=HISTORY, after=st.integers(6, 10))
def test_a_merge_is_the_union_with_the_best_results_and_shortens_no_streak(
    calendar: Calendar, theirs: list[str], ours: list[str], after: int
) -> None:
    now = calendar.first + after * DAY
    today = calendar.ids[after] if after < 8 else None
    with calendar.database.write() as session:
        guest, own = (players.create(session, calendar.first) for _ in range(2))
        play(session, guest, dict(zip(calendar.ids, theirs, strict=True)), now)
        play(session, own, dict(zip(calendar.ids, ours, strict=True)), now)
        before = [records.me(session, one, now, calendar.settings) for one in (guest, own)]
        told = merging.preview(session, guest, own, now, calendar.settings)
        merged = merging.merge(session, guest, own, now, calendar.settings)
        assert told == merged
        found = records.me(session, own, now, calendar.settings)
        expected = {
            puzzle_id: min(filter(None, both), key=RANK.__getitem__)
            for puzzle_id, *both in zip(calendar.ids, theirs, ours, strict=True)
            # One has failed today, and the other can still play.
            if any(both) and not (puzzle_id == today and set(both) == {"", "www"})
        }
        assert {one: RANK[history] for one, history in played(session, own).items()} == {
            one: RANK[history] for one, history in expected.items()
        }
        assert found.current >= max(one.current for one in before)
        assert found.best >= max(one.best for one in before)
        assert merged.after == Streak(found.current, found.best)
        counted = {row.puzzle_id: [getattr(row, one) for one in OUTCOMES] for row in session.scalars(TALLIES)}
        ended = {one: ENDED.get(expected.get(one, "")) for one in calendar.ids}
        assert {one: counts for one, counts in counted.items() if any(counts)} == {
            one: [int(name == end) for name in OUTCOMES] for one, end in ended.items() if end
        }
        session.rollback()


def test_merges_and_moves_at_the_same_time_lose_and_double_nothing(table: Table) -> None:
    """Each move is made before the merge and comes along, or after it and finds its player gone."""
    guests = [Table(table.database, table.settings, table.published, table.now) for _ in range(3)]
    start = Barrier(8)

    def move(player: Table) -> list[str]:
        start.wait()
        return [_move(player, attempt) for attempt in (1, 2, 3)]

    def join(guest: Table) -> list[str]:
        start.wait()
        try:
            merge(guest, table)
        except ServiceError as error:
            return [error.code]
        return ["merged"]

    with ThreadPoolExecutor(8) as pool:
        moved = [pool.submit(move, player) for player in (*guests, table)]
        merged = [pool.submit(join, guest) for guest in (*guests, guests[0])]
        answers = [one.result() for one in moved]
        joined = sorted(answer for one in merged for answer in one.result())
    assert joined == ["merged", "merged", "merged", "not_found"]
    assert {answer for one in answers for answer in one} <= {"wrong", "stale", "over", "not_found"}
    rows = table.rows()
    assert rows == [(ordinal, "wrong", 0) for ordinal in range(1, len(rows) + 1)]
    with table.database.read() as session:
        failed = tallies.get(session, table.published.puzzle_id).failed
        assert failed == (len(rows) == 3)
        assert session.scalars(select(Player.id)).all() == [table.player]
        assert session.scalars(select(Device.player_id)).all() == [table.player]


def _move(player: Table, attempt: int) -> str:
    try:
        return player.send(player.wrong, attempt=attempt, ply=0).verdict
    except ServiceError as error:
        return error.code


def test_two_merges_into_each_other_leave_one_player(table: Table, other: Table) -> None:
    table.send(table.wrong)
    other.solve()
    start = Barrier(2)

    def join(pair: tuple[Table, Table]) -> str:
        start.wait()
        try:
            merge(*pair)
        except ServiceError as error:
            return error.code
        return "merged"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(join, [(table, other), (other, table)])) == ["merged", "not_found"]
    assert sorted(table.rows() + other.rows()) == [(1, "solved", 0)]
