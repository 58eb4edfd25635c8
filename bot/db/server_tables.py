"""The rest of the schema: what a server has beside its matches (`bot.db.tables`)."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    String,
    Table,
    Text,
    text,
    true,
)

from bot.db.tables import metadata as metadata

ratings = Table(
    "ratings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("mu", Float(53), nullable=False),
    Column("sigma", Float(53), nullable=False),
)

# What rated matches add up to. It all follows from the matches (`bot.ratings.ledger` does it).
standings = Table(
    "standings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("game", String(32), primary_key=True),  # empty: all games
    Column("period", String(8), primary_key=True),  # empty: all time; 2026-11; 2026-W47
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("rating", Integer),  # as it is shown, after the period's last match; null: all games
    Column("ranked", Boolean, nullable=False),  # by rating: enough matches
    Column("present", Boolean, nullable=False),  # still a member of the server, as far as known
)
_LIST = (standings.c.guild_id, standings.c.game, standings.c.period, standings.c.present)
Index(
    "ix_standings_by_rating",
    *_LIST,
    standings.c.ranked,
    standings.c.rating,
    standings.c.user_id,
)
Index("ix_standings_by_wins", *_LIST, standings.c.wins, standings.c.user_id)

members = Table(
    "members",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),  # as they were last called
    Column("present", Boolean, nullable=False),
)

guilds = Table(
    "guilds",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("removed_at", BigInteger),  # when the bot was removed; null: it is there
)

# What a server's moderators have chosen; a server without a row has the defaults.
guild_settings = Table(
    "guild_settings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    # ids separated by blanks; empty: everywhere
    Column("channels", Text, nullable=False, server_default=text("''")),
    # seconds for a move, unless told; null: none
    Column("clock", Integer, server_default=text("86400")),
    Column("challenge_seconds", Integer),  # null: as the host has set it
    Column("boards_stay", Boolean, nullable=False, server_default=true()),
)
