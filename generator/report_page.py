"""The page of a report: boards, plots and tables in one file that needs no other."""

from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from dama.diagram import board_svg
from generator import plots
from generator.pool import Entry
from generator.record import GENERATOR
from generator.report import DAYS, Report
from generator.selection import band_of
from generator.themes import THEMES

_PACKAGE: Final = Path(__file__).parent
# In a wheel the templates lie inside the package, in a checkout beside it.
_TEMPLATES: Final = (_PACKAGE / "templates", _PACKAGE.parent / "templates" / "generator")
_SHOWN: Final = 3
"""Puzzles of a band that are shown, those that promise most."""
_PAIRS_SHOWN: Final = 12


def page(report: Report, title: str) -> str:
    """Return the report as an HTML page."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters["board"] = _board
    drawn = {
        name: Markup(draw(report))  # noqa: S704  (drawn by us, names in it are escaped)
        for name, draw in (
            ("difficulty", plots.difficulties),
            ("bands", plots.bands),
            ("themes", plots.themes),
            ("sources", plots.sources),
            ("pieces", plots.pieces),
        )
    }
    return environment.get_template("report.html").render(
        report=report,
        title=title,
        generator=GENERATOR,
        plots=drawn if report.entries else {},
        best=_best(report),
        orders={"sources": sorted(report.sources), "bands": DAYS, "themes": tuple(THEMES)},
        pairs=report.pairs[:_PAIRS_SHOWN],
    )


def _best(report: Report) -> dict[str, list[Entry]]:
    ranked = sorted(report.entries, key=lambda entry: (-entry.score, entry.id))
    best: dict[str, list[Entry]] = {day: [] for day in DAYS}
    for entry in ranked:
        shown = best[DAYS[band_of(entry.difficulty, report.limits)]]
        if len(shown) < _SHOWN:
            shown.append(entry)
    return {day: entries for day, entries in best.items() if entries}


def _board(entry: Entry) -> Markup:
    return Markup(board_svg(entry.position, title=entry.position.fen()))  # noqa: S704  (escapes its title)
