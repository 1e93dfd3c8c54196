"""The commands for accounts."""

import sys
from typing import cast, get_args

import click

from puzzle_service.cli.program import OPERATOR, main, opened
from puzzle_service.clock import utc_now
from puzzle_service.domain.roles import Role
from puzzle_service.services import accounts, passwords, recovery
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.recovery import Language

ROLES = click.Choice([role.value for role in Role])
LANGUAGES = click.Choice(get_args(Language))


@main.group("account")
def account_group() -> None:
    """Look after the accounts."""


@account_group.command()
@click.argument("name")
@click.option("--role", type=ROLES, default=Role.PLAYER.value, show_default=True, help="What it may do.")
@click.option("--generate", is_flag=True, help="Make a password, and print it once.")
def create(name: str, role: str, *, generate: bool) -> None:
    """Make an account; the password is asked for, or read from a pipe, one line."""
    with opened() as (database, _):
        password = passwords.generated() if generate else _asked_password()
        accounts.check(name, password)
        password_hash = passwords.hashed(password)
        with database.write.begin() as session:
            made = accounts.create(session, name, password_hash, utc_now(), role=Role(role), player_id=None)
    shown = f", password (shown once): {password}" if generate else ""
    click.echo(f"made {made.role} {made.name!r}{shown}")


@account_group.command("role")
@click.argument("name")
@click.argument("role", type=ROLES)
def set_role(name: str, role: str) -> None:
    """Let an account do what a role may; the only admin stays one."""
    with opened() as (database, _), database.write.begin() as session:
        changed = accounts.set_role(session, OPERATOR, name, Role(role), utc_now())
    click.echo(f"{changed.name!r} is {changed.role}")


@account_group.command()
@click.argument("name")
@click.option("--language", type=LANGUAGES, default="english", show_default=True, help="Of the words.")
def recover(name: str, language: str) -> None:
    """Make new recovery words for somebody who has lost password and words, and print them once."""
    with opened() as (database, _), database.write.begin() as session:
        found = accounts.find(session, name)
        if found is None:
            raise ServiceError("not_found", f"there is no account {name!r}")
        words = recovery.new_code(session, found.player_id, cast(Language, language))
    click.echo(f"recovery words of {found.name!r} (shown once): {words}")


def _asked_password() -> str:
    try:
        if sys.stdin is None or not sys.stdin.isatty():
            # In a pipe there is nobody to hide it from or to mistype it; asking would only cause warnings.
            return "" if sys.stdin is None else sys.stdin.readline().rstrip("\r\n")
        password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    except UnicodeDecodeError:
        # What is no text is refused with whatever else nobody could type into the form.
        return ""
    return password
