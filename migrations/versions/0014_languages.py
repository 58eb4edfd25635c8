"""Columns for the language of a server, and for the locale of a channel as Discord has it."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Apply this revision."""
    for table, column in (
        ("guild_settings", "language"),
        ("matches", "locale"),
        ("invitations", "locale"),
    ):
        op.add_column(table, sa.Column(column, sa.String(16), nullable=True))
