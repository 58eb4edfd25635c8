"""The schema: every table with the Python type of each column. `migrations/` builds it.

A statement takes the types of its rows from here: `select(seats.c.user_id, seats.c.rank)` yields
rows of `int | None, int | None`. A column is NOT NULL unless its type has None.

Times are Unix seconds (UTC). Servers (guilds), channels, messages and members have the ids that
Discord gave them.
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
    Named,
    String,
    Table,
    Text,
    TypedColumns,
    false,
    text,
    true,
)
from sqlalchemy.types import TypeEngine

from bot.db.people import INTERNAL, Erasing, of_member
from bot.identity import (
    ChannelId,
    InvitationId,
    MatchId,
    MemberId,
    MessageId,
    OfferId,
    PuzzleId,
    RoleId,
    ServerId,
    TournamentId,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

# The type of an id; Any, because the column's annotation says whose id it is.
_Id: TypeEngine[Any] = BigInteger()
# The type of an id that the database assigns: SQLite does so for its own INTEGER type only. With
# `sqlite_autoincrement` it never gives an id twice, as PostgreSQL never does. Otherwise a button of
# an old message, which carries the id of an erased row, would act on another row.
_Key: TypeEngine[Any] = BigInteger().with_variant(Integer, "sqlite")


def _partial(name: str, where: str, *columns: Column[Any], unique: bool = False) -> Index:
    """Return an index of the rows for which `where` holds, on either database.

    SQLite uses the index only for statements with the same words as `where`, so stores take these
    from here.
    """
    rows = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=rows, postgresql_where=rows)


# Matches


class _Match(TypedColumns):
    id: Named[MatchId] = Column(_Key, primary_key=True)
    guild_id: Named[ServerId] = Column(_Id)  # 0: elsewhere than on a server that has the bot
    channel_id: Named[ChannelId] = Column(_Id)
    # the first match of the series; null: this is the first
    series_id: Named[MatchId | None] = Column(_Key, ForeignKey("matches.id"))
    game: Named[str] = Column(String(32))  # the game's key
    options: Named[str] = Column(Text)  # a JSON object of resolved options
    start: Named[str] = Column(Text)  # the start position, as the game prints it
    moves: Named[str] = Column(Text)  # in notation, separated by blanks
    ending: Named[str | None] = Column(String(16))  # a termination away from the board
    ending_seat: Named[int | None] = Column(Integer)  # the seat that lost by it; null: nobody
    # the message that shows the board
    board_id: Named[MessageId | None] = Column(_Id, info=INTERNAL)
    computer_due: Named[bool] = Column(Boolean, info=INTERNAL)  # the computer is to move
    started_at: Named[int] = Column(BigInteger)
    ended_at: Named[int | None] = Column(BigInteger)  # null: the match isn't over
    # a hint was asked for while it still cost the rating
    hinted: Named[bool] = Column(Boolean, server_default=false())
    undone: Named[bool] = Column(Boolean, server_default=false())  # a move was taken back
    # the players who left a match of more than two: seat:ply:termination, separated by blanks
    withdrawals: Named[str] = Column(Text, server_default=text("''"))
    # ordinal of the rated match on this server, from 1; null: not rated
    rated_as: Named[int | None] = Column(BigInteger)
    clock: Named[int | None] = Column(Integer)  # seconds for a move; null: no clock
    # the player to move loses; null: no clock runs
    deadline: Named[int | None] = Column(BigInteger)
    # the next sweep acts on the match: it reminds, ends it at the deadline, or archives it
    due_at: Named[int | None] = Column(BigInteger, info=INTERNAL)
    put_away_at: Named[int | None] = Column(BigInteger)  # archived; null: it holds its channel
    # why a match of members isn't rated, known at its end or agreed before; null: it is, or may be
    unrated: Named[str | None] = Column(String(16))
    moved_at: Named[int] = Column(BigInteger, server_default=text("0"))  # it last changed
    # the match was shared with the channel; null: it wasn't
    shared_at: Named[int | None] = Column(BigInteger)
    # the message that shares it
    shared_id: Named[MessageId | None] = Column(_Id, info=INTERNAL)
    # the match that was rated together with this one; null: it was rated by itself, or not
    paired_with: Named[MatchId | None] = Column(_Id)
    # of the channel when the match began, as Discord has it; null: not known
    locale: Named[str | None] = Column(String(16))
    context: Named[str] = Column(String(16), server_default=text("'server'"))  # a `Context`
    # the server whose channel it is, if only members have installed the bot there; else null
    guest_of: Named[ServerId | None] = Column(_Id)
    # examined for achievements, and its players have those that it brings
    honoured: Named[bool] = Column(Boolean, server_default=false(), info=INTERNAL)
    tournament_id: Named[TournamentId | None] = Column(_Id)  # null: of no tournament
    # the seat that wins a tie of a knockout by a draw; null: neither
    draw_wins: Named[int | None] = Column(Integer)
    # the number of changes
    revision: Named[int] = Column(Integer, server_default=text("0"), info=INTERNAL)
    # the revision that the message `board_id` shows
    shown: Named[int] = Column(Integer, server_default=text("0"), info=INTERNAL)


matches = Table("matches", metadata, _Match, sqlite_autoincrement=True)

# At most one live match in a channel, even if two start at the same moment.
_LIVE = "ended_at IS NULL AND put_away_at IS NULL"
LIVE_CHANNEL = _partial("uq_matches_live_channel", _LIVE, matches.c.channel_id, unique=True)
_partial("ix_matches_live_guild", _LIVE, matches.c.guild_id, matches.c.id)
# Matches of guests, which their server adopts once it has the bot.
GUESTS = "ended_at IS NULL AND guest_of IS NOT NULL"
_partial("ix_matches_guests", GUESTS, matches.c.guest_of, matches.c.id)
# No board is known, or it shows an earlier state.
UNSHOWN = f"{_LIVE} AND (board_id IS NULL OR shown < revision)"
_partial("ix_matches_unshown", UNSHOWN, matches.c.moved_at)
_partial("ix_matches_due", "due_at IS NOT NULL", matches.c.due_at)
_partial("ix_matches_put_away", "put_away_at IS NOT NULL", matches.c.channel_id, matches.c.id)
COMPUTER_DUE = "computer_due"
_partial("ix_matches_computer_due", COMPUTER_DUE, matches.c.id)
UNEXAMINED = "ended_at IS NOT NULL AND guild_id != 0 AND NOT honoured"
_partial("ix_matches_unhonoured", UNEXAMINED, matches.c.id)
_RATED = "rated_as IS NOT NULL"
_partial("ix_matches_rated_day", _RATED, matches.c.guild_id, matches.c.ended_at)
_partial("uq_matches_rated_as", _RATED, matches.c.guild_id, matches.c.rated_as, unique=True)
Index("ix_matches_channel_ended", matches.c.channel_id, matches.c.ended_at, matches.c.id)
Index("ix_matches_series", matches.c.series_id)
Index("ix_matches_guild_game", matches.c.guild_id, matches.c.game, matches.c.ended_at)


class _Seat(TypedColumns):
    match_id: Named[MatchId] = Column(_Key, ForeignKey("matches.id"), primary_key=True)
    seat: Named[int] = Column(Integer, primary_key=True)
    # null: the computer
    user_id: Named[MemberId | None] = Column(_Id, info=of_member(Erasing.SPECIAL))
    level: Named[str | None] = Column(String(16), info=INTERNAL)  # of the computer; null: a member
    name: Named[str | None] = Column(Text)  # the member's, when the match began
    # 1 is best, equal seats share a rank; null: the match isn't over, or has no result
    rank: Named[int | None] = Column(Integer)
    # in the series before this match: 1 for a win, 0.5 for a draw
    points: Named[float] = Column(Float(53), server_default=text("0"))
    rating_before: Named[int | None] = Column(Integer)  # as shown; null: not rated
    rating_after: Named[int | None] = Column(Integer)
    # whether the rating was provisional after the match; null: not rated, or before this was kept
    provisional: Named[bool | None] = Column(Boolean)


seats = Table("seats", metadata, _Seat, Index("ix_seats_user", "user_id", "match_id"))


class _Offer(TypedColumns):
    """An offer, until it is answered or void and its question has lost its buttons."""

    id: Named[OfferId] = Column(_Key, primary_key=True, info=INTERNAL)
    match_id: Named[MatchId] = Column(_Key, ForeignKey("matches.id"))
    kind: Named[str] = Column(String(16))  # such as a draw or an undo
    # the offer stands while the match is at this ply; null: it has ended
    ply: Named[int | None] = Column(Integer)
    # the seats that want it, a digit each, the asker's first
    wanting: Named[str] = Column(String(16), info=INTERNAL)
    # the question: the message that asks the others to agree; null: not known
    message_id: Named[MessageId | None] = Column(_Id, info=INTERNAL)


offers = Table("offers", metadata, _Offer, sqlite_autoincrement=True)

Index("uq_offers_standing", offers.c.match_id, offers.c.kind, offers.c.ply, unique=True)


class _OldBoard(TypedColumns):
    """A message to be removed, with an earlier board, or to be changed, of an archived match."""

    message_id: Named[MessageId] = Column(_Key, primary_key=True)
    match_id: Named[MatchId] = Column(_Key, ForeignKey("matches.id"), index=True)
    # it reminds of the move at this revision, and stays until the match has another; null: a board
    of_revision: Named[int | None] = Column(Integer)


old_boards = Table("old_boards", metadata, _OldBoard)


# Invitations: challenges and open tables, which are matches that wait for their players


class _Invitation(TypedColumns):
    id: Named[InvitationId] = Column(_Key, primary_key=True)
    # 0: elsewhere than on a server that has the bot
    guild_id: Named[ServerId] = Column(_Id, index=True)
    channel_id: Named[ChannelId] = Column(_Id)
    game: Named[str] = Column(String(32))
    options: Named[str] = Column(Text)  # a JSON object of resolved options
    owner_id: Named[MemberId] = Column(_Id, index=True, info=of_member(Erasing.SPECIAL))
    owner_name: Named[str] = Column(Text)
    # the computer's level in the seats that stay open; null: a challenge
    fill_level: Named[str | None] = Column(String(16), info=INTERNAL)
    status: Named[str] = Column(String(16))
    message_id: Named[MessageId | None] = Column(_Id, info=INTERNAL)
    expires_at: Named[int] = Column(BigInteger)
    clock: Named[int | None] = Column(Integer)  # of the match, in seconds for a move
    # the number of changes since it was posted
    revision: Named[int] = Column(Integer, info=INTERNAL)
    # of the channel when it was made, as Discord has it; null: not known
    locale: Named[str | None] = Column(String(16))
    context: Named[str] = Column(String(16), server_default=text("'server'"))  # as of a match
    guest_of: Named[ServerId | None] = Column(_Id)
    # not used any more, like the index of `pressable` ones below
    pressable: Named[bool] = Column(Boolean, server_default=true(), info=INTERNAL)
    # 0: long ago, when this wasn't noted
    created_at: Named[int] = Column(BigInteger, server_default=text("0"))


invitations = Table("invitations", metadata, _Invitation, sqlite_autoincrement=True)

WAITING_INVITATION = "status = 'open'"
OPEN_INVITATION = _partial(
    "uq_invitations_open",
    WAITING_INVITATION,
    invitations.c.channel_id,
    invitations.c.owner_id,
    unique=True,
)
_partial("ix_invitations_expiry", WAITING_INVITATION, invitations.c.expires_at)
CLOSED_INVITATION = "status != 'open'"
_partial("ix_invitations_closed", CLOSED_INVITATION, invitations.c.expires_at)
_partial(
    "ix_invitations_unchanged",
    "pressable AND message_id IS NOT NULL AND status NOT IN ('open', 'begun')",
    invitations.c.id,
)


class _InvitationSeat(TypedColumns):
    """A seat of an invitation: a member's, the computer's, or open if it has neither."""

    invitation_id: Named[InvitationId] = Column(
        _Key, ForeignKey("invitations.id"), primary_key=True
    )
    seat: Named[int] = Column(Integer, primary_key=True)
    user_id: Named[MemberId | None] = Column(_Id, info=of_member(Erasing.SPECIAL, "invited to"))
    name: Named[str | None] = Column(Text)
    agreed: Named[bool] = Column(Boolean)  # false: the member hasn't answered yet
    level: Named[str | None] = Column(String(16))  # of the computer


invitation_seats = Table(
    "invitation_seats", metadata, _InvitationSeat, Index("ix_invitation_seats_user", "user_id")
)


# Tournaments: who takes part, and which games they have. The games themselves are matches.


class _Tournament(TypedColumns):
    id: Named[TournamentId] = Column(_Key, primary_key=True)
    guild_id: Named[ServerId] = Column(_Id)
    channel_id: Named[ChannelId] = Column(_Id)  # where its message is, and where threads are opened
    locale: Named[str | None] = Column(String(16))  # as of a match
    organiser_id: Named[MemberId] = Column(_Id, info=of_member(Erasing.SPECIAL))
    organiser_name: Named[str | None] = Column(Text)  # null: erased
    format: Named[str] = Column(String(32))
    swiss_rounds: Named[int | None] = Column(Integer)  # null: as many as leave one winner
    game: Named[str] = Column(String(32))
    options: Named[str] = Column(Text)  # a JSON object of resolved options
    clock: Named[int] = Column(Integer)  # seconds for a move
    rated: Named[bool] = Column(Boolean)
    places: Named[int] = Column(Integer)
    role_id: Named[RoleId | None] = Column(_Id)  # its members may join; null: everybody may
    # ids of the channels to play in, separated by blanks; empty: each game has a thread
    channels: Named[str] = Column(Text)
    when_full: Named[bool] = Column(Boolean)  # it starts when all places are taken
    starts_at: Named[int | None] = Column(BigInteger)  # null: at no set time
    stage: Named[str] = Column(String(16))
    created_at: Named[int] = Column(BigInteger)
    ended_at: Named[int | None] = Column(BigInteger)  # or cancelled
    message_id: Named[MessageId | None] = Column(_Id)
    revision: Named[int] = Column(Integer)  # the number of changes
    shown: Named[int] = Column(Integer)  # the revision that its message shows
    told: Named[bool] = Column(Boolean)  # whether its end was announced
    retry_at: Named[int] = Column(BigInteger)  # no failed step is tried again before this


tournaments = Table(
    "tournaments",
    metadata,
    _Tournament,
    Index("ix_tournaments_guild_id_stage", "guild_id", "stage"),
    Index("ix_tournaments_organiser_id", "organiser_id"),
    sqlite_autoincrement=True,
)
UNFINISHED = "stage IN ('open', 'running') OR shown < revision OR NOT told"
_partial("ix_tournaments_unfinished", UNFINISHED, tournaments.c.id)


class _TournamentEntrant(TypedColumns):
    """A member who takes part, or waits for a place: those beyond the places wait."""

    tournament_id: Named[TournamentId] = Column(
        _Key, ForeignKey("tournaments.id"), primary_key=True
    )
    place: Named[int] = Column(Integer, primary_key=True)  # grows in the order of joining
    user_id: Named[MemberId] = Column(_Id, info=of_member(Erasing.SPECIAL))
    name: Named[str | None] = Column(Text)  # when they joined; null: erased
    number: Named[int | None] = Column(Integer)  # in the seeding, from 0; null: not started
    strength: Named[float | None] = Column(Float(53))  # the rating at the start
    # they are paired up to this round, 0 for none; null: they are there
    withdrawn_after: Named[int | None] = Column(Integer)
    rank: Named[int | None] = Column(Integer)  # at the end, from 1; equal entrants share it


tournament_entrants = Table("tournament_entrants", metadata, _TournamentEntrant)
ENTRANT = Index(
    "uq_tournament_entrants_user",
    tournament_entrants.c.user_id,
    tournament_entrants.c.tournament_id,
    unique=True,
)


class _TournamentGame(TypedColumns):
    """A pairing: written before its thread is opened, and before its match begins."""

    tournament_id: Named[TournamentId] = Column(
        _Key, ForeignKey("tournaments.id"), primary_key=True
    )
    round: Named[int] = Column(Integer, primary_key=True)
    table: Named[int] = Column(Integer, primary_key=True)
    game: Named[int] = Column(Integer, primary_key=True)
    first: Named[int] = Column(Integer)  # the number of the entrant who moves first
    second: Named[int | None] = Column(Integer)  # null: a bye
    draw_wins: Named[int | None] = Column(Integer)  # the entrant who wins by a draw
    channel_id: Named[ChannelId | None] = Column(_Id)  # null: not opened yet
    match_id: Named[MatchId | None] = Column(_Key, ForeignKey("matches.id"))  # null: not begun
    points_first: Named[float | None] = Column(Float(53))  # null: not over
    points_second: Named[float | None] = Column(Float(53))
    how: Named[str | None] = Column(String(16))  # how the points came about; null: being played


tournament_games = Table(
    "tournament_games",
    metadata,
    _TournamentGame,
    Index("uq_tournament_games_match", "match_id", unique=True),
    Index("ix_tournament_games_channel_id", "channel_id"),
)
_partial("ix_tournament_games_open", "points_first IS NULL", tournament_games.c.tournament_id)


class _TournamentNote(TypedColumns):
    """An intervention in a tournament: a trace for its players."""

    id: Named[int] = Column(_Key, primary_key=True)
    tournament_id: Named[TournamentId] = Column(_Key, ForeignKey("tournaments.id"))
    at: Named[int] = Column(BigInteger)
    kind: Named[str] = Column(String(16))
    # Who did it, or was taken out; null: nobody, or erased.
    user_id: Named[MemberId | None] = Column(_Id, info=of_member(Erasing.SPECIAL))
    name: Named[str | None] = Column(Text)
    game: Named[str | None] = Column(String(16))  # round.table.game
    result: Named[str | None] = Column(String(16))  # before and after, such as 1-0 or 0.5-0.5
    # who took them out; null: nobody, or erased
    by_id: Named[MemberId | None] = Column(_Id, info=of_member(Erasing.SPECIAL))
    by_name: Named[str | None] = Column(Text)


tournament_notes = Table(
    "tournament_notes",
    metadata,
    _TournamentNote,
    Index("ix_tournament_notes_tournament_id", "tournament_id"),
    Index("ix_tournament_notes_user_id", "user_id"),
    Index("ix_tournament_notes_by_id", "by_id"),
    sqlite_autoincrement=True,
)


# Ratings and standings, which all follow from the rated matches (`bot.ratings`)


class _Rating(TypedColumns):
    guild_id: Named[ServerId] = Column(_Id, primary_key=True)
    user_id: Named[MemberId] = Column(
        _Id, primary_key=True, info=of_member(Erasing.FORMER, "ratings")
    )
    game: Named[str] = Column(String(32), primary_key=True)
    mu: Named[float] = Column(Float(53))
    sigma: Named[float] = Column(Float(53))


ratings = Table("ratings", metadata, _Rating)


class _Standing(TypedColumns):
    guild_id: Named[ServerId] = Column(_Id, primary_key=True)
    user_id: Named[MemberId] = Column(
        _Id, primary_key=True, info=of_member(Erasing.FORMER, "standings")
    )
    game: Named[str] = Column(String(32), primary_key=True)  # empty: all games
    period: Named[str] = Column(String(8), primary_key=True)  # 2026-11, 2026-W47; empty: all time
    wins: Named[int] = Column(Integer)
    draws: Named[int] = Column(Integer)
    losses: Named[int] = Column(Integer)
    # as shown, after the last match of the period; null: all games
    rating: Named[int | None] = Column(Integer)
    present: Named[bool] = Column(Boolean)  # a member of the server, as far as is known
    # whether the rating wasn't provisional then; false: all games
    settled: Named[bool] = Column(Boolean, server_default=false())


standings = Table("standings", metadata, _Standing)

_LIST = (standings.c.guild_id, standings.c.game, standings.c.period, standings.c.present)
Index(
    "ix_standings_by_rating",
    *_LIST,
    standings.c.settled,
    standings.c.rating,
    standings.c.user_id,
)
Index("ix_standings_by_wins", *_LIST, standings.c.wins, standings.c.user_id)


# Servers and their members


class _Member(TypedColumns):
    guild_id: Named[ServerId] = Column(_Id, primary_key=True)
    user_id: Named[MemberId] = Column(_Id, primary_key=True, info=of_member(Erasing.ROW, "called"))
    name: Named[str] = Column(Text)  # when the member's last match here began
    present: Named[bool] = Column(Boolean)


members = Table("members", metadata, _Member, Index("ix_members_user", "user_id"))


class _Guild(TypedColumns):
    id: Named[ServerId] = Column(_Id, primary_key=True, autoincrement=False)
    removed_at: Named[int | None] = Column(BigInteger)  # null: the bot is on the server


guilds = Table("guilds", metadata, _Guild)


class _GuildSettings(TypedColumns):
    """The moderators' choices; a server without a row has the defaults."""

    guild_id: Named[ServerId] = Column(_Id, primary_key=True, autoincrement=False)
    # ids of the channels to play in, separated by blanks; empty: all channels
    channels: Named[str] = Column(Text, server_default=text("''"))
    # seconds for a move, if the player names none; null: no clock
    clock: Named[int | None] = Column(Integer, server_default=text("86400"))
    challenge_seconds: Named[int | None] = Column(Integer)  # null: the host's setting
    boards_stay: Named[bool] = Column(Boolean, server_default=true())
    # the form of boards for members who haven't chosen one; null: the usual one
    boards: Named[str | None] = Column(String(16))
    # the locale of messages in its channels; null: as Discord has it
    language: Named[str | None] = Column(String(16))
    season_channel: Named[ChannelId | None] = Column(_Id)  # hears of each season's end
    season_told: Named[str | None] = Column(String(8))  # the last season that needs no telling
    # achievements are told in the channel of the match
    tells_achievements: Named[bool] = Column(Boolean, server_default=false())
    everywhere: Named[bool] = Column(Boolean, server_default=false())  # on that leaderboard
    begin_role: Named[RoleId | None] = Column(_Id)  # to begin matches; null: none


