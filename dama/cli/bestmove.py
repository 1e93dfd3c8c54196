"""The command that chooses a move, with the line and the reason for it."""

import json
from math import isfinite
from typing import Any

import click

from dama.cli.program import answer_of, json_option, load_kernel, main, rules_option
from dama.engine import Choice, best_move, search
from dama.game import Game
from dama.hint import explained
from dama.levels import LEVELS
from dama.reasons import Reason


@main.command()
@click.argument("fen")
@rules_option
@click.option("--level", type=click.Choice(list(LEVELS)), help="As one level plays; master unless limited.")
@click.option("--nodes", type=click.IntRange(min=1), help="Look at no more positions than these.")
@click.option("--time", "seconds", type=click.FloatRange(min=0, min_open=True), help="Seconds to think.")
@click.option("--depth", type=click.IntRange(min=1), help="Look no more plies ahead than these.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides between equal moves.")
@json_option
def bestmove(
    fen: str,
    rules: str,
    level: str | None,
    nodes: int | None,
    seconds: float | None,
    depth: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Choose a move: with its score in men for the side to move, the best line found, and a reason.

    The position may carry the clock of quiet moves, as in 'W:WKa1,b2:BKh8:H12'.
    """
    is_limited = not nodes is seconds is depth is None
    if level is not None and is_limited:
        raise click.UsageError("--level and a limit of one's own exclude each other")
    if level is None and not is_limited:
        level = "master"
    if seconds is not None and not isfinite(seconds):
        raise click.BadParameter(f"{seconds} is no number of seconds", param_hint="--time")
    try:
        game = Game.from_fen(fen, rules)
        load_kernel("dama.kernel.play")
        choice, reason = answer_of(lambda: _chosen(game, level, nodes, seconds, depth, seed))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    click.echo(json.dumps(_data(choice, reason)) if as_json else _text(choice, reason))


def _chosen(
    game: Game, level: str | None, nodes: int | None, seconds: float | None, depth: int | None, seed: int
) -> tuple[Choice, Reason]:
    choice = best_move(game, level=level, nodes=nodes, depth=depth, seconds=seconds, seed=seed)
    if level is not None and LEVELS[level].errs:  # what it saw is no ground for a reason
        choice = search(game, nodes=LEVELS["medium"].nodes, among=[choice.move])
    return choice, explained(game, choice)


def _data(choice: Choice, reason: Reason) -> dict[str, Any]:
    return {
        "move": choice.move.json(),
        "score": choice.score,
        "mate": choice.mate,
        "line": [str(move) for move in choice.line],
        "reason": {"code": reason.code, "values": dict(reason.values), "text": str(reason)},
        "depth": choice.depth,
        "nodes": choice.nodes,
    }


def score_text(choice: Choice) -> str:
    """Return a score in words: in men, or the number of moves to a forced end."""
    if choice.mate is None:
        return f"{choice.score / 100:+.2f}"
    return f"wins in {choice.mate}" if choice.mate > 0 else f"loses in {-choice.mate}"


def _text(choice: Choice, reason: Reason) -> str:
    line = " ".join(map(str, choice.line))
    return f"move: {choice.move}\nscore: {score_text(choice)}\nline: {line}\nreason: {reason}"
