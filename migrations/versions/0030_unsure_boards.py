"""The index of live matches without a known board also has those that changed since their board."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

_UNSHOWN = sa.text(
    "ended_at IS NULL AND put_away_at IS NULL AND "
    "(board_id IS NULL OR moved_at > ((board_id >> 22) + 1420070400000) / 1000)"
)


def upgrade() -> None:
    """Apply this revision."""
    op.drop_index("ix_matches_unshown", "matches")
    op.create_index(
        "ix_matches_unshown",
        "matches",
        ["moved_at"],
        sqlite_where=_UNSHOWN,
        postgresql_where=_UNSHOWN,
    )
