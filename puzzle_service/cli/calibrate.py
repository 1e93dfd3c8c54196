"""The command that compares how hard puzzles were thought to be with how they went."""

from pathlib import Path

import click

from puzzle_service.cli.program import OPERATOR, main, opened
from puzzle_service.clock import utc_now
from puzzle_service.services.errors import ServiceError

FILE = click.Path(dir_okay=False, path_type=Path)


@main.command()
@click.option("--report", type=FILE, metavar="FILE.html", help="Write all of it as a page with plots.")
@click.option("--plot", type=FILE, metavar="FILE.svg", help="Write the plots alone.")
@click.option("--apply", "apply_weights", is_flag=True, help="Give puzzles to come new difficulties.")
def calibrate(report: Path | None, plot: Path | None, *, apply_weights: bool) -> None:
    """Tell how hard published puzzles have proved to be, the players' strength accounted for.

    For each puzzle: how many tried it, how many of them should have solved it at once by its difficulty, and
    how many did. Once enough puzzles are measured, the weights that difficulties are reckoned by are fitted
    to that; `--apply` reckons puzzles that were never out by the new ones. They keep the days they wait for.
    """
    # NumPy takes its time to load; no other command needs it.
    from puzzle_service.cli import calibration_report
    from puzzle_service.services import calibration

    with opened() as (database, _):
        with database.read() as session:
            found = calibration.calibrate(session)
        click.echo("\n".join(calibration_report.lines(found)))
        if plot is not None:
            plot.write_text(calibration_report.plots(found), encoding="utf-8")
        if report is not None:
            report.write_text(calibration_report.page(found), encoding="utf-8")
        if not apply_weights:
            return
        if found.refit is None:
            raise ServiceError("not_enough", f"nothing to apply: {calibration_report.not_refitted(found)}")
        with database.write.begin() as session:
            applied = calibration.apply(session, found.refit.weights, OPERATOR, utc_now())
    click.echo(f"new difficulties: {applied.changed}; without features to reckon by: {applied.without}")
