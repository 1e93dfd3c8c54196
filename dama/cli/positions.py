"""Commands that look at a position: show it, list its moves, count the lines of play."""

import json
import time

import click

from dama.cli.program import answer_of, json_option, load_kernel, main, parse_position, rules_option
from dama.position import Position


@main.command()
@click.argument("fen")
@rules_option
def show(fen: str, rules: str) -> None:
    """Draw a position (w b men, W B kings) and say how it stands."""
    position = parse_position(fen, rules)
    outcome = position.outcome()
    click.echo(position)
    click.echo(position.fen())
    for defect in position.status():
        click.echo(f"defect: {defect}")
    if outcome is None:
        count = len(position.legal_moves)
        click.echo(f"{position.turn.name.lower()} to move, {count} legal move{'s' if count > 1 else ''}")
    else:
        click.echo(outcome)


@main.command()
@click.argument("fen")
@rules_option
@json_option
def moves(fen: str, rules: str, as_json: bool) -> None:
    """List the legal moves, a line each, in board order."""
    legal_moves = parse_position(fen, rules).legal_moves
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
    position = Position.start(rules) if fen is None else parse_position(fen, rules)
    kernel = load_kernel()
    began = time.perf_counter()
    counts = answer_of(lambda: kernel.divide(position, depth)) if divide else {}
    nodes = sum(counts.values()) if divide else answer_of(lambda: kernel.perft(position, depth))
    seconds = time.perf_counter() - began
    if as_json:
        click.echo(json.dumps({"nodes": nodes, "seconds": seconds} | ({"divide": counts} if divide else {})))
        return
    for text, count in counts.items():
        click.echo(f"{text} {count}")
    click.echo(nodes)
