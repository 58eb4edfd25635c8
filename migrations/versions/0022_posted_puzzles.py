"""An index of the puzzles that were posted, by their day: a loop looks for the latest ones."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Apply this revision."""
    posted = sa.text("message_id IS NOT NULL")
    op.create_index(
        "ix_puzzles_posted", "puzzles", ["day"], sqlite_where=posted, postgresql_where=posted
    )
