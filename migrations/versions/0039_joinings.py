"""Servers lose the moment at which the bot joined them: a new server is known by its event."""

from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Apply this revision."""
    op.drop_column("guilds", "joined_at")
