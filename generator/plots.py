"""Plots of a report as SVG text that a style sheet colours."""

import io
import re
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from generator.quality import MOVES_TO_WIN
from generator.report import DAYS, Counts, Report
from generator.themes import THEMES

_COLOURS: Final = {"#010203": "currentColor", "#040506": "var(--in-two)", "#070809": "var(--in-three)"}
"""Stand-ins for what the style sheet says."""
_INK, *_SERIES = _COLOURS
_STYLE: Any = {
    # Letters stay letters, in the page's own font; the same report gives the same page.
    "svg.fonttype": "none",
    "svg.hashsalt": "plot",
    "font.family": "sans-serif",
    "font.size": 11,
    # A name with a dollar sign in it is no formula.
    "text.parse_math": False,
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_WIDTH: Final = 5.2
_STEPS: Final = 24
"""Bars of a histogram."""


def difficulties(report: Report) -> str:
    """Return the histogram of the difficulty, the limits of the bands marked."""
    with mpl.rc_context(_STYLE):
        figure, axes = _empty(3.2)
        series = [[entry.difficulty for entry in report.entries if entry.moves == n] for n in MOVES_TO_WIN]
        axes.hist(series, bins=_STEPS, stacked=True, color=_SERIES)
        for limit in report.limits:
            axes.axvline(limit, color=_INK, linewidth=0.8, linestyle=":")
        axes.set_xlabel("difficulty; dotted: limits of the bands")
        axes.set_ylabel("puzzles")
        return _svg(figure, "difficulty")


def pieces(report: Report) -> str:
    """Return the bars of the number of pieces on the board."""
    with mpl.rc_context(_STYLE):
        figure, axes = _empty(3.2)
        names = sorted(report.pieces)
        for bottom, counts, colour in _stacked(report.pieces, names):
            axes.bar([name.strip() for name in names], counts, bottom=bottom, color=colour)
        axes.set_xlabel("pieces on the board")
        axes.set_ylabel("puzzles")
        return _svg(figure, "pieces")


def themes(report: Report) -> str:
    """Return the bars of the themes, the most telling on top."""
    return _lying("themes", report.themes, [*THEMES])


def sources(report: Report) -> str:
    """Return the bars of the sources."""
    return _lying("sources", report.sources, sorted(report.sources))


def bands(report: Report) -> str:
    """Return the bars of the bands of difficulty, the easiest on top."""
    return _lying("bands", report.bands, [*DAYS])


def _lying(name: str, counts: Counts, names: list[str]) -> str:
    with mpl.rc_context(_STYLE):
        figure, axes = _empty(0.9 + 0.27 * len(names))
        for left, widths, colour in _stacked(counts, names):
            axes.barh(names, widths, left=left, color=colour)
        axes.invert_yaxis()
        axes.set_xlabel("puzzles")
        return _svg(figure, name)


def _empty(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    return figure, figure.add_subplot()


def _stacked(counts: Counts, names: list[str]) -> list[tuple[list[int], list[int], str]]:
    """Return (where each bar begins, how long it is, colour) of each length of a win."""
    in_two, in_three = ([counts.get(name, (0, 0))[place] for name in names] for place in (0, 1))
    return [([0] * len(names), in_two, _SERIES[0]), (in_two, in_three, _SERIES[1])]


def _svg(figure: Figure, name: str) -> str:
    figure.patch.set_alpha(0)
    for axes in figure.axes:
        axes.patch.set_alpha(0)
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    text = drawn.getvalue()
    text = text[text.index("<svg") :]
    for stand_in, colour in _COLOURS.items():
        text = text.replace(stand_in, colour)
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)
    # Its size is the page's business.
    head, rest = text.split(">", 1)
    return re.sub(r' (width|height)="[^"]*"', "", head) + ">" + rest
