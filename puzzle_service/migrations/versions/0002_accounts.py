"""Accounts, devices, tallies, the audit log, leases and rate limits."""

from itertools import count

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

INSTANT = sa.DateTime(timezone=True)
LONGEST_UNNUMBERED = 60


def upgrade() -> None:
    """Make the tables, give each guest a device, and each admin a player and an account."""
    _create_tables()
    op.execute(
        "INSERT INTO device (token_hash, player_id, created_at) SELECT token_hash, id, created_at FROM player"
    )
    with op.batch_alter_table("player") as player:
        player.drop_constraint("uq_player_token_hash", type_="unique")
        player.drop_column("token_hash")
        player.add_column(sa.Column("recovery_hash", sa.String(64), nullable=True))
        player.create_unique_constraint("uq_player_recovery_hash", ["recovery_hash"])
    _move_admins()
    _count_results()
    op.drop_table("admin")


def downgrade() -> None:
    """Go back to guests with one token each and admins without a player; other accounts become guests."""
    op.create_table(
        "admin",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("password_hash", sa.String, nullable=False),
        sa.Column("session_key", sa.String(64), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_admin"),
        sa.UniqueConstraint("name", name="uq_admin_name"),
    )
    # No cookie holds this key, so that whoever was signed in signs in again.
    op.execute(
        "INSERT INTO admin (name, password_hash, session_key, created_at)"
        " SELECT name, password_hash, 'none', created_at FROM account WHERE role = 'admin' ORDER BY player_id"
    )
    with op.batch_alter_table("player") as player:
        player.drop_constraint("uq_player_recovery_hash", type_="unique")
        player.drop_column("recovery_hash")
        player.add_column(sa.Column("token_hash", sa.String(64), nullable=True))
    op.execute(
        "UPDATE player SET token_hash = coalesce((SELECT min(device.token_hash) FROM device"
        " WHERE device.player_id = player.id), 'none ' || id)"
    )
    with op.batch_alter_table("player") as player:
        player.alter_column("token_hash", existing_type=sa.String(64), nullable=False)
        player.create_unique_constraint("uq_player_token_hash", ["token_hash"])
    for table in ("rate_limit", "lease", "audit_entry", "tally", "account", "device"):
        op.drop_table(table)


def _create_tables() -> None:
    op.create_table(
        "device",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_device_player_id_player"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_device"),
    )
    op.create_index("ix_device_player_id", "device", ["player_id"])
    op.create_table(
        "account",
        sa.Column("player_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("name_key", sa.String(64), nullable=False),
        sa.Column("password_hash", sa.String, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint("role IN ('player', 'reviewer', 'admin')", name=op.f("ck_account_role")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_account_player_id_player"),
        sa.PrimaryKeyConstraint("player_id", name="pk_account"),
        sa.UniqueConstraint("name_key", name="uq_account_name_key"),
    )
    op.create_table(
        "tally",
        sa.Column("puzzle_id", sa.String(64), nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("first", "second", "third", "failed")),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_tally_puzzle_id_puzzle"),
        sa.PrimaryKeyConstraint("puzzle_id", name="pk_tally"),
    )
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("by", sa.String(64), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("reason", sa.String, nullable=True),
        sa.Column("before", sa.JSON, nullable=False),
        sa.Column("after", sa.JSON, nullable=False),
        sa.Column("undone_by", sa.Integer, nullable=True),
        sa.ForeignKeyConstraint(
            ["undone_by"], ["audit_entry.id"], name="fk_audit_entry_undone_by_audit_entry"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_audit_entry"),
        sa.UniqueConstraint("undone_by", name="uq_audit_entry_undone_by"),
    )
    op.create_index("ix_audit_entry_at", "audit_entry", ["at"])
    op.create_table(
        "lease",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("until", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_lease"),
    )
    op.create_table(
        "rate_limit",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("hits", sa.Integer, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_rate_limit"),
    )
    op.create_index("ix_rate_limit_expires_at", "rate_limit", ["expires_at"])


def _move_admins() -> None:
    # Imported here: what makes two names the same is part of what these rows mean.
    from puzzle_service.domain.names import fold

    connection = op.get_bind()
    admins = connection.execute(
        sa.text("SELECT name, password_hash, created_at FROM admin ORDER BY id")
    ).all()
    keys = {fold(admin.name) for admin in admins}
    taken: set[str] = set()
    for admin in admins:
        name = admin.name
        for number in count(2):
            # Names that case alone told apart are one now: the later admin's gets a number.
            if fold(name) not in taken and (name == admin.name or fold(name) not in keys):
                break
            name = f"{admin.name[:LONGEST_UNNUMBERED]} {number}"
        taken.add(fold(name))
        player_id = connection.scalar(
            sa.text("INSERT INTO player (created_at) VALUES (:created_at) RETURNING id"),
            {"created_at": admin.created_at},
        )
        connection.execute(
            sa.text(
                "INSERT INTO account (player_id, name, name_key, password_hash, role, created_at)"
                " VALUES (:player_id, :name, :name_key, :password_hash, 'admin', :created_at)"
            ),
            {
                "player_id": player_id,
                "name": name,
                "name_key": fold(name),
                "password_hash": admin.password_hash,
                "created_at": admin.created_at,
            },
        )


def _count_results() -> None:
    """Count the results there are: a puzzle's end is its solved attempt, or its third wrong one."""
    op.execute(
        "INSERT INTO tally (puzzle_id, first, second, third, failed)"
        " SELECT puzzle_id,"
        " sum(CASE WHEN result = 'solved' AND ordinal = 1 THEN 1 ELSE 0 END),"
        " sum(CASE WHEN result = 'solved' AND ordinal = 2 THEN 1 ELSE 0 END),"
        " sum(CASE WHEN result = 'solved' AND ordinal = 3 THEN 1 ELSE 0 END),"
        " sum(CASE WHEN result = 'wrong' AND ordinal = 3 THEN 1 ELSE 0 END)"
        " FROM attempt GROUP BY puzzle_id"
    )
