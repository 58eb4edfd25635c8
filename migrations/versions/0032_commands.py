"""A match knows the last command that changed it."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("matches", sa.Column("command_id", sa.BigInteger(), nullable=True))