guild_settings = Table("guild_settings", metadata, _GuildSettings)


class _MemberSettings(TypedColumns):
    """The choices of a member, for all servers; a member without a row has made none."""

    user_id: Named[MemberId] = Column(
        _Id, primary_key=True, autoincrement=False, info=of_member(Erasing.ROW, "settings")
    )
    board: Named[str | None] = Column(String(16))  # the form of boards; null: the server's
    # on the leaderboard of all servers; null: without the name
    shown: Named[str | None] = Column(String(16))
    challengers: Named[str | None] = Column(String(16))  # who may challenge; null: everybody


member_settings = Table("member_settings", metadata, _MemberSettings)


# Achievements, and the roles that are given for results


class _Achievement(TypedColumns):
    guild_id: Named[ServerId] = Column(_Id, primary_key=True)
    user_id: Named[MemberId] = Column(
        _Id, primary_key=True, info=of_member(Erasing.ROW, "achievements")
    )
    achievement: Named[str] = Column(String(16), primary_key=True)
    match_id: Named[MatchId] = Column(_Id)
    earned_at: Named[int] = Column(BigInteger)  # when that match ended


achievements = Table("achievements", metadata, _Achievement)


class _HonourRole(TypedColumns):
    """A role at Discord that the bot gives to members."""

    guild_id: Named[ServerId] = Column(_Id, primary_key=True)
    role_id: Named[RoleId] = Column(_Id, primary_key=True)
    rating: Named[int | None] = Column(Integer)  # null: for the winner of the last season
    trouble: Named[str | None] = Column(String(16))  # why it can't be given; null: it can


