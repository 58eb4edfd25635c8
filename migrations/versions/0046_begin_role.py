"""A server may want a role of members who begin matches."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("guild_settings", sa.Column("begin_role", sa.BigInteger(), nullable=True))
