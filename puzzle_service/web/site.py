"""What every view needs: the settings, the clock and the database, kept with the application."""

from dataclasses import dataclass
from datetime import datetime

from flask import Flask, current_app, g

from puzzle_service.clock import Clock
from puzzle_service.db import Database
from puzzle_service.domain.puzzle_day import require_aware
from puzzle_service.metrics import Metrics
from puzzle_service.searching import Searches
from puzzle_service.settings import Settings

EXTENSION = "dama_daily"


@dataclass(frozen=True)
class Site:
    """The parts of one running site; metrics are None where nobody may collect them, searches where the
    computer does not play."""

    settings: Settings
    clock: Clock
    database: Database
    metrics: Metrics | None = None
    searches: Searches | None = None


def init_app(app: Flask, site: Site) -> None:
    """Keep the parts with the application."""
    app.extensions[EXTENSION] = site


def site() -> Site:
    """Return the parts of the site that answers this request."""
    parts: Site = current_app.extensions[EXTENSION]
    return parts


def request_time() -> datetime:
    """Return the instant of this request, in UTC: one for all of it, so that midnight never falls inside."""
    try:
        instant: datetime = g.now
    except AttributeError:
        instant = g.now = require_aware(site().clock())
    return instant
