"""The schema of version 1.0.0, the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Apply this revision."""
    _matches()
    _seats()
    _offers()
    _invitations()
    _ratings()
    _servers()


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
        sa.Column("hinted", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("undone", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("withdrawals", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("rated_as", sa.BigInteger),
        sa.Column("clock", sa.Integer),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("due_at", sa.BigInteger),
        sa.Column("put_away_at", sa.BigInteger),
        sa.Column("unrated", sa.String(16)),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.ForeignKeyConstraint(["series_id"], ["matches.id"], name="fk_matches_series_id"),
    )
    live = "ended_at IS NULL AND put_away_at IS NULL"
    _partial("uq_matches_live_channel", "matches", ["channel_id"], live, unique=True)
    _partial("ix_matches_live_guild", "matches", ["guild_id", "id"], live)
    _partial("ix_matches_due", "matches", ["due_at"], "due_at IS NOT NULL")
    _partial("ix_matches_put_away", "matches", ["channel_id", "id"], "put_away_at IS NOT NULL")
    _partial("ix_matches_computer_due", "matches", ["id"], "computer_due")
    rated = "rated_as IS NOT NULL"
    _partial("ix_matches_rated_day", "matches", ["guild_id", "ended_at"], rated)
    _partial("uq_matches_rated_as", "matches", ["guild_id", "rated_as"], rated, unique=True)
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
        sa.Column("points", sa.Float(53), nullable=False, server_default=sa.text("0")),
        sa.Column("rating_before", sa.Integer),
        sa.Column("rating_after", sa.Integer),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seats_match_id"),
    )
    op.create_index("ix_seats_user", "seats", ["user_id", "match_id"])


def _offers() -> None:
    op.create_table(
        "offers",
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("agreeing", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("match_id", "kind", "seat", name="pk_offers"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_offers_match_id"),
    )


def _invitations() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("owner_id", sa.BigInteger, nullable=False),
        sa.Column("owner_name", sa.Text, nullable=False),
        sa.Column("fill_level", sa.String(16)),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("clock", sa.Integer),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_invitations"),
    )
    is_open, owner = "status = 'open'", ["channel_id", "owner_id"]
    _partial("uq_invitations_open", "invitations", owner, is_open, unique=True)
    _partial("ix_invitations_expiry", "invitations", ["expires_at"], is_open)
    op.create_table(
        "invitation_seats",
        sa.Column("invitation_id", _KEY, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("name", sa.Text),
        sa.Column("agreed", sa.Boolean, nullable=False),
        sa.Column("level", sa.String(16)),
        sa.ForeignKeyConstraint(
            ["invitation_id"], ["invitations.id"], name="fk_invitation_seats_invitation_id"
        ),
        sa.PrimaryKeyConstraint("invitation_id", "seat", name="pk_invitation_seats"),
    )
    op.create_index("ix_invitation_seats_user", "invitation_seats", ["user_id"])


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "game", name="pk_ratings"),
    )
    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("period", sa.String(8), nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.Column("rating", sa.Integer),
        sa.Column("ranked", sa.Boolean, nullable=False),
        sa.Column("present", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "game", "period", name="pk_standings"),
    )
    one_list = ["guild_id", "game", "period", "present"]
    by_rating = [*one_list, "ranked", "rating", "user_id"]
    op.create_index("ix_standings_by_rating", "standings", by_rating)
    op.create_index("ix_standings_by_wins", "standings", [*one_list, "wins", "user_id"])


def _servers() -> None:
    op.create_table(
        "members",
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("present", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_members"),
    )
    op.create_table(
        "guilds",
        sa.Column("id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("removed_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_guilds"),
    )
    op.create_table(
        "guild_settings",
        sa.Column("guild_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("channels", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("clock", sa.Integer, server_default=sa.text("86400")),
        sa.Column("challenge_seconds", sa.Integer),
        sa.Column("boards_stay", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.PrimaryKeyConstraint("guild_id", name="pk_guild_settings"),
    )


def _partial(
    name: str, table: str, columns: list[str], where: str, *, unique: bool = False
) -> None:
    rows = sa.text(where)
    op.create_index(name, table, columns, unique=unique, sqlite_where=rows, postgresql_where=rows)
