"""A column for the time of a match's last move.

For matches in play the time is an estimate. A match against the computer is archived a week after
the hour of its last move, so that hour is known; any other match gets the time at which it began.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column(
        "matches",
        sa.Column("moved_at", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
    )
    op.execute(_FILL)


_FILL = """
    UPDATE matches SET moved_at = CASE
        WHEN ended_at IS NOT NULL THEN ended_at
        WHEN deadline IS NULL AND due_at IS NOT NULL THEN due_at - 7 * 86400
        ELSE started_at
    END
"""
