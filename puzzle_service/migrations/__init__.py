"""Alembic migrations; `dama-daily db upgrade` runs them."""
