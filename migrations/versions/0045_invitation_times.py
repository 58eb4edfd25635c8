"""An invitation has the time at which it was made."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Apply this revision."""
    created = sa.Column("created_at", sa.BigInteger(), nullable=False, server_default=sa.text("0"))
    op.add_column("invitations", created)
