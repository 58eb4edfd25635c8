"""Which of the matches that ended in one second have been searched for puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Apply this revision."""
    column = sa.Column("searched_id", sa.BigInteger(), nullable=False, server_default=sa.text("0"))
    op.add_column("puzzle_servers", column)
