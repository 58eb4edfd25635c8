"""The schema. `migrations/` creates it; a test holds the two together.

Times are Unix seconds (UTC); ids of servers, channels, messages and members are Discord snowflakes.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
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


def _partial(name: str, where: str, *columns: Column[Any], unique: bool = False) -> Index:
    """Return an index of the rows for which `where` holds, on either database."""
    rows = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=rows, postgresql_where=rows)


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
    Column("undone", Boolean, nullable=False, server_default=false()),  # a move was taken back
    # who left a match for more than two: seat:ply:termination, separated by blanks
    Column("withdrawals", Text, nullable=False, server_default=text("''")),
    Column("rated_as", BigInteger),  # the how-manieth rated match of its server; null: not rated
    Column("clock", Integer),  # seconds for a move; null: none
    Column("deadline", BigInteger),  # when the player to move loses; null: nobody's clock runs
    Column("due_at", BigInteger),  # when the sweeper looks next: reminder, deadline, idle
    Column("put_away_at", BigInteger),  # null: it holds its channel until it ends
)

# One live match per channel: the database's own word, also when two start at the same moment.
_LIVE = "ended_at IS NULL AND put_away_at IS NULL"
LIVE = _partial("uq_matches_live_channel", _LIVE, matches.c.channel_id, unique=True)
_partial("ix_matches_live_guild", _LIVE, matches.c.guild_id, matches.c.id)
_partial("ix_matches_due", "due_at IS NOT NULL", matches.c.due_at)
_partial("ix_matches_put_away", "put_away_at IS NOT NULL", matches.c.channel_id, matches.c.id)
_partial("ix_matches_computer_due", "computer_due", matches.c.id)
_RATED = "rated_as IS NOT NULL"
_partial("ix_matches_rated_day", _RATED, matches.c.guild_id, matches.c.ended_at)
_partial("uq_matches_rated_as", _RATED, matches.c.guild_id, matches.c.rated_as, unique=True)
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
    # in the series, before this match: a win 1, a draw 0.5
    Column("points", Float(53), nullable=False, server_default=text("0")),
    Column("rating_before", Integer),  # as it is shown; null: not rated
    Column("rating_after", Integer),
    Index("ix_seats_user", "user_id", "match_id"),
)

# A challenge, or an open table: a match that waits for its players.
invitations = Table(
    "invitations",
    metadata,
    Column("id", _Key, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("owner_id", BigInteger, nullable=False),
    Column("owner_name", Text, nullable=False),
    Column("fill_level", String(16)),  # how the computer fills open seats; null: a challenge
    Column("status", String(16), nullable=False),
    Column("message_id", BigInteger),
    Column("expires_at", BigInteger, nullable=False),
    Column("clock", Integer),  # of the match that is offered, in seconds
    Column("revision", Integer, nullable=False),  # how many times it was changed
)
OPEN = _partial(
    "uq_invitations_open",
    "status = 'open'",
    invitations.c.channel_id,
    invitations.c.owner_id,
    unique=True,
)
_partial("ix_invitations_expiry", "status = 'open'", invitations.c.expires_at)

# Neither a user nor a level: the seat is open.
invitation_seats = Table(
    "invitation_seats",
    metadata,
    Column("invitation_id", _Key, ForeignKey("invitations.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger),
    Column("name", Text),
    Column("agreed", Boolean, nullable=False),  # false: the member is still asked
    Column("level", String(16)),  # of the computer
    Index("ix_invitation_seats_user", "user_id"),
)

offers = Table(
    "offers",
    metadata,
    Column("match_id", _Key, ForeignKey("matches.id"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("ply", Integer, nullable=False),  # the offer stands as long as the match is at this ply
    Column("agreeing", Boolean, nullable=False, server_default=false()),  # to another seat's offer
)
