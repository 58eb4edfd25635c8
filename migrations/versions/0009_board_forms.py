"""How members and servers want boards: as emoji, as a picture, or in words."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Apply this revision."""
    op.create_table(
        "member_settings",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("board", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_member_settings"),
    )
    op.add_column("guild_settings", sa.Column("boards", sa.String(16), nullable=True))
