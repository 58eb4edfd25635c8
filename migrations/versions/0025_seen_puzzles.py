"""When a member last saw a puzzle: a typed move is for the puzzle that was seen last."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Apply this revision."""
    column = sa.Column("seen_at", sa.BigInteger(), nullable=False, server_default=sa.text("0"))
    op.add_column("puzzle_tries", column)
    op.execute("UPDATE puzzle_tries SET seen_at = opened_at")
