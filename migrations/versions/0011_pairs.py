"""Columns for matches that are rated in pairs, and for provisional ratings.

Older matches were rated by themselves. Whether their ratings were provisional stays unknown until
`rerate` works them out anew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("matches", sa.Column("paired_with", sa.BigInteger()))
    op.add_column("seats", sa.Column("provisional", sa.Boolean()))
