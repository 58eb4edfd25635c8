"""The boards of a match that are to be removed, and an index of the matches that have some."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_SOME = sa.text("old_boards <> ''")


def upgrade() -> None:
    """Apply this revision."""
    column = sa.Column("old_boards", sa.Text(), nullable=False, server_default=sa.text("''"))
    op.add_column("matches", column)
    op.create_index(
        "ix_matches_old_boards",
        "matches",
        ["id"],
        sqlite_where=_SOME,
        postgresql_where=_SOME,
    )
