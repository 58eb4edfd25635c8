"""An index of members on all servers: the leaderboard of all servers asks for a hundred."""

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Apply this revision."""
    op.create_index("ix_members_user", "members", ["user_id"])
