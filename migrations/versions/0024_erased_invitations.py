"""Indexes of invitations by their owner and by their server, which erasures look for."""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Apply this revision."""
    op.create_index("ix_invitations_guild_id", "invitations", ["guild_id"])
    op.create_index("ix_invitations_owner_id", "invitations", ["owner_id"])
