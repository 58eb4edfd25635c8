"""A table of the boards that are to be removed, so that each is written by itself."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MATCHES = sa.table("matches", sa.column("id", _KEY), sa.column("old_boards", sa.Text()))


def upgrade() -> None:
    """Apply this revision."""
    table = op.create_table(
        "old_boards",
        sa.Column("message_id", _KEY, nullable=False),
        sa.Column("match_id", _KEY, nullable=False),
        sa.PrimaryKeyConstraint("message_id"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"]),
    )
    op.create_index("ix_old_boards_match_id", "old_boards", ["match_id"])
    some = sa.select(_MATCHES).where(sa.text("old_boards <> ''"))
    of = {
        int(message_id): row.id
        for row in op.get_bind().execute(some)
        for message_id in row.old_boards.split()
    }
    rows = [{"message_id": message_id, "match_id": match_id} for message_id, match_id in of.items()]
    if rows:
        op.bulk_insert(table, rows)
    op.drop_index("ix_matches_old_boards", "matches")
    op.drop_column("matches", "old_boards")
