"""A match between members without a clock is archived after 30 days without a move."""

from alembic import op

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    """Apply this revision."""
    op.execute(_FILL)


# As for a match that begins: rounded up to the full hour.
_FILL = """
    UPDATE matches SET due_at = (moved_at / 3600 + 1) * 3600 + 30 * 86400
    WHERE ended_at IS NULL AND put_away_at IS NULL AND tournament_id IS NULL
        AND clock IS NULL AND deadline IS NULL AND due_at IS NULL
"""
