"""Columns for the message that shares a finished match with its channel."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Apply this revision."""
    for name in ("shared_at", "shared_id"):
        op.add_column("matches", sa.Column(name, sa.BigInteger(), nullable=True))
