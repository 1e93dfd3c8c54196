"""Commands about files of games in PDN."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import click

from dama.cli.program import main, rules_option
from dama.errors import PdnError
from dama.pdn import PdnGame, find_problems, format_game, read_games


def _as_json(games: Iterable[PdnGame]) -> str:
    return json.dumps([game.json() for game in games])


def _as_fens(games: Iterable[PdnGame]) -> str:
    return "\n".join(position.fen() for game in games for position in game.positions)


def _as_pdn(games: Iterable[PdnGame]) -> str:
    return "\n".join(map(format_game, games)).removesuffix("\n")


_FORMS: Final[Mapping[str, Callable[[Iterable[PdnGame]], str]]] = {
    "pdn": _as_pdn,
    "json": _as_json,
    "fen": _as_fens,
}

_MOST_BYTES: Final = 64 << 20
"""More than the largest collections of games; a device may have no end."""

file_argument = click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))


@main.group()
def pdn() -> None:
    """Check and convert files of games in PDN; - stands for the standard input.

    A game names its rules in a header, such as [Rules "turkish-yoz"]; --rules is for games that do not.
    """


@pdn.command()
@file_argument
@rules_option
@click.pass_context
def check(context: click.Context, file: str, rules: str) -> None:
    """Name the problems of a file, each by line and column; exit code 1 when there is one.

    A problem is what cannot be read, such as an illegal move, or what the rules contradict: moves after the
    end of a game, a result that is not the board's. The rest of a game that cannot be read is passed over.
    """
    found = False
    for problem in find_problems(_contents(file), rules):
        click.echo(_located(file, problem))
        found = True
    context.exit(1 if found else 0)


@pdn.command()
@file_argument
@rules_option
@click.option(
    "--to",
    "form",
    type=click.Choice(list(_FORMS)),
    default="pdn",
    show_default=True,
    help="Standard PDN; JSON with the FEN after every move; or each FEN of the main lines on a line.",
)
def convert(file: str, rules: str, form: str) -> None:
    """Write the games of a file in another form, or in standard PDN."""
    try:
        games = list(read_games(_contents(file), rules))
    except PdnError as error:
        raise click.ClickException(_located(file, error)) from error
    click.echo(_FORMS[form](games))


def _contents(file: str) -> bytes:
    try:
        with click.open_file(file, "rb") as opened:
            data: bytes = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        raise click.ClickException(f"{file!r} cannot be read: {error.strerror}") from error
    if len(data) > _MOST_BYTES:
        raise click.ClickException(f"{file!r} is too long; expected at most {_MOST_BYTES >> 20} MiB")
    return data


def _located(file: str, problem: PdnError) -> str:
    return f"{file}:{problem.line}:{problem.column}: {problem.complaint}"
