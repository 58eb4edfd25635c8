"""A match counts its changes, and knows which of them its board shows."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"

_UNSHOWN = sa.text(
    "ended_at IS NULL AND put_away_at IS NULL AND (board_id IS NULL OR shown < revision)"
)


def upgrade() -> None:
    """Apply this revision."""
    for name in ("revision", "shown"):
        count = sa.Column(name, sa.Integer(), nullable=False, server_default=sa.text("0"))
        op.add_column("matches", count)
    # The matches that the index had before: their boards may not show the newest state.
    op.execute("""
        UPDATE matches SET revision = 1
        WHERE ended_at IS NULL AND put_away_at IS NULL AND
        (board_id IS NULL OR moved_at > ((board_id >> 22) + 1420070400000) / 1000)
    """)
    op.drop_index("ix_matches_unshown", "matches")
    op.create_index(
        "ix_matches_unshown",
        "matches",
        ["moved_at"],
        sqlite_where=_UNSHOWN,
        postgresql_where=_UNSHOWN,
    )
