"""The schema. `migrations/` creates it; a test holds the two together.

Times are Unix seconds (UTC); ids of servers, channels, messages and members are Discord snowflakes.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

# SQLite numbers rows by itself only where the key is its own INTEGER type.
_Key = BigInteger().with_variant(Integer, "sqlite")

matches = Table(
    "matches",
    metadata,
    Column("id", _Key, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("series_id", _Key, ForeignKey("matches.id")),  # null: the first of its series
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),  # JSON object of resolved options
    Column("start", Text, nullable=False),  # the first position, as the game prints it
    Column("moves", Text, nullable=False),  # notation, separated by blanks
    Column("ending", String(16)),  # a termination away from the board
    Column("ending_seat", Integer),  # who resigned
    Column("board_id", BigInteger),  # the message that shows the board
    Column("computer_due", Boolean, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("hinted", Boolean, nullable=False, server_default=false()),  # a hint was asked
)

# One live match per channel: the database's own word, also when two start at the same moment.
LIVE = Index(
    "uq_matches_live_channel",
    matches.c.channel_id,
    unique=True,
    sqlite_where=text("ended_at IS NULL"),
    postgresql_where=text("ended_at IS NULL"),
)
Index(
    "ix_matches_computer_due",
    matches.c.id,
    sqlite_where=text("computer_due"),
    postgresql_where=text("computer_due"),
)
Index("ix_matches_channel", matches.c.channel_id, matches.c.id)
Index("ix_matches_series", matches.c.series_id)
Index("ix_matches_guild_game", matches.c.guild_id, matches.c.game, matches.c.ended_at)

seats = Table(
    "seats",
    metadata,
    Column("match_id", _Key, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger),  # null: the computer
    Column("level", String(16)),  # null: a member
    Column("name", Text),
    Column("rank", Integer),  # 1 is best, equal seats share; null while the match is played
    Index("ix_seats_user", "user_id", "match_id"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", _Key, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("challenger_id", BigInteger, nullable=False),
    Column("challenger_name", Text, nullable=False),
    Column("opponent_id", BigInteger, nullable=False),
    Column("opponent_name", Text, nullable=False),
    Column("challenger_first", Boolean, nullable=False),
    Column("status", String(16), nullable=False),
    Column("message_id", BigInteger),
    Column("expires_at", BigInteger, nullable=False),
)
OPEN = Index(
    "uq_challenges_open",
    challenges.c.channel_id,
    challenges.c.challenger_id,
    unique=True,
    sqlite_where=text("status = 'open'"),
    postgresql_where=text("status = 'open'"),
)
Index(
    "ix_challenges_expiry",
    challenges.c.expires_at,
    sqlite_where=text("status = 'open'"),
    postgresql_where=text("status = 'open'"),
)

offers = Table(
    "offers",
    metadata,
    Column("match_id", _Key, ForeignKey("matches.id"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("ply", Integer, nullable=False),  # the offer stands as long as the match is at this ply
)
