"""Lists by rating have every member with a rated match."""

from alembic import op

revision = "0044"
down_revision = "0043"

_LIST = ("guild_id", "game", "period", "present", "rating", "user_id")


def upgrade() -> None:
    """Apply this revision."""
    op.drop_index("ix_standings_by_rating", "standings")
    op.drop_column("standings", "ranked")
    op.create_index("ix_standings_by_rating", "standings", [*_LIST])
