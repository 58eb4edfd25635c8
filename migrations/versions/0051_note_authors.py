"""Who has taken a player out of a tournament."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("tournament_notes", sa.Column("by_id", sa.BigInteger(), nullable=True))
    op.add_column("tournament_notes", sa.Column("by_name", sa.Text(), nullable=True))
    op.create_index("ix_tournament_notes_by_id", "tournament_notes", ["by_id"])
