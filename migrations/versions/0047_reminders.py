"""Reminders are removed with their boards, also after a restart."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("old_boards", sa.Column("of_revision", sa.Integer(), nullable=True))
