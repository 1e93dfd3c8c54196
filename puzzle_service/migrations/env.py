"""Runs migrations on the connection, and in the transaction, that the caller holds."""

from alembic import context

from puzzle_service.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    # SQLite can hardly alter a table; Alembic then copies it.
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
