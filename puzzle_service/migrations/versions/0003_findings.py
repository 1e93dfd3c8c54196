"""What a generator found out about each puzzle, and its runs that are started from the site."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

INSTANT = sa.DateTime(timezone=True)
NOTHING_FOUND: dict[str, object] = {"features": {}, "tries": {}, "checks": {}, "skeleton": "", "game": None}


def upgrade() -> None:
    """Give each puzzle a score and findings, which nobody knows of those there are, and make the runs."""
    with op.batch_alter_table("puzzle") as puzzle:
        puzzle.add_column(sa.Column("score", sa.Double, nullable=True))
        puzzle.add_column(sa.Column("findings", sa.JSON, nullable=True))
    present = sa.table("puzzle", sa.column("score", sa.Double), sa.column("findings", sa.JSON))
    op.execute(present.update().values(score=0.0, findings=NOTHING_FOUND))
    with op.batch_alter_table("puzzle") as puzzle:
        puzzle.alter_column("score", existing_type=sa.Double, nullable=False)
        puzzle.alter_column("findings", existing_type=sa.JSON, nullable=False)
    op.create_table(
        "generation",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("entry_id", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT, nullable=True),
        sa.Column("stop_asked", sa.Boolean, nullable=False),
        sa.Column("accepted", sa.Integer, nullable=False),
        sa.Column("checked", sa.Integer, nullable=False),
        sa.Column("added", sa.Integer, nullable=False),
        sa.Column("lines", sa.JSON, nullable=False),
        sa.Column("result", sa.String(16), nullable=True),
        sa.Column("error", sa.String, nullable=True),
        sa.CheckConstraint("result IN ('done', 'stopped', 'failed')", name=op.f("ck_generation_result")),
        sa.CheckConstraint("(result IS NULL) = (ended_at IS NULL)", name=op.f("ck_generation_ended_at")),
        sa.ForeignKeyConstraint(["entry_id"], ["audit_entry.id"], name="fk_generation_entry_id_audit_entry"),
        sa.PrimaryKeyConstraint("id", name="pk_generation"),
    )


def downgrade() -> None:
    """Forget the runs, and what was found out; the log no longer knows that kind of entry."""
    op.drop_table("generation")
    op.execute("DELETE FROM audit_entry WHERE action = 'generate'")
    with op.batch_alter_table("puzzle") as puzzle:
        puzzle.drop_column("findings")
        puzzle.drop_column("score")
