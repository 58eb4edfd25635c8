"""No command is noted in what it has made or changed: one process at a time carries it out."""

from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Apply this revision."""
    op.drop_index("uq_tournaments_command_id", "tournaments")
    for table in ("matches", "invitations", "tournaments"):
        op.drop_column(table, "command_id")
