"""An index of the live matches of guests, which the list of a server's live matches has, too."""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"


def upgrade() -> None:
    """Apply this revision."""
    live = sa.text("ended_at IS NULL AND put_away_at IS NULL AND guest_of IS NOT NULL")
    op.create_index(
        "ix_matches_live_guests",
        "matches",
        ["guest_of", "id"],
        sqlite_where=live,
        postgresql_where=live,
    )
