"""What is counted while the site runs, for Prometheus to collect.

Workers that ``serve`` starts share their counts through files in a folder: any of them answers for all.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from prometheus_client import Metric

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The library's variable for that folder, which it reads when it is loaded: that must come late."""
LATENCIES: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
"""Seconds."""
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True)
class Readings:
    """What the database says at the time of collection; ages and the rest of a lease in seconds."""

    puzzles: Mapping[str, int]
    days_covered: int
    publications: int
    last_publication_age: float | None
    scheduler_lease: float | None
    alarms: Iterable[str]


class Metrics:
    """The counters of one process, or of one process among several."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self._registry = CollectorRegistry()
        self._verdicts = Counter(
            "dama_verdicts", "Moves judged.", ("mode", "verdict"), registry=self._registry
        )
        self._searches = Counter(
            "dama_searches", "Searches of the engine.", ("kind", "outcome"), registry=self._registry
        )
        self._latency = Histogram(
            "dama_request_seconds",
            "Time to answer a request.",
            ("route", "status"),
            buckets=LATENCIES,
            registry=self._registry,
        )
        # Looking a child up by its labels takes a lock and longer than the observation itself.
        self._latencies = dict[tuple[str, str], Histogram]()

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Count an answer to a request; `route` is the rule that matched, never an address as it was sent."""
        labels = (route, f"{status // 100}xx")
        child = self._latencies.get(labels)
        if child is None:
            child = self._latencies[labels] = self._latency.labels(*labels)
        child.observe(seconds)

    def judged(self, mode: str, verdict: str) -> None:
        """Count a verdict."""
        self._verdicts.labels(mode, verdict).inc()

    def searched(self, kind: str, outcome: str) -> None:
        """Count a search: what for, and what became of it."""
        self._searches.labels(kind, outcome).inc()

    def exposition(self, readings: Readings | None, searches: int | None = None) -> bytes:
        """Return everything in Prometheus' text format; no readings mean that the database is away.

        ``searches`` are those of the engine that run now, None where there is none.
        """
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        counted = self._registry
        if FOLDER in os.environ:
            counted = CollectorRegistry()
            MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
        read = CollectorRegistry()
        read.register(_Collector(readings, searches))
        return generate_latest(counted) + generate_latest(read)


class _Collector:
    """Gives the readings the form that the library writes."""

    def __init__(self, readings: Readings | None, searches: int | None) -> None:
        self._readings, self._searches = readings, searches

    def collect(self) -> Iterator["Metric"]:
        """Yield each reading; called by the library."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        if self._searches is not None:
            yield GaugeMetricFamily("dama_searches_running", "Searches that run now.", value=self._searches)
        found = self._readings
        yield GaugeMetricFamily("dama_database_up", "Whether the database answers.", value=found is not None)
        if found is None:
            return
        puzzles = GaugeMetricFamily("dama_puzzles", "Puzzles in the stock.", labels=["status"])
        for status, count in found.puzzles.items():
            puzzles.add_metric([status], count)
        yield puzzles
        alarms = GaugeMetricFamily("dama_alarm", "1 for each alarm that is on.", labels=["alarm"])
        for alarm in found.alarms:
            alarms.add_metric([alarm], 1)
        yield alarms
        yield CounterMetricFamily("dama_publications", "Days with a puzzle.", value=found.publications)
        yield GaugeMetricFamily(
            "dama_days_covered", "Days for which approved puzzles last.", value=found.days_covered
        )
        for name, meaning, value in (
            ("last_publication_age", "Time since the last publication.", found.last_publication_age),
            ("scheduler_lease", "Time until the scheduler's lease ends.", found.scheduler_lease),
        ):
            if value is not None:
                yield GaugeMetricFamily(f"dama_{name}_seconds", meaning, value=value)
