"""The first schema: matches and their seats, challenges, offers."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Apply this revision."""
    _matches()
    _seats()
    _challenges()
    _offers()


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("series_id", _KEY),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("ending", sa.String(16)),
        sa.Column("ending_seat", sa.Integer),
        sa.Column("board_id", sa.BigInteger),
        sa.Column("computer_due", sa.Boolean, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.ForeignKeyConstraint(["series_id"], ["matches.id"], name="fk_matches_series_id"),
    )
    _partial("uq_matches_live_channel", "matches", ["channel_id"], "ended_at IS NULL", unique=True)
    _partial("ix_matches_computer_due", "matches", ["id"], "computer_due")
    op.create_index("ix_matches_channel", "matches", ["channel_id", "id"])
    op.create_index("ix_matches_series", "matches", ["series_id"])
    op.create_index("ix_matches_guild_game", "matches", ["guild_id", "game", "ended_at"])


def _seats() -> None:
    op.create_table(
        "seats",
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("level", sa.String(16)),
        sa.Column("name", sa.Text),
        sa.Column("rank", sa.Integer),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seats_match_id"),
    )
    op.create_index("ix_seats_user", "seats", ["user_id", "match_id"])


def _challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("challenger_id", sa.BigInteger, nullable=False),
        sa.Column("challenger_name", sa.Text, nullable=False),
        sa.Column("opponent_id", sa.BigInteger, nullable=False),
        sa.Column("opponent_name", sa.Text, nullable=False),
        sa.Column("challenger_first", sa.Boolean, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    open_only = "status = 'open'"
    one_each = ["channel_id", "challenger_id"]
    _partial("uq_challenges_open", "challenges", one_each, open_only, unique=True)
    _partial("ix_challenges_expiry", "challenges", ["expires_at"], open_only)


def _offers() -> None:
    op.create_table(
        "offers",
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "kind", "seat", name="pk_offers"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_offers_match_id"),
    )


def _partial(
    name: str, table: str, columns: list[str], where: str, *, unique: bool = False
) -> None:
    op.create_index(
        name,
        table,
        columns,
        unique=unique,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )
