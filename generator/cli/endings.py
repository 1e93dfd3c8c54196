"""How a command ends that cannot do what it was asked."""

import sys
from typing import NoReturn

import click


def fail(message: str) -> NoReturn:
    """Tell in one line what went wrong, and exit with code 1."""
    click.echo(f"dama-generate: {message}", err=True)
    sys.exit(1)