honour_roles = Table("honour_roles", metadata, _HonourRole)


class _GivenRole(TypedColumns):
    """A role that a member has from the bot, or is about to get."""

    guild_id: Named[ServerId] = Column(_Id, primary_key=True)
    role_id: Named[RoleId] = Column(_Id, primary_key=True)
    user_id: Named[MemberId] = Column(
        _Id, primary_key=True, info=of_member(Erasing.SPECIAL, "roles")
    )
    # When the member had joined who got it; null: Discord hasn't confirmed it, or they left since.
    joined_at: Named[int | None] = Column(BigInteger)


given_roles = Table("given_roles", metadata, _GivenRole, Index("ix_given_roles_user", "user_id"))


# Puzzles


class _PuzzleServer(TypedColumns):
    """A server's settings for the puzzle of the day, and how far its matches are searched."""

    guild_id: Named[ServerId] = Column(_Id, primary_key=True, autoincrement=False)
    # where the puzzle of the day is posted, at this hour (UTC); null: nowhere
    channel_id: Named[ChannelId | None] = Column(_Id)
    hour: Named[int | None] = Column(Integer)
    due_at: Named[int | None] = Column(BigInteger)  # the next post; null: none, or switched off
    failures: Named[int] = Column(Integer, server_default=text("0"))  # posts in a row that failed
    asked_at: Named[int] = Column(BigInteger, server_default=text("0"))  # for a puzzle, the last
    # The matches that were searched for puzzles: those that ended before this second, and of those
    # that ended in it, the ids up to `searched_id`.
    searched_to: Named[int] = Column(BigInteger, server_default=text("0"))
    searched_id: Named[int] = Column(BigInteger, server_default=text("0"))


