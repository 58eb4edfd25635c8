"""A column for when the bot joined a server, so that it is welcomed once for each joining."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("guilds", sa.Column("joined_at", sa.BigInteger(), nullable=True))
