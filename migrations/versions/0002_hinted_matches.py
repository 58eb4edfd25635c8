"""Matches in which a hint was asked: their results don't count."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply this revision."""
    # A table with rows takes no column that is never null, unless it has a default.
    op.add_column(
        "matches", sa.Column("hinted", sa.Boolean, nullable=False, server_default=sa.false())
    )
