"""Members choose whether others may challenge them."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    """Apply this revision."""
    op.create_table(
        "member_challenges",
        sa.Column("user_id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("challengers", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_member_challenges"),
    )
