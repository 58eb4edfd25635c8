"""The number of a puzzle's solvers, and an index of puzzles whose posts tell another number."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Apply this revision."""
    solvers = sa.Column("solvers", sa.Integer(), nullable=False, server_default=sa.text("0"))
    op.add_column("puzzles", solvers)
    op.execute("""
        UPDATE puzzles SET solvers =
        (SELECT COUNT(*) FROM puzzle_tries WHERE puzzle_id = puzzles.id AND solved)
        WHERE id IN (SELECT puzzle_id FROM puzzle_tries WHERE solved)
    """)
    op.drop_index("ix_puzzles_posted", "puzzles")
    untold = sa.text("message_id IS NOT NULL AND told != solvers")
    op.create_index(
        "ix_puzzles_untold", "puzzles", ["day"], sqlite_where=untold, postgresql_where=untold
    )
