"""Columns for where matches and invitations are, since they can be elsewhere than on servers.

Matches and invitations of earlier versions are all on servers.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Apply this revision."""
    for table in ("matches", "invitations"):
        op.add_column(
            table,
            sa.Column("context", sa.String(16), nullable=False, server_default=sa.text("'server'")),
        )
        op.add_column(table, sa.Column("guest_of", sa.BigInteger(), nullable=True))
