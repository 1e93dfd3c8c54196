"""Measures filling weeks from a stock: planned all together against chosen day by day, in one run.

    python bench/rhythm.py [FILE] [--weeks 104]

FILE holds puzzle records, one a line; without it the packaged stock is taken. Both fill the same days from
the same puzzles with the same bands. Said of each: which rules of the weekly rhythm it breaks and how often,
on how many days the puzzle has its weekday's flavour, and the mean score.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from puzzle_service.domain import plan, rhythm
from puzzle_service.domain.rhythm import VARIETY_DAYS, Bands, Neighbour, Offer

STOCK = Path(__file__).parents[1] / "puzzle_service" / "stock" / "stock.jsonl"
MONDAY = date(2026, 11, 30)

Filling = Callable[[list[date], list[Offer], Bands], dict[date, Offer]]


def offers(file: Path) -> list[Offer]:
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        Offer(
            id=one["id"],
            moves=one["moves"],
            difficulty=one["difficulty"],
            themes=tuple(one["themes"]),
            source=one["source"],
            solver=one["fen"][0],
            score=one["score"],
        )
        for one in records
    ]


def together(days: list[date], pool: list[Offer], bands: Bands) -> dict[date, Offer]:
    return plan.fill(days, pool, [], bands)


def day_by_day(days: list[date], pool: list[Offer], bands: Bands) -> dict[date, Offer]:
    left, found, before = list(pool), dict[date, Offer](), list[Neighbour]()
    for day in days[: len(pool)]:
        offer = rhythm.choose(day, left, before[-VARIETY_DAYS:], bands)
        left.remove(offer)
        found[day] = offer
        before.append(rhythm.neighbour(day, offer))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", type=Path, default=STOCK)
    parser.add_argument("--weeks", type=int, default=104)
    arguments = parser.parse_args()
    pool = offers(arguments.file)
    bands = Bands.of([one.difficulty for one in pool])
    days = [MONDAY + timedelta(days=n) for n in range(7 * arguments.weeks)]
    print(f"{len(pool)} puzzles, {len(days)} days, bands end at {[round(cut, 1) for cut in bands.cuts]}")
    seconds = {}
    for name, filling in (("planned", together), ("day by day", day_by_day)):
        begun = time.process_time()
        filled = filling(days, pool, bands)
        seconds[name] = time.process_time() - begun
        broken = Counter(rule for rules in rhythm.broken(filled, [], bands).values() for rule in rules)
        flavour = sum(rhythm.has_flavour(one, day.weekday()) for day, one in filled.items())
        score = sum(one.score for one in filled.values()) / len(filled)
        told = ", ".join(f"{rule} {count}" for rule, count in broken.items()) or "none"
        print(
            f"{name}: {seconds[name]:.2f} s, {len(filled)} days filled, rules broken: {told}; "
            f"flavour on {flavour} days, mean score {score:.2f}"
        )
    print(f"ratio of time: {seconds['planned'] / seconds['day by day']:.1f}")


if __name__ == "__main__":
    main()
