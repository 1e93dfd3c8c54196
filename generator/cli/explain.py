"""`dama-generate explain`: what every predicate says of a position."""

import click

from dama.position import Position
from generator.cli.endings import fail


@click.command()
@click.argument("fen")
def explain(fen: str) -> None:
    """Say why a position is a puzzle or none: every predicate with its value, themes, difficulty.

    FEN is the side to move, then both sides' pieces, with K before a king: 'W:Wa2,b2,Kd4:Ba6,Kh8'.
    """
    try:
        position = Position.from_fen(fen)
    except ValueError as error:
        fail(str(error))
    # Imported here: the kernel takes a while to load, a wrong FEN is told at once.
    from generator import explain as explanation

    for line in explanation.explain(position):
        click.echo(line)
