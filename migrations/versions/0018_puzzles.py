"""Puzzles, the tries of members, and what servers have set for the puzzle of the day."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply this revision."""
    op.create_table(
        "puzzle_servers",
        sa.Column("guild_id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("hour", sa.Integer(), nullable=True),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("asked_at", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.Column("searched_to", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("guild_id", name="pk_puzzle_servers"),
    )
    due = sa.text("due_at IS NOT NULL")
    op.create_index(
        "ix_puzzle_servers_due",
        "puzzle_servers",
        ["due_at"],
        sqlite_where=due,
        postgresql_where=due,
    )
    op.create_table(
        "puzzles",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("difficulty", sa.String(16), nullable=False),
        sa.Column("start", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("match_id", _KEY, nullable=True),
        sa.Column("given_at", sa.BigInteger(), nullable=True),
        sa.Column("day", sa.Integer(), nullable=True),
        sa.Column("posting_at", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("told", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("id", name="pk_puzzles"),
    )
    op.create_index("ix_puzzles_guild", "puzzles", ["guild_id", "given_at"])
    of_day = sa.text("day IS NOT NULL")
    op.create_index(
        "uq_puzzles_day",
        "puzzles",
        ["guild_id", "day"],
        unique=True,
        sqlite_where=of_day,
        postgresql_where=of_day,
    )
    op.create_table(
        "puzzle_tries",
        sa.Column("puzzle_id", _KEY, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("missed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("solved", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("day", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzles.id"], name="fk_puzzle_tries_puzzle_id"),
        sa.PrimaryKeyConstraint("puzzle_id", "user_id", name="pk_puzzle_tries"),
    )
    op.create_index("ix_puzzle_tries_member", "puzzle_tries", ["guild_id", "user_id"])
    op.create_index("ix_puzzle_tries_user", "puzzle_tries", ["user_id"])
