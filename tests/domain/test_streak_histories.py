"""Streaks of random and of all short histories, against a definition that tries every possible streak."""

from datetime import UTC, date, datetime, timedelta
from itertools import product
from random import Random
from zoneinfo import ZoneInfo

from puzzle_service.domain.streaks import DayRow, Streaks, streaks

ISTANBUL = ZoneInfo("Europe/Istanbul")
GRACE = timedelta(hours=3)
FIRST = date(2026, 1, 1)
HISTORIES = 10_000
"""Each of one player; what comes of merging two is looked at besides."""
LONGEST = 60

# What one player did on one day; a day without a publication has no letter.
DEEDS = {
    "s": {"solved": True, "started": True},
    "f": {"failed": True, "started": True},
    "~": {"started": True},
    "-": {},
}
AMENDED = "vr"
"""Days declared void, and days whose puzzle was replaced: a solve counts, of either puzzle."""


def history(deeds: str, days: str) -> list[DayRow]:
    """Return the rows of a player; a dot among the days is one without a publication."""
    return [
        DayRow(FIRST + timedelta(days=offset), amended=kind in AMENDED, **DEEDS[deed])
        for offset, (deed, kind) in enumerate(zip(deeds, days, strict=True))
        if kind != "."
    ]


def found(rows: list[DayRow], today: date) -> Streaks:
    """Return the streaks at noon, when no grace period runs any more."""
    now = datetime(today.year, today.month, today.day, 9, tzinfo=UTC)
    return streaks(rows, now, ISTANBUL, GRACE)


def after(length: int) -> date:
    """Return the day after a history of so many days."""
    return FIRST + timedelta(days=length)


def counting(rows: list[DayRow], today: date) -> str:
    """Return the days that count: solved or not, and today only once it is decided."""
    return "".join(
        "s" if row.solved else "x"
        for row in rows
        if row.solved or not (row.amended or (row.day == today and not row.failed))
    )


def brute_force(days: str) -> tuple[int, int, int]:
    """Return current and best streak and the meter: of the streaks that could begin on any day, the longest.

    A streak begins on a day with an empty meter and lives for as long as each day not solved stands alone
    behind a solved one and can be paid.
    """
    current = best = meter = 0
    for begin in range(len(days)):
        solved = purse = 0
        for place in range(begin, len(days)):
            if days[place] == "s":
                solved += 1
                purse += purse < 14
            elif place > begin and days[place - 1] == "s" and purse >= 7:
                purse -= 7
            else:
                break
        else:
            current, meter = max(current, solved), max(meter, purse)
        best = max(best, solved)
    return current, best, meter


def merged(one: list[DayRow], other: list[DayRow]) -> list[DayRow]:
    """Return the union of two players' days, the best result of each: solved, still open, failed."""
    return [
        DayRow(
            a.day,
            solved=a.solved or b.solved,
            failed=not (a.solved or b.solved) and a.failed and b.failed,
            started=a.started or b.started,
            amended=a.amended,
        )
        for a, b in zip(one, other, strict=True)
    ]


def figures(found: Streaks) -> tuple[int, int, int]:
    return found.current, found.best, found.meter


def test_ten_thousand_random_histories_have_the_streaks_of_a_brute_force_definition() -> None:
    random = Random(20261130)
    frozen = merges = 0
    for _ in range(HISTORIES // 2):
        length = random.randrange(LONGEST)
        days = "".join(random.choices("p.vr", (80, 6, 7, 7), k=length))
        players = [history(_deeds(random, length), days) for _ in range(2)]
        both = merged(*players)
        today = after(length - random.randrange(2))
        results = [found(rows, today) for rows in (*players, both)]
        for rows, result in zip((*players, both), results, strict=True):
            assert figures(result) == brute_force(counting(rows, today)), (today, rows)
        assert results[2].current >= max(result.current for result in results[:2]), (today, players)
        assert results[2].best >= max(result.best for result in results[:2]), (today, players)
        frozen += len(results[2].frozen)
        merges += both not in players
    # The histories are of the kind that the rule is about.
    assert frozen > HISTORIES // 4
    assert merges > HISTORIES // 4


def _deeds(random: Random, length: int) -> str:
    """Return what a player did: mostly solving for one, hardly ever for another."""
    solved = random.choice((10, 50, 80, 90, 95))
    rest = (100 - solved) / 3
    return "".join(random.choices("sf~-", (solved, rest, rest, rest), k=length))


def test_every_short_history_has_the_streaks_of_the_brute_force_definition() -> None:
    for before in ("", "s" * 6, "s" * 7, "s" * 14, "s" * 15):
        for days in product("sx", repeat=9):
            letters = before + "".join(days)
            rows = history(letters.replace("x", "f"), "p" * len(letters))
            assert figures(found(rows, after(len(letters)))) == brute_force(letters), letters


def test_no_merge_of_two_short_histories_shortens_a_streak() -> None:
    full = "s" * 14
    befores = [(full, full), (full, "-" * 14), ("-" * 14, full), ("-" * 7 + "s" * 7, "s" * 7 + "-" * 7)]
    deeds = ["".join(one) for one in product("sf-", repeat=4)]
    kinds = "p" * 18
    for before in befores:
        known = [{one: history(begun + one, kinds) for one in deeds} for begun in before]
        own = [{one: found(rows, after(18)) for one, rows in side.items()} for side in known]
        for one, other in product(deeds, repeat=2):
            both = found(merged(known[0][one], known[1][other]), after(18))
            assert both.current >= max(own[0][one].current, own[1][other].current), (before, one, other)
            assert both.best >= max(own[0][one].best, own[1][other].best), (before, one, other)


def test_no_day_that_turns_out_better_shortens_a_streak() -> None:
    """Every merge, and every day amended afterwards, is made of such steps: not solved, uncounted, solved."""
    for before in ("", "s" * 7, "s" * 14):
        for days in product("sxv", repeat=6):
            letters = before + "".join(days)
            known = figures(found(_stepped(letters), after(len(letters))))
            for place in range(len(before), len(letters)):
                for better in {"x": "vs", "v": "s", "s": ""}[letters[place]]:
                    improved = letters[:place] + better + letters[place + 1 :]
                    now = figures(found(_stepped(improved), after(len(letters))))
                    assert all(a >= b for a, b in zip(now, known, strict=True)), (letters, improved)


def _stepped(letters: str) -> list[DayRow]:
    deeds = letters.replace("x", "f").replace("v", "-")
    return history(deeds, "".join("v" if letter == "v" else "p" for letter in letters))
