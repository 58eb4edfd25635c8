"""Ratings on another scale, without the points for certainty; lists have the settled ones first.

The start that applies this works out all ratings, standings and changes of seats anew, by
`bot.ratings.rerate.rerate_if_due`: they follow from the rated matches.
"""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"

_LIST = ("guild_id", "game", "period", "present", "settled", "rating", "user_id")


def upgrade() -> None:
    """Apply this revision."""
    if op.get_bind().dialect.name == "postgresql":
        # A match that ends meanwhile in a process of an earlier version is counted afterwards. If
        # this lock were taken after that of the table, each could wait for the other.
        op.execute("SELECT pg_advisory_xact_lock(hashtextextended('counting matches', 0))")
    op.add_column(
        "standings", sa.Column("settled", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.drop_index("ix_standings_by_rating", "standings")
    op.create_index("ix_standings_by_rating", "standings", [*_LIST])
    op.execute(
        "INSERT INTO facts (name, value) SELECT 'ratings', 'due'"
        " WHERE EXISTS (SELECT 1 FROM matches WHERE rated_as IS NOT NULL)"
    )