puzzle_servers = Table("puzzle_servers", metadata, _PuzzleServer)

_partial("ix_puzzle_servers_due", "due_at IS NOT NULL", puzzle_servers.c.due_at)


class _Puzzle(TypedColumns):
    """A puzzle of a server: from one of its matches, or one of those that are shipped."""

    id: Named[PuzzleId] = Column(_Key, primary_key=True)
    guild_id: Named[ServerId] = Column(_Id)
    game: Named[str] = Column(String(32))
    difficulty: Named[str] = Column(String(16))
    start: Named[str] = Column(Text)  # the game, its options and the position
    line: Named[str] = Column(Text)  # the whole puzzle, as `core.puzzles` writes it
    match_id: Named[MatchId | None] = Column(_Key)  # where it comes from; null: a shipped one
    given_at: Named[int | None] = Column(BigInteger)  # to the server; null: it waits
    # the day (UTC, from 1970-01-01) whose puzzle it is; null: none's
    day: Named[int | None] = Column(Integer)
    posting_at: Named[int | None] = Column(BigInteger)  # not used any more
    # where it was posted, and the message; null: nowhere, or not known
    channel_id: Named[ChannelId | None] = Column(_Id)
    message_id: Named[MessageId | None] = Column(_Id)
    told: Named[int] = Column(Integer, server_default=text("0"))  # solvers that the message tells
    solvers: Named[int] = Column(Integer, server_default=text("0"))  # members who have solved it


