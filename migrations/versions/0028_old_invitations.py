"""An index of closed invitations by their time, by which the old ones are erased."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

_CLOSED = sa.text("status != 'open'")


def upgrade() -> None:
    """Apply this revision."""
    op.create_index(
        "ix_invitations_closed",
        "invitations",
        ["expires_at"],
        sqlite_where=_CLOSED,
        postgresql_where=_CLOSED,
    )
