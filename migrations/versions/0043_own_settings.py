"""A member's own settings are one row."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"

_CHOICES = """
    SELECT user_id, max(board) AS board, max(shown) AS shown, max(challengers) AS challengers FROM (
        SELECT user_id, board, NULL AS shown, NULL AS challengers FROM member_settings
        UNION ALL SELECT user_id, NULL, shown, NULL FROM member_everywhere
        UNION ALL SELECT user_id, NULL, NULL, challengers FROM member_challenges
    ) AS chosen GROUP BY user_id
"""


def upgrade() -> None:
    """Apply this revision."""
    rows = [dict(row) for row in op.get_bind().execute(sa.text(_CHOICES)).mappings()]
    for name in ("member_settings", "member_everywhere", "member_challenges"):
        op.drop_table(name)
    member_settings = op.create_table(
        "member_settings",
        sa.Column("user_id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("board", sa.String(16)),
        sa.Column("shown", sa.String(16)),
        sa.Column("challengers", sa.String(16)),
        sa.PrimaryKeyConstraint("user_id", name="pk_member_settings"),
    )
    op.bulk_insert(member_settings, rows)
