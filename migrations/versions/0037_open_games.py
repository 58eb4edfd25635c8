"""An index of the games of tournaments that aren't over: a loop looks at them all the time."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Apply this revision."""
    unfinished = sa.text("points_first IS NULL")
    op.create_index(
        "ix_tournament_games_open",
        "tournament_games",
        ["tournament_id"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )
