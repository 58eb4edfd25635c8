"""Achievements, the end of a season, roles for results, and the leaderboard of all servers.

Matches that ended before are looked at for achievements too, a few at a time.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_ID = sa.BigInteger()


def upgrade() -> None:
    """Apply this revision."""
    _flag("matches", "honoured")
    unhonoured = sa.text("ended_at IS NOT NULL AND guild_id != 0 AND NOT honoured")
    op.create_index(
        "ix_matches_unhonoured",
        "matches",
        ["id"],
        sqlite_where=unhonoured,
        postgresql_where=unhonoured,
    )
    op.add_column("guild_settings", sa.Column("season_channel", _ID, nullable=True))
    op.add_column("guild_settings", sa.Column("season_told", sa.String(8), nullable=True))
    _flag("guild_settings", "tells_achievements")
    _flag("guild_settings", "everywhere")
    op.create_table(
        "member_everywhere",
        sa.Column("user_id", _ID, nullable=False, autoincrement=False),
        sa.Column("shown", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_member_everywhere"),
    )
    op.create_table(
        "achievements",
        sa.Column("guild_id", _ID, nullable=False),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("achievement", sa.String(16), nullable=False),
        sa.Column("match_id", _ID, nullable=False),
        sa.Column("earned_at", _ID, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "achievement", name="pk_achievements"),
    )
    op.create_table(
        "honour_roles",
        sa.Column("guild_id", _ID, nullable=False),
        sa.Column("role_id", _ID, nullable=False),
        sa.Column("rating", sa.Integer(), nullable=True),
        sa.Column("trouble", sa.String(16), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "role_id", name="pk_honour_roles"),
    )
    op.create_table(
        "given_roles",
        sa.Column("guild_id", _ID, nullable=False),
        sa.Column("role_id", _ID, nullable=False),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "role_id", "user_id", name="pk_given_roles"),
    )
    op.create_index("ix_given_roles_user", "given_roles", ["user_id"])


def _flag(table: str, name: str) -> None:
    op.add_column(table, sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
