"""The command that lets two players meet."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import click

from dama import workers
from dama.cli.program import json_option, load_kernel, main, rules_option
from dama.match import Played, PlayerError, Score, elo, find_player, play_game

_MOST_JOBS: Final = 256
"""More processes than any machine this is for has cores."""


def _played(first: str, second: str, rules: str, number: int, seed: int) -> Played:
    return play_game(find_player(first), find_player(second), rules, number, seed)


def _games(first: str, second: str, rules: str, games: int, seed: int, jobs: int) -> Iterator[Played]:
    """Yield the games of a match in their order, played by so many processes."""
    if jobs == 1:
        for number in range(games):
            yield _played(first, second, rules, number, seed)
        return
    with workers.crew(jobs) as pool:
        waiting = [pool.submit(_played, first, second, rules, number, seed) for number in range(games)]
        for played in waiting:
            yield played.result()


@main.command()
@click.argument("first")
@click.argument("second")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games to play."
)
@rules_option
@click.option("--seed", type=int, default=0, show_default=True, help="Decides openings and equal choices.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=_MOST_JOBS),
    default=1,
    show_default=True,
    help="How many games at a time.",
)
@json_option
def match(first: str, second: str, games: int, rules: str, seed: int, jobs: int, as_json: bool) -> None:
    """Let two players meet: levels, numbers of nodes a move, "random", or FILE.py:FUNCTION.

    A function is given a Game and a whole number, which is to decide what it leaves to chance; it returns one
    of game.position.legal_moves and how many positions it has looked at.

    Openings are played by chance and balanced; each is played twice, with the colours changed. Games are
    played to their end by the rules. The result is the first player's, with a 95 % interval.
    """
    load_kernel("dama.kernel.play")
    try:
        for name in (first, second):
            find_player(name)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    try:
        played = _told(_games(first, second, rules, games, seed, jobs), games)
    except PlayerError as error:
        raise click.ClickException(str(error)) from error
    report = _report(first, second, rules, played)
    click.echo(json.dumps(report) if as_json else _text(report))


def _told(games: Iterable[Played], count: int) -> list[Played]:
    """Return the games; on a terminal say how far they are."""
    played, score = [], Score()
    for game in games:
        played.append(game)
        score = score.plus(game.points)
        if sys.stderr.isatty():
            click.echo(f"\r{len(played)}/{count}: {score.share:.1%}", nl=False, err=True)
    if sys.stderr.isatty():
        click.echo(err=True)
    return played


def _report(first: str, second: str, rules: str, games: list[Played]) -> dict[str, Any]:
    score = Score()
    for game in games:
        score = score.plus(game.points)
    lower, upper = score.bounds
    rates = []
    for who in (0, 1):
        nodes, seconds = sum(game.nodes[who] for game in games), sum(game.seconds[who] for game in games)
        rates.append(round(nodes / seconds) if seconds else 0)
    return {
        "players": [first, second],
        "rules": rules,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "share": score.share,
        "share_bounds": [lower, upper],
        "elo": elo(score.share),
        "elo_bounds": [elo(lower), elo(upper)],
        "plies": sum(game.plies for game in games) / len(games),
        "nodes_a_second": rates,
        "ends": dict(Counter(game.result.reason for game in games).most_common()),
    }


def _elo_text(share: float) -> str:
    """Return the difference that a share stands for, without end on either side for all or nothing."""
    value = elo(share)
    if value is None:
        return "∞" if share else "-∞"
    return f"{round(value):+d}"


def _text(report: dict[str, Any]) -> str:
    first, second = report["players"]
    lower, upper = report["share_bounds"]
    points, low, high = map(_elo_text, (report["share"], lower, upper))
    ends = ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in report["ends"].items())
    rates = " and ".join(f"{rate:,}" for rate in report["nodes_a_second"])
    return (
        f"{first} against {second}, {report['rules']}, {report['games']} games:"
        f" {report['wins']} won, {report['draws']} drawn, {report['losses']} lost\n"
        f"share {report['share']:.1%} (95 %: {lower:.1%} to {upper:.1%}), Elo {points} ({low} to {high})\n"
        f"{report['plies']:.0f} plies a game; {ends}; positions a second: {rates}"
    )
