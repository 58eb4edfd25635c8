"""When a member with a role had joined the server: members who joined later lost it by leaving."""

from time import time

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("given_roles", sa.Column("joined_at", sa.BigInteger(), nullable=True))
    # Members joined by now. Who left after getting the role and has come back isn't known.
    confirmed = sa.text("UPDATE given_roles SET joined_at = :now WHERE held")
    op.execute(confirmed.bindparams(now=int(time())))
    op.drop_column("given_roles", "held")
