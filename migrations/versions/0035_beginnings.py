"""A tournament and an invitation know the command that made them."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Apply this revision."""
    for table in ("invitations", "tournaments"):
        op.add_column(table, sa.Column("command_id", sa.BigInteger(), nullable=True))
    op.create_index("uq_tournaments_command_id", "tournaments", ["command_id"], unique=True)
