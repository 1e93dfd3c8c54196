"""A site's past for the benchmarks: published days, players who come back, and so many rows of attempts."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import insert, select

from puzzle_service import db
from puzzle_service.clock import utc_now
from puzzle_service.domain import puzzle_day, record
from puzzle_service.domain.review import Status
from puzzle_service.models import Attempt, Device, Player, Publication, Puzzle, Tally
from puzzle_service.services import devices, intake, publication
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings

DAYS: Final = 400
SECRET: Final = "only for measuring: nobody signs with this"  # noqa: S105
REGULAR: Final = range(30, 201)
"""How many days ago a player began."""
COMES: Final = 0.8
"""How often a player comes on a day."""
ENDS: Final = {("solved",): 55, ("wrong", "solved"): 20, ("wrong", "wrong", "solved"): 10, ("wrong",) * 3: 15}
"""How a day ends, and how often of a hundred."""
BATCH: Final = 20_000

Row = dict[str, Any]


@dataclass(frozen=True)
class Past:
    """A database with its past: how to reach it, the tokens of its players, and what is out today."""

    settings: Settings
    tokens: list[str]
    today: PublishedPuzzle


def make(file: Path, attempts: int, seed: int) -> Past:
    """Make a database in which so many attempts have been made on the days before today."""
    settings = Settings(f"sqlite:///{file}", secret_key=SECRET)
    db.upgrade(settings)
    database = db.connect(settings)
    now, chance = utc_now(), random.Random(seed)
    today = puzzle_day.day_of(now, settings.timezone)
    with database.write.begin() as session:
        for line in intake.packaged_stock().read_bytes().splitlines():
            intake.add(session, record.parse(line), now, Status.APPROVED)
        puzzles = _published_days(session.execute(select(Puzzle.__table__)).mappings().all(), today, now)
        session.execute(insert(Puzzle), [puzzle for puzzle, _ in puzzles])
        session.execute(insert(Publication), [published for _, published in puzzles])
        ids = [puzzle["id"] for puzzle, _ in puzzles]
        tokens: list[str] = []
        rows = islice(_attempts(ids, chance, now, tokens), attempts)
        outcomes: dict[str, list[int]] = {puzzle_id: [0, 0, 0, 0] for puzzle_id in ids}
        made = 0
        while batch := list(islice(rows, BATCH)):
            players = range(made + 1, len(tokens) + 1)
            session.execute(insert(Player), [{"id": number, "created_at": now} for number in players])
            session.execute(insert(Device), [_device(number, tokens[number - 1], now) for number in players])
            session.execute(insert(Attempt), batch)
            made = len(tokens)
            for row in batch:
                if row["result"] == "solved" or row["ordinal"] == 3:
                    outcomes[row["puzzle_id"]][row["ordinal"] - 1 if row["result"] == "solved" else 3] += 1
        session.execute(insert(Tally), [_tally(*pair) for pair in outcomes.items()])
    found = publication.ensure_published(database.write, now, settings)
    if found is None:
        raise SystemExit("there is no puzzle to publish today")
    database.close()
    return Past(settings, tokens, found)


def _published_days(stock: Any, today: date, now: datetime) -> list[tuple[Row, Row]]:
    """Return a puzzle and a publication for each day before today; the puzzles repeat under other names."""
    days = []
    for index in range(DAYS - 1):
        day = today - timedelta(days=DAYS - 1 - index)
        puzzle = {**stock[index % len(stock)], "id": f"bench-{index}", "status": Status.PUBLISHED}
        puzzle.update(imported_at=now, reviewed_at=None)
        published = {"day": day, "number": index + 1, "puzzle_id": puzzle["id"], "swapped": False}
        days.append((puzzle, {**published, "published_at": now, "alarm": False}))
    return days


def _attempts(ids: list[str], chance: random.Random, now: datetime, tokens: list[str]) -> Iterator[Row]:
    """Yield attempts player by player without end; each new player's token is added to the list."""
    while True:
        tokens.append(f"player-{chance.getrandbits(128):032x}")
        for puzzle_id in ids[-chance.choice(REGULAR) :]:
            if chance.random() >= COMES:
                continue
            (results,) = chance.choices(list(ENDS), list(ENDS.values()))
            for ordinal, result in enumerate(results, 1):
                yield {
                    "player_id": len(tokens),
                    "puzzle_id": puzzle_id,
                    "ordinal": ordinal,
                    "plies": ["a3-a4"],
                    "slow": 0,
                    "result": result,
                    "started_at": now,
                    "finished_at": now,
                }


def _device(player_id: int, token: str, now: datetime) -> Row:
    return {"token_hash": devices.token_hash(token), "player_id": player_id, "created_at": now}


def _tally(puzzle_id: str, counts: list[int]) -> Row:
    return {"puzzle_id": puzzle_id, **dict(zip(("first", "second", "third", "failed"), counts, strict=True))}
