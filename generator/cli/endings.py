"""How a command ends that cannot do what it was asked."""

import sys
from typing import Any, NoReturn

import click


class Program(click.Group):
    """A group of commands whose failures are one line on the error stream, whatever they are."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program; whoever calls `main` in a test sees every error as it is."""
        try:
            return super().__call__(*args, **kwargs)
        except OSError as error:
            fail(str(error))
        except Exception as error:  # noqa: BLE001  (the edge of the program)
            told = " ".join(f"{type(error).__name__}: {error}".split())
            fail(f"a fault of the program, please report it: {told}")


def fail(message: str) -> NoReturn:
    """Tell in one line what went wrong, and exit with code 1."""
    click.echo(f"dama-generate: {message}", err=True)
    sys.exit(1)
