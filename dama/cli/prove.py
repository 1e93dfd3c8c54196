"""The command that proves forced wins."""

import json

import click

from dama.cli.program import answer_of, json_option, load_kernel, main, parse_position, rules_option


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
    position = parse_position(fen, rules)
    if outcome := position.outcome():
        raise click.ClickException(f"{fen!r}: the game has ended, {outcome}")
    if defects := position.status():
        raise click.ClickException(f"{fen!r} is no position of a game: {', '.join(defects)}")
    load_kernel()
    from dama.prove import prove as prove_win

    proof = answer_of(lambda: prove_win(position, limit))
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
