"""`dama-generate select`: the best of pools of puzzles."""

from pathlib import Path

import click

from generator.cli.endings import fail
from generator.cli.generate import check_place, count_type


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--count", type=count_type, required=True, help="Choose so many puzzles.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="File to write them to."
)
@click.option(
    "--least-rare",
    type=click.IntRange(min=0),
    default=0,
    help="So many at least with a rare theme: 180° trap, blockade, quiet key, zugzwang or last-row pass.",
)
@click.option(
    "--least-natural", type=click.IntRange(min=0), default=0, help="So many at least from self-play."
)
def select(files: tuple[Path, ...], count: int, out: Path, least_rare: int, least_natural: int) -> None:
    """Choose from FILES the puzzles that promise most: easy and hard ones, many themes, nothing alike.

    The same puzzles give the same choice. Exit code 1 when not everything asked for could be met; the file is
    written all the same, and a line for each says what is missing.
    """
    if max(least_rare, least_natural) > count:
        raise click.UsageError("--count is less than what is to be rare or natural at least")
    check_place(out, files)
    from generator.output import replacing
    from generator.pool import PoolError, read_pools
    from generator.selection import Wish
    from generator.selection import select as select_from

    try:
        selection = select_from(read_pools(files), Wish(count, least_rare, least_natural))
        with replacing(out) as file:
            for entry in selection.chosen:
                file.write(entry.line)
    except (OSError, PoolError) as error:
        fail(f"{error}; {out} is left as it was")
    if not selection.chosen:
        fail(f"there is no puzzle to choose; {out} is left as it was")
    click.echo(f"{len(selection.chosen):,} puzzles in {out}")
    for unmet in selection.unmet:
        click.echo(f"not met: {unmet}", err=True)
    if selection.unmet:
        fail(f"not all that was asked for is there; {out} has the best of what is")
