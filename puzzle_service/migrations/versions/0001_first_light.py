"""The first tables: puzzles, publications, players, attempts, admins."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables."""
    _create_puzzles()
    _create_publications()
    _create_players()
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


def downgrade() -> None:
    """Drop the tables, those that refer to others first."""
    for table in ("admin", "move_request", "attempt", "player", "amendment", "publication", "puzzle"):
        op.drop_table(table)


def _create_puzzles() -> None:
    op.create_table(
        "puzzle",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("fen", sa.String(200), nullable=False),
        sa.Column("previous_fen", sa.String(200), nullable=False),
        sa.Column("previous_move", sa.String(64), nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("proof", sa.JSON, nullable=False),
        sa.Column("first_moves", sa.Integer, nullable=False),
        sa.Column("difficulty", sa.Double, nullable=False),
        sa.Column("themes", sa.JSON, nullable=False),
        sa.Column("source", sa.String(64), nullable=False),
        sa.Column("generator", sa.String(64), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("reason", sa.String, nullable=True),
        sa.Column("day", sa.Date, nullable=True),
        sa.Column("imported_at", INSTANT, nullable=False),
        sa.Column("reviewed_at", INSTANT, nullable=True),
        sa.Column("reviewed_by", sa.String(64), nullable=True),
        sa.CheckConstraint("day IS NULL OR status = 'approved'", name=op.f("ck_puzzle_day")),
        sa.CheckConstraint(
            "status IN ('candidate', 'approved', 'published', 'rejected', 'withdrawn')",
            name=op.f("ck_puzzle_status"),
        ),
        sa.PrimaryKeyConstraint("id", name="pk_puzzle"),
        sa.UniqueConstraint("day", name="uq_puzzle_day"),
    )
    op.create_index("ix_puzzle_status", "puzzle", ["status"])


def _create_publications() -> None:
    op.create_table(
        "publication",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.String(64), nullable=False),
        sa.Column("swapped", sa.Boolean, nullable=False),
        sa.Column("published_at", INSTANT, nullable=False),
        sa.Column("alarm", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_publication_puzzle_id_puzzle"),
        sa.PrimaryKeyConstraint("day", name="pk_publication"),
        sa.UniqueConstraint("number", name="uq_publication_number"),
        sa.UniqueConstraint("puzzle_id", name="uq_publication_puzzle_id"),
    )
    op.create_table(
        "amendment",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("puzzle_id", sa.String(64), nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("made_by", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["day"], ["publication.day"], name="fk_amendment_day_publication"),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_amendment_puzzle_id_puzzle"),
        sa.PrimaryKeyConstraint("id", name="pk_amendment"),
        sa.UniqueConstraint("puzzle_id", name="uq_amendment_puzzle_id"),
    )
    op.create_index("ix_amendment_day", "amendment", ["day"])


def _create_players() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
        sa.UniqueConstraint("token_hash", name="uq_player_token_hash"),
    )
    op.create_table(
        "attempt",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.String(64), nullable=False),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("plies", sa.JSON, nullable=False),
        sa.Column("slow", sa.Integer, nullable=False),
        sa.Column("result", sa.String(8), nullable=True),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT, nullable=True),
        sa.CheckConstraint("ordinal BETWEEN 1 AND 3", name=op.f("ck_attempt_ordinal")),
        sa.CheckConstraint("result IS NULL OR result IN ('solved', 'wrong')", name=op.f("ck_attempt_result")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_attempt_player_id_player"),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_attempt_puzzle_id_puzzle"),
        sa.PrimaryKeyConstraint("player_id", "puzzle_id", "ordinal", name="pk_attempt"),
    )
    op.create_index("ix_attempt_puzzle_id", "attempt", ["puzzle_id"])
    op.create_table(
        "move_request",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("request_id", sa.String(64), nullable=False),
        sa.Column("puzzle_id", sa.String(64), nullable=False),
        sa.Column("response", sa.JSON, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_move_request_player_id_player"),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_move_request_puzzle_id_puzzle"),
        sa.PrimaryKeyConstraint("player_id", "request_id", name="pk_move_request"),
    )
    op.create_index("ix_move_request_created_at", "move_request", ["created_at"])
