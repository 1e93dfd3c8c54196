"""`dama-generate report`: what a pool of puzzles is like."""

from pathlib import Path

import click

from generator.cli.endings import fail
from generator.cli.generate import check_place

_ALIKE = 0.75


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report with boards and plots to this file, too: one page that needs nothing else.",
)
@click.option(
    "--alike",
    type=click.FloatRange(min=0.5, max=1),
    default=_ALIKE,
    show_default=True,
    help="Likeness from which on two boards are called near duplicates.",
)
def report(files: tuple[Path, ...], html: Path | None, alike: float) -> None:
    """Tell what the puzzles in FILES are like: sources, bands, themes, pieces, near duplicates."""
    if html is not None:
        check_place(html, files, "--html")
    from generator.output import replacing
    from generator.pool import PoolError, read_pools
    from generator.report import Report

    try:
        found = Report.of(read_pools(files), alike)
        for line in found.text():
            click.echo(line)
        if html is not None:
            # Imported here: drawing takes a second to load.
            from generator.report_page import page

            with replacing(html) as file:
                file.write(page(found, f"Puzzles of {', '.join(path.name for path in files)}"))
    except (OSError, PoolError) as error:
        fail(str(error))
