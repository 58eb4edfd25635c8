"""Clocks, due times, archived matches, and the settings of a server's moderators.

Live matches get no clock. Those against the computer are archived a week from now, unless somebody
plays on.
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_IDLE_SECONDS = 7 * 86_400
_LIVE = "ended_at IS NULL AND put_away_at IS NULL"


def upgrade() -> None:
    """Apply this revision."""
    op.add_column("matches", sa.Column("clock", sa.Integer))
    for name in ("deadline", "due_at", "put_away_at"):
        op.add_column("matches", sa.Column(name, sa.BigInteger))
    op.add_column("challenges", sa.Column("clock", sa.Integer))
    op.drop_index("uq_matches_live_channel", table_name="matches")
    _partial("uq_matches_live_channel", ["channel_id"], _LIVE, unique=True)
    _partial("ix_matches_live_guild", ["guild_id", "id"], _LIVE)
    _partial("ix_matches_due", ["due_at"], "due_at IS NOT NULL")
    _partial("ix_matches_put_away", ["channel_id", "id"], "put_away_at IS NOT NULL")
    op.create_table(
        "guild_settings",
        sa.Column("guild_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("channels", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("clock", sa.Integer, server_default=sa.text("86400")),
        sa.Column("challenge_seconds", sa.Integer),
        sa.Column("boards_stay", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.PrimaryKeyConstraint("guild_id", name="pk_guild_settings"),
    )
    op.get_bind().execute(sa.text(_IDLE_FROM_NOW), {"due": int(time.time()) + _IDLE_SECONDS})


_IDLE_FROM_NOW = """
    UPDATE matches SET due_at = :due WHERE ended_at IS NULL
    AND (SELECT COUNT(DISTINCT user_id) FROM seats WHERE match_id = matches.id) < 2
"""


def _partial(name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    chosen = sa.text(where)
    op.create_index(
        name, "matches", columns, unique=unique, sqlite_where=chosen, postgresql_where=chosen
    )
