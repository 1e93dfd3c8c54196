"""The program ``dama``: look at positions, count moves, prove forced wins."""

import importlib
import json
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from types import ModuleType
from typing import TypeVar

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


def _position(fen: str, rules: str) -> Position:
    try:
        return Position.from_fen(fen, rules)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def _kernel() -> ModuleType:
    """Load the kernel, and say so when it has to be compiled first."""
    return _answer_of(
        lambda: importlib.import_module("dama.kernel"),
        "dama: compiling the kernel, once for each version: about 15 s on a free machine",
    )


def _answer_of(question: Callable[[], T], slow: str | None = None) -> T:
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


class _Program(click.Group):
    """A group whose output may fail to be written, which is told in one line."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command and write out what it printed."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            raise  # click ends quietly when the reader has gone
        except OSError as error:
            raise click.ClickException(f"the output cannot be written: {error.strerror}") from error
        return result


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dama-daily")
def main() -> None:
    """Look at positions of Turkish dama, count their moves and prove forced wins.

    A position is written as a FEN: 'W:Wa2,b2,Kd4:Ba6,Kh8' is the side to move, then both sides' pieces,
    with K before a king.
    """


@main.command()
@click.argument("fen")
@rules_option
def show(fen: str, rules: str) -> None:
    """Draw a position (w b men, W B kings) and say how it stands."""
    position = _position(fen, rules)
    outcome = position.outcome()
    click.echo(position)
    click.echo(position.fen())
    for defect in position.status():
        click.echo(f"defect: {defect}")
    if outcome is None:
        count = len(position.legal_moves)
        click.echo(f"{position.turn.name.lower()} to move, {count} legal move{'s' if count > 1 else ''}")
    else:
        winner = f"{outcome.winner.name.lower()} has won" if outcome.winner else "draw"
        click.echo(f"{winner}: {outcome.reason.replace('_', ' ')}")


@main.command()
@click.argument("fen")
@rules_option
@json_option
def moves(fen: str, rules: str, as_json: bool) -> None:
    """List the legal moves, a line each, in board order."""
    legal_moves = _position(fen, rules).legal_moves
    if as_json:
        click.echo(json.dumps([move.json() for move in legal_moves]))
    else:
        for move in legal_moves:
            click.echo(move)


@main.command()
@click.option("--fen", help="Where to begin; the start position unless given.")
@rules_option
@click.option("--depth", type=click.IntRange(min=1, max=20), required=True, help="How many plies deep.")
@click.option("--divide", is_flag=True, help="Count each first move by itself.")
@json_option
def perft(
    fen: str | None,
    rules: str,
    depth: int,
    divide: bool,
    as_json: bool,
) -> None:
    """Count the lines of play of a depth, each legal move counted once."""
    position = Position.start(rules) if fen is None else _position(fen, rules)
    kernel = _kernel()
    began = time.perf_counter()
    counts = _answer_of(lambda: kernel.divide(position, depth)) if divide else {}
    nodes = sum(counts.values()) if divide else _answer_of(lambda: kernel.perft(position, depth))
    seconds = time.perf_counter() - began
    if as_json:
        click.echo(json.dumps({"nodes": nodes, "seconds": seconds} | ({"divide": counts} if divide else {})))
        return
    for text, count in counts.items():
        click.echo(f"{text} {count}")
    click.echo(nodes)


@main.command()
@click.argument("fen")
@rules_option
@click.option(
    "--moves",
    "limit",
    type=click.IntRange(min=1, max=5),
    default=3,
    show_default=True,
    help="Search for a win within this many moves of the side to move.",
)
@json_option
def prove(fen: str, rules: str, limit: int, as_json: bool) -> None:
    """Prove the quickest forced win: within how many moves, by which keys, against every defence."""
    position = _position(fen, rules)
    if outcome := position.outcome():
        raise click.ClickException(f"{fen!r}: the game has ended: {outcome.reason.replace('_', ' ')}")
    if defects := position.status():
        raise click.ClickException(f"{fen!r} is no position of a game: {', '.join(defects)}")
    _kernel()
    from dama.prove import prove as prove_win

    proof = _answer_of(lambda: prove_win(position, limit))
    if as_json:
        found = {
            "wins_in": proof.moves if proof else None,
            "keys": list(proof.keys) if proof else [],
            "proof": proof.root if proof else None,
        }
        click.echo(json.dumps(found))
    elif proof is None:
        click.echo(f"no win within {limit}")
    else:
        click.echo(f"wins in {proof.moves} by {', '.join(proof.keys)}: {' '.join(proof.main_line())}")
