"""An index of the matches of guests that haven't ended, also of those that were put away."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    """Apply this revision."""
    unended = sa.text("ended_at IS NULL AND guest_of IS NOT NULL")
    op.create_index(
        "ix_matches_guests",
        "matches",
        ["guest_of", "id"],
        sqlite_where=unended,
        postgresql_where=unended,
    )
    op.drop_index("ix_matches_live_guests", "matches")
