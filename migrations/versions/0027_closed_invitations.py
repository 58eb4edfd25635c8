"""Which closed invitations still have to lose their buttons."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

_UNCHANGED = sa.text("pressable AND message_id IS NOT NULL AND status NOT IN ('open', 'begun')")


def upgrade() -> None:
    """Apply this revision; invitations that are closed already count as without buttons."""
    op.add_column(
        "invitations",
        sa.Column("pressable", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.execute("UPDATE invitations SET pressable = false WHERE status <> 'open'")
    op.create_index(
        "ix_invitations_unchanged",
        "invitations",
        ["id"],
        sqlite_where=_UNCHANGED,
        postgresql_where=_UNCHANGED,
    )