puzzles = Table("puzzles", metadata, _Puzzle, sqlite_autoincrement=True)

Index("ix_puzzles_guild", puzzles.c.guild_id, puzzles.c.given_at)
_partial("uq_puzzles_day", "day IS NOT NULL", puzzles.c.guild_id, puzzles.c.day, unique=True)
UNTOLD = "message_id IS NOT NULL AND told != solvers"
_partial("ix_puzzles_untold", UNTOLD, puzzles.c.day)


class _PuzzleTry(TypedColumns):
    """A member at a puzzle."""

    puzzle_id: Named[PuzzleId] = Column(_Key, ForeignKey("puzzles.id"), primary_key=True)
    user_id: Named[MemberId] = Column(_Id, primary_key=True, info=of_member(Erasing.ROW))
    guild_id: Named[ServerId] = Column(_Id)
    opened_at: Named[int] = Column(BigInteger)
    steps: Named[int] = Column(Integer, server_default=text("0"))  # found so far
    missed: Named[bool] = Column(Boolean, server_default=false())  # a wrong move
    ended_at: Named[int | None] = Column(BigInteger)  # null: not yet
    solved: Named[bool] = Column(Boolean, server_default=false())
    # the day that counts for the streak; null: none does
    day: Named[int | None] = Column(Integer)
    seen_at: Named[int] = Column(BigInteger, server_default=text("0"))  # it was shown last


puzzle_tries = Table("puzzle_tries", metadata, _PuzzleTry)

Index("ix_puzzle_tries_member", puzzle_tries.c.guild_id, puzzle_tries.c.user_id)
Index("ix_puzzle_tries_user", puzzle_tries.c.user_id)


# The program


class _Fact(TypedColumns):
    """A fact that the program keeps about itself."""

    name: Named[str] = Column(String(32), primary_key=True)
    value: Named[str] = Column(Text)


facts = Table("facts", metadata, _Fact)
