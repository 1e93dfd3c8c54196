"""`dama-generate`: finds puzzles, writes them to a file, one record a line, and tells about such files."""

import sys
from pathlib import Path

try:
    import click
    from click.core import ParameterSource

    from generator.cli.endings import Program
    from generator.cli.explain import explain
    from generator.cli.generate import Wishes, check_place, count_type, generate, jobs_option, seed_option
    from generator.cli.report import report
    from generator.cli.select import select
    from generator.cli.verify import verify
except KeyboardInterrupt:  # nothing has begun that could tell of it
    sys.exit("Aborted!")


@click.group(
    cls=Program,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND …]",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write, one JSON record a line. It is replaced when the run ends, also by Ctrl-C.",
)
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Search for so many seconds.")
@click.option(
    "--count",
    type=count_type,
    help="Search until there are so many puzzles, half of them won in two moves, half in three.",
)
@jobs_option
@seed_option
@click.option(
    "--mix",
    metavar="NAME=SHARE,…",
    help="Sources of candidates and their shares of the time, such as retrograde=40,self-play=10."
    " [default: all of them]",
)
@click.option(
    "--known",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="File of puzzles that none may resemble; may be given more than once.",
)
@click.option(
    "--positions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of FENs, one a line, as one more source of candidates, called file.",
)
@click.option("--resume", is_flag=True, help="Go on where a run with the same --out was cut short.")
@click.version_option(package_name="dama-daily")
@click.pass_context
def main(
    context: click.Context,
    out: Path | None,
    seconds: float | None,
    count: int | None,
    jobs: int,
    seed: int | None,
    mix: str | None,
    known: tuple[Path, ...],
    positions: Path | None,
    resume: bool,
) -> None:
    """Find puzzles of Turkish draughts, prove each by both implementations of the rules, and write them down.

    Give --out and either --seconds or --count; or a command, which looks at puzzles or a position.
    """
    if context.invoked_subcommand is not None:
        for name in context.params:
            if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
                raise click.UsageError(
                    f"--{name} goes with no command, or after {context.invoked_subcommand}"
                )
        return
    if out is None:
        raise click.UsageError("give --out, the file to write, or a command")
    if (seconds is None) == (count is None):
        raise click.UsageError("give either --seconds or --count")
    check_place(out, known if positions is None else (*known, positions))
    generate(Wishes(out, seconds, count, jobs, seed, mix, known, positions, resume))


for command in (report, explain, verify, select):
    main.add_command(command)
