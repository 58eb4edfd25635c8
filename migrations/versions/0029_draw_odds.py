"""The seat of a match for which a draw counts as a win in its tournament."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("matches", sa.Column("draw_wins", sa.Integer(), nullable=True))
