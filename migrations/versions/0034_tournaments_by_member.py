"""Indexes of tournaments and of their notes by member, which exports and erasures look for."""

from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Apply this revision."""
    op.create_index("ix_tournaments_organiser_id", "tournaments", ["organiser_id"])
    op.create_index("ix_tournament_notes_user_id", "tournament_notes", ["user_id"])
