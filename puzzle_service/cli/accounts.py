"""The commands for accounts."""

import click

from puzzle_service.cli.program import main, opened
from puzzle_service.clock import utc_now
from puzzle_service.domain.roles import Role
from puzzle_service.services import accounts

ROLES = click.Choice([role.value for role in Role])


@main.group("account")
def account_group() -> None:
    """Look after the accounts."""


@account_group.command()
@click.argument("name")
@click.option("--role", type=ROLES, default=Role.PLAYER.value, show_default=True, help="What it may do.")
@click.option("--generate", is_flag=True, help="Make a password, and print it once.")
def create(name: str, role: str, *, generate: bool) -> None:
    """Make an account; the password is asked for."""
    with opened() as (database, _):
        password = accounts.new_password() if generate else _asked_password()
        with database.write.begin() as session:
            made = accounts.create(session, name, password, utc_now(), role=Role(role), player_id=None)
    shown = f", password (shown once): {password}" if generate else ""
    click.echo(f"made {made.role} {made.name!r}{shown}")


def _asked_password() -> str:
    try:
        password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    except UnicodeDecodeError:
        # What is no text is refused with whatever else nobody could type into the form.
        return ""
    return password
