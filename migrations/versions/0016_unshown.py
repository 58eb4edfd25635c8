"""An index of the live matches without any board, which every start asks for."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_UNSHOWN = sa.text("ended_at IS NULL AND put_away_at IS NULL AND board_id IS NULL")


def upgrade() -> None:
    """Apply this revision."""
    op.create_index(
        "ix_matches_unshown",
        "matches",
        ["moved_at"],
        sqlite_where=_UNSHOWN,
        postgresql_where=_UNSHOWN,
    )
