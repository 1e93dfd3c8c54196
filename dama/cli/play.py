"""The command to play a game against the computer in the terminal."""

import random
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Final

import click

from dama.cli.program import answer_of, load_kernel, main, rules_option
from dama.engine import accepts_draw, best_move
from dama.game import Game
from dama.hint import hint
from dama.levels import LEVELS
from dama.pieces import Color
from dama.position import Position

HELP: Final = """\
a move as it is listed, or its two ends   a3-a4, b3xd5, 22-19
moves    list the legal moves             undo     take back your last move
hint     how would a master play?         draw     offer a draw
fen      print the position               resign   give the game up
help     print this                       quit     leave the game"""


_LONGEST_LINE: Final = 1000


class _Left(Exception):  # noqa: N818  (no error: the player has gone)
    """The player leaves the game."""


@main.command()
@rules_option
@click.option(
    "--level", type=click.Choice(list(LEVELS)), default="medium", show_default=True, help="The opponent."
)
@click.option(
    "--color",
    type=click.Choice(["white", "black", "lot"]),
    default="white",
    show_default=True,
    help="Your side.",
)
@click.option("--fen", help="Where to begin; the start position unless given.")
@click.option("--seed", type=int, help="Decides the lot and equal moves; by chance unless given.")
def play(rules: str, level: str, color: str, fen: str | None, seed: int | None) -> None:
    """Play against the computer: type moves, or "help"."""
    seed = random.randrange(1 << 32) if seed is None else seed
    if color == "lot":
        color = random.Random(seed).choice(["white", "black"])
    try:
        game = Game(Position.start(rules)) if fen is None else Game.from_fen(fen, rules)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    load_kernel("dama.kernel.play")
    table = _Table(game, Color.WHITE if color == "white" else Color.BLACK, level, seed)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is no move
    click.echo(f"You are {color}. The level is {level}. Type a move, or help.")
    try:
        while game.result is None:
            table.turn()
    except _Left:
        click.echo("The game is left unfinished.")
        return
    click.echo(f"{game.position}\n{game.result}")


def _read_line() -> str:
    """Return what is typed next, an empty text at the end."""
    if sys.stdin is None:
        return ""
    typed = sys.stdin.readline(_LONGEST_LINE)
    if len(typed) == _LONGEST_LINE:
        raise click.ClickException(f"a line of {_LONGEST_LINE} characters or more was given; expected a move")
    return typed


class _Table:
    """A game in the terminal, and the side the player has."""

    def __init__(self, game: Game, side: Color, level: str, seed: int) -> None:
        self._game = game
        self._side = side
        self._level = level
        self._seed = seed
        self._commands: dict[str, Callable[[], object]] = {
            "moves": lambda: click.echo(" ".join(map(str, game.position.legal_moves))),
            "hint": self._hint,
            "fen": lambda: click.echo(game.fen()),
            "help": lambda: click.echo(HELP),
            "undo": self._undo,
            "draw": self._draw,
            "resign": lambda: game.resign(side),
            "quit": self._quit,
        }

    def turn(self) -> None:
        """Let the side to move do something: the computer a move, the player what is typed."""
        if self._game.position.turn is not self._side:
            move = answer_of(lambda: best_move(self._game, level=self._level, seed=self._seed)).move
            self._game.play(move)
            click.echo(f"computer: {move}")
            return
        click.echo(f"{self._game.position}\n> ", nl=False)
        typed = _read_line()
        if not typed:
            click.echo()
            raise _Left
        self._obey(typed.strip())

    def _obey(self, text: str) -> None:
        if command := self._commands.get(text.lower()):
            command()
        elif text:
            try:
                self._game.play(text)
            except ValueError as error:
                click.echo(str(error))

    def _hint(self) -> None:
        found = answer_of(lambda: hint(self._game))
        click.echo(f"{found.move}: {found.reason}\nline: {' '.join(map(str, found.line))}")

    def _undo(self) -> None:
        """Take back the player's last move, and the answer to it."""
        if len(self._game.moves) < 2:
            click.echo("There is no move of yours to take back.")
            return
        self._game.undo()
        self._game.undo()

    def _draw(self) -> None:
        if answer_of(lambda: accepts_draw(self._game, self._side.other)):
            self._game.agree_draw()
        else:
            click.echo("The computer wants to play on.")

    def _quit(self) -> None:
        raise _Left
