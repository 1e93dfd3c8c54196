"""The program itself: its group of commands, and what several of them need."""

import importlib
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from types import ModuleType
from typing import Any, TypeVar

import click

from dama.position import Position
from dama.rulesets import RULESETS

T = TypeVar("T")

PATIENCE = 3.0
"""Seconds after which a user is told what takes so long."""

rules_option = click.option(
    "--rules", type=click.Choice(list(RULESETS)), default="turkish", show_default=True, help="The ruleset."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def parse_position(fen: str, rules: str) -> Position:
    """Return the position that an argument describes."""
    try:
        return Position.from_fen(fen, rules)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def load_kernel(module: str = "dama.kernel") -> ModuleType:
    """Load the kernel, or one of its modules too, and say so when it has to be compiled first."""
    return answer_of(
        lambda: importlib.import_module(module),
        "dama: loading the kernel; each version compiles it once, in 15 to 40 s on a free machine",
    )


def answer_of(question: Callable[[], T], slow: str | None = None) -> T:
    """Ask beside the main thread, which hears Ctrl-C while compiled code runs; say ``slow`` if it is."""
    answer: Future[T] = Future()

    def ask() -> None:
        try:
            answer.set_result(question())
        except Exception as error:  # noqa: BLE001  (handed to the main thread)
            answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        if slow is not None and not wait([answer], PATIENCE).done:
            click.echo(slow, err=True)
        return answer.result()
    except OverflowError as error:
        raise click.ClickException(str(error)) from error


class Program(click.Group):
    """A group whose output may fail to be written, which is told in one line."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program: what nobody expected is one line too; in a test every error is as it is."""
        try:
            return super().__call__(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  (the edge of the program)
            told = " ".join(f"{type(error).__name__}: {error}".split())
            click.echo(f"Error: a fault of the program, please report it: {told}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command and write out what it printed."""
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:  # nobody may have given one
                sys.stdout.flush()
        except BrokenPipeError:
            raise  # click ends quietly when the reader has gone
        except OSError as error:
            raise click.ClickException(f"the output cannot be written: {error.strerror}") from error
        return result


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dama-daily")
def main() -> None:
    """Look at positions of dama, prove forced wins, play and choose moves, check files of games.

    A position is written as a FEN: 'W:Wa2,b2,Kd4:Ba6,Kh8' is the side to move, then both sides' pieces,
    with K before a king. On the diagonal board squares are numbers: 'W:W21-32,K18:B1,2'.
    """
