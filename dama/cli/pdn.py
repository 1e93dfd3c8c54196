"""Commands about files of games in PDN."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import BinaryIO, Final

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

file_argument = click.argument("file", type=click.File("rb"))


@main.group()
def pdn() -> None:
    """Check and convert files of games in PDN; - stands for the standard input.

    A game names its rules in a header, such as [Rules "turkish-yoz"]; --rules is for games that do not.
    """


@pdn.command()
@file_argument
@rules_option
@click.pass_context
def check(context: click.Context, file: BinaryIO, rules: str) -> None:
    """Name the problems of a file, each by line and column; exit code 1 when there is one.

    A problem is what cannot be read, such as an illegal move, or what the rules contradict: moves after the
    end of a game, a result that is not the board's. The rest of a game that cannot be read is passed over.
    """
    found = False
    for problem in find_problems(file.read(), rules):
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
def convert(file: BinaryIO, rules: str, form: str) -> None:
    """Write the games of a file in another form, or in standard PDN."""
    try:
        games = list(read_games(file.read(), rules))
    except PdnError as error:
        raise click.ClickException(_located(file, error)) from error
    click.echo(_FORMS[form](games))


def _located(file: BinaryIO, problem: PdnError) -> str:
    return f"{file.name}:{problem.line}:{problem.column}: {problem.complaint}"
