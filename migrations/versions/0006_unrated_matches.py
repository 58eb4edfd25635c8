"""A column for the reason why a finished match between members isn't rated.

Older matches get the reason that follows from their row, or else the daily limit.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("matches", sa.Column("unrated", sa.String(16)))
    op.execute(_REASONS)


_REASONS = """
    UPDATE matches SET unrated = CASE
        WHEN hinted THEN 'hinted'
        WHEN undone THEN 'undone'
        WHEN LENGTH(moves) - LENGTH(REPLACE(moves, ' ', '')) < 3 THEN 'short'
        ELSE 'enough'
    END
    WHERE ended_at IS NOT NULL AND rated_as IS NULL AND COALESCE(ending, '') <> 'called_off'
    AND (SELECT COUNT(DISTINCT user_id) = COUNT(*) FROM seats WHERE match_id = matches.id)
"""
