"""What a calibration found: as lines of text, as plots, and as a page that holds both."""

from io import StringIO
from typing import TYPE_CHECKING, Final

from puzzle_service.domain import weights
from puzzle_service.domain.weights import PRESENT
from puzzle_service.services.calibration import Calibration, PuzzleResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEAD: Final = "puzzle  day         attempts  difficulty  measured       first try: predicted   real"
INK: Final = "#3b2a1a"
MARK: Final = "#8a5a2b"
FAINT: Final = 0.3
LARGEST: Final = 60.0
"""How large the mark is of the puzzle with the most attempts, in square points."""


def lines(found: Calibration) -> list[str]:
    """Return the report as lines of text, one for each puzzle and then what they say together."""
    if not found.puzzles:
        return ["no first attempt has ended yet"]
    told = [f"first attempts: {found.attempts}, by {found.players} players, at {len(found.puzzles)} puzzles"]
    told += [HEAD, *map(_line, found.puzzles)]
    told += ["", *summary(found)]
    if found.refit is not None:
        told += ["", f"{'weight':<20} {'present':>8} {'refitted':>8}"]
        told += [f"{name:<20} {before:8.2f} {after:8.2f}" for name, before, after in weight_rows(found)]
    return told


def summary(found: Calibration) -> list[str]:
    """Return what all puzzles say together, a sentence each."""
    beforehand, now = _off(found, "predicted"), _off(found, "fitted")
    told = [f"first-try rates are off by {beforehand} by difficulty, by {now} by what was measured"]
    if found.sure:
        told.append(
            f"rank correlation of difficulty and what was measured: {found.correlation:.2f}, "
            f"over {found.sure} puzzles measured to {weights.MEASURED:g} or better"
        )
    if found.refit is None:
        told.append(not_refitted(found))
    else:
        told.append(
            f"refitted to {found.refit.puzzles} puzzles: difficulty is off by {found.refit.error_before:.2f} "
            f"as reckoned now, by {found.refit.error_after:.2f} with the new weights"
        )
    return told


def not_refitted(found: Calibration) -> str:
    """Return why there are no new weights."""
    return (
        f"weights stay: {found.sure} puzzles with features are measured to {weights.MEASURED:g} or better, "
        f"after some thirty attempts each; a refit takes {weights.ENOUGH}, ten for each weight and the offset"
    )


def weight_rows(found: Calibration) -> list[tuple[str, float, float]]:
    """Return each weight's name with its present and its refitted value, the offset last."""
    if found.refit is None:
        return []
    after = found.refit.weights
    rows = [(name, before, after.weights[name]) for name, before in PRESENT.weights.items()]
    return [*rows, ("offset", PRESENT.offset, after.offset)]


def plots(found: Calibration) -> str:
    """Return an SVG: first-try rates predicted and real, and difficulties beforehand and measured."""
    # They take a second to load, and no other command needs them.
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # Text stays text, and the same figures give the same file.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "dama", "font.size": 9}):
        figure = Figure(figsize=(10, 4.8), layout="constrained")
        left, right = figure.subplots(1, 2)
        _plot_rates(left, found.puzzles)
        _plot_difficulties(right, found.puzzles)
        written = StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()


def page(found: Calibration) -> str:
    """Return the report as a page of HTML that needs nothing else."""
    from jinja2 import Environment, FileSystemLoader

    from puzzle_service.web import TEMPLATES

    folders = [folder for folder in TEMPLATES if folder.is_dir()]
    environment = Environment(loader=FileSystemLoader(folders), autoescape=True, trim_blocks=True)
    svg = plots(found) if found.puzzles else ""
    return environment.get_template("calibration.html").render(
        found=found,
        summary=summary(found) if found.puzzles else lines(found),
        weights=weight_rows(found),
        # Without the head of a file it is a part of the page.
        plots=svg[svg.find("<svg") :],
    )


def _line(one: PuzzleResult) -> str:
    measured = f"{one.measured:.2f} ±{one.deviation:.2f}"
    return (
        f"{one.number:>6}  {one.day}  {one.attempts:>8}  {one.difficulty:>10.2f}  {measured:<13}  "
        f"{one.predicted:>20.0%}  {one.rate:>5.0%}"
    )


def _off(found: Calibration, by: str) -> str:
    """Return by how much rates of first tries are off on the average, each attempt counting the same."""
    off = sum(one.attempts * abs(getattr(one, by) - one.rate) for one in found.puzzles)
    return f"{off / found.attempts:.0%}"


def _plot_rates(axes: "Axes", puzzles: tuple[PuzzleResult, ...]) -> None:
    most = max((one.attempts for one in puzzles), default=1)
    sizes = [LARGEST * one.attempts / most for one in puzzles]
    predicted, real = [100 * one.predicted for one in puzzles], [100 * one.rate for one in puzzles]
    axes.plot([0, 100], [0, 100], color=INK, linestyle="--", linewidth=1)
    axes.scatter(predicted, real, sizes, color=MARK, alpha=2 * FAINT)
    axes.set(
        title="Solved on the first try",
        xlabel="predicted by difficulty and players, %",
        ylabel="real, %",
        xlim=(0, 100),
        ylim=(0, 100),
        aspect="equal",
    )


def _plot_difficulties(axes: "Axes", puzzles: tuple[PuzzleResult, ...]) -> None:
    before, after = [one.difficulty for one in puzzles], [one.measured for one in puzzles]
    ends = [min([*before, *after], default=0), max([*before, *after], default=1)]
    axes.plot(ends, ends, color=INK, linestyle="--", linewidth=1)
    axes.errorbar(before, after, [one.deviation for one in puzzles], fmt="none", ecolor=INK, alpha=FAINT)
    axes.scatter(before, after, LARGEST / 3, color=MARK, alpha=2 * FAINT)
    axes.set(title="Difficulty", xlabel="reckoned beforehand", ylabel="measured, with its deviation")
