"""An index of a channel's matches by their end: an older match can end after a newer one."""

from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Apply this revision."""
    columns = ["channel_id", "ended_at", "id"]
    op.create_index("ix_matches_channel_ended", "matches", columns)
    op.drop_index("ix_matches_channel", "matches")
