"""A column for matches in which a player asked for a hint; they aren't rated."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply this revision."""
    # A table with rows takes a new column that is NOT NULL only with a default.
    op.add_column(
        "matches", sa.Column("hinted", sa.Boolean, nullable=False, server_default=sa.false())
    )
