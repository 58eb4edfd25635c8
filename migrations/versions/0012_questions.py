"""A table of the messages that ask players to agree, and no ranks without a result.

Until now the seats of a match that was called off or abandoned all had rank 1. Messages that were
sent before aren't known: their buttons still work while the offer stands.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Apply this revision."""
    op.create_table(
        "questions",
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("message_id", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_questions_match_id"),
        sa.PrimaryKeyConstraint("match_id", "message_id", name="pk_questions"),
    )
    op.execute(_NO_RANKS)


_NO_RANKS = """
    UPDATE seats SET rank = NULL
    WHERE match_id IN (SELECT id FROM matches WHERE ending IN ('called_off', 'abandoned'))
"""
