"""Reading and saving matches: one read for a press, one write for a turn."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import (
    Connection,
    Integer,
    Row,
    Select,
    String,
    bindparam,
    cast,
    func,
    literal,
    select,
    text,
    update,
)

from bot.db.database import Database
from bot.db.errors import ChangedError, CorruptRowError
from bot.db.statements import hold, write
from bot.db.store import Store, transaction
from bot.db.tables import COMPUTER_DUE, UNSHOWN, matches, seats
from bot.identity import ChannelId, MatchId, MemberId, MessageId, Place, ServerId
from bot.matches.clock import NO_TIMING, timing_after
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.rows import SeatRow, read_match, reading, seat_rows_of
from bot.matches.store.boards import BoardIds
from bot.matches.store.channel import (
    FINISHED_BEFORE,
    FINISHED_HERE,
    FINISHED_OWN_HERE,
    HERE,
    IN_PLACE,
    LATEST_HERE,
    LIVE,
    LIVE_HERE,
    LIVE_ON_SERVER,
    Holding,
)
from bot.matches.store.start import BY_ID, Insert, insert_match
from bot.matches.store.turns import end_offers, write_turn
from bot.ratings.ledger import Ledger
from bot.ratings.model import Unrated
from core.match import Match
from core.players import Member

# Built once: SQLAlchemy caches a compiled statement by its object, so a turn only binds values.
_NEWEST_OF_SERIES = (
    select(matches.c.id)
    .where(matches.c.series_id == bindparam("series_id"))
    .order_by(matches.c.id.desc())
    .limit(1)
)
_PLAY_ON_UNRATED = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"), matches.c.ended_at.is_(None))
    .values(unrated=Unrated.AGREED.value)
)
_ALL_OF = reading(matches.c.id.in_(bindparam("match_ids", expanding=True)))
_LAST_OF_SERIES = reading(matches.c.id == _NEWEST_OF_SERIES.scalar_subquery())
_COMPUTER_DUE = select(matches.c.id).where(text(COMPUTER_DUE), matches.c.put_away_at.is_(None))
_UNSHOWN = (
    select(matches.c.id)
    .where(
        text(UNSHOWN),
        ~matches.c.computer_due,
        matches.c.moved_at.between(bindparam("since"), bindparam("until")),
    )
    .order_by(matches.c.moved_at.desc())
)
_LIVE_COUNT = select(func.count()).select_from(matches).where(LIVE)
_SEATED = (
    select(seats.c.user_id)
    .where(seats.c.match_id == bindparam("match_id"), seats.c.user_id.is_not(None))
    .order_by(seats.c.seat)
)
# As `bot.matches.rows` writes them: "1:14:resignation 2:20:timeout".
_HAS_LEFT = (literal(" ") + matches.c.withdrawals).contains(
    literal(" ") + cast(seats.c.seat, String) + ":"
)
_ARCHIVED_IDS = (
    select(matches.c.id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        seats.c.user_id == bindparam("user_id"),
        IN_PLACE,
        matches.c.put_away_at.is_not(None),
        ~_HAS_LEFT,
    )
    .order_by(HERE.desc(), matches.c.put_away_at.desc(), matches.c.id.desc())
)
_ARCHIVED = reading(matches.c.id.in_(_ARCHIVED_IDS.limit(bindparam("most", type_=Integer))))
_PLAYING_IDS = (
    select(matches.c.id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(seats.c.user_id == bindparam("user_id"))
    .order_by(matches.c.deadline.is_(None), matches.c.deadline, matches.c.id)
    .limit(bindparam("most", type_=Integer))
)
PLAYING_ON_SERVER = reading(matches.c.id.in_(_PLAYING_IDS.where(LIVE_ON_SERVER)))
PLAYING_ANYWHERE = reading(matches.c.id.in_(_PLAYING_IDS.where(LIVE)))


class MatchStore(Store):
    """The matches of one database. Each match that is read has the newest known board."""

    def __init__(self, database: Database, ledger: Ledger | None = None):
        super().__init__(database)
        here = database.serves(matches.c.guild_id)
        self._computer_due = _COMPUTER_DUE.where(here)
        self._unshown = _UNSHOWN.where(here)
        self._ledger = ledger or Ledger()
        self.board_ids = BoardIds(database)
        self.holding = Holding(database, self.board_ids)
        # Called with each match that has ended, after the commit.
        self.on_end: list[Callable[[StoredMatch], None]] = [self.board_ids.note_end]

    async def load(self, match_id: MatchId) -> StoredMatch | None:
        """Return the match, None if there is none; raise CorruptRowError."""
        return await self._read(BY_ID, match_id=match_id)

    async def load_ended(self, match_id: MatchId) -> StoredMatch | None:
        """Return a match that `end_unread` has ended, and call `on_end` with it.

        Returns None if there is none; raises CorruptRowError.
        """
        ended = await self.load(match_id)
        if ended is not None:
            self._note_end(ended)
        return ended

    async def live(self, channel_id: ChannelId) -> StoredMatch | None:
        """Return the match that is being played in a channel, None if there is none."""
        return await self._read(LIVE_HERE, channel_id=channel_id)

    async def latest(self, channel_id: ChannelId) -> StoredMatch | None:
        """Return the live match of a channel, else the last one that was live there, or None."""
        return await self._read(LATEST_HERE, channel_id=channel_id)

    async def last_of_series(self, stored: StoredMatch) -> StoredMatch | None:
        """Return the last match of a series if this is an earlier one, else None."""
        last = await self._read(_LAST_OF_SERIES, series_id=stored.series_id)
        return last if last is not None and last.id != stored.id else None

    async def finished(self, channel_id: ChannelId) -> StoredMatch | None:
        """Return the match that ended last in a channel, None if none has.

        A match without a move and without a result is passed over.
        """
        return await self._read(FINISHED_HERE, channel_id=channel_id)

    async def finished_of(self, channel_id: ChannelId, member_id: MemberId) -> StoredMatch | None:
        """Return the match of a member that ended last in a channel, None if none has."""
        return await self._read(FINISHED_OWN_HERE, channel_id=channel_id, user_id=member_id)

    async def _read(self, statement: Select[Any], **values: int | None) -> StoredMatch | None:
        rows = await self._fetch(statement, values)
        return self._match(seat_rows_of(rows)) if rows else None

    async def final_before(self, stored: StoredMatch) -> tuple[MatchId, MessageId] | None:
        """Return the match that ended before this one in its channel, and its final board.

        Returns None if there is none, or if its board isn't known.
        """
        values = {"channel_id": stored.place.channel_id, "match_id": stored.id}
        found = await self._fetch_one(FINISHED_BEFORE, values)
        if found is None:
            return None
        board_id = self.board_ids.newest(found.id, found.board_id)
        return None if board_id is None else (found.id, board_id)

    async def count_live(self) -> int:
        """Return the number of matches that are being played."""
        return await self._fetch_scalar(_LIVE_COUNT)

    async def computer_due(self) -> Sequence[MatchId]:
        """Return the live matches here in which the computer is to move."""
        return await self._fetch_scalars(self._computer_due)

    async def unshown(self, since: int, until: int) -> Sequence[MatchId]:
        """Return the live matches here, moved in this time (Unix seconds), without a current board.

        These have no noted board, or one that shows an earlier state. The last moves come first.
        Matches in which the computer is to move are left out.
        """
        return await self._fetch_scalars(self._unshown, {"since": since, "until": until})

    async def create(self, new: NewMatch, now: int, insert: Insert = insert_match) -> StoredMatch:
        """Return the match that begins `now`; raise ChannelTakenError, and the errors of `insert`.

        `insert` may write more than the match in the same transaction.
        """
        return await write(self._database, insert, new, now)

    @staticmethod
    def insert_rematch(
        connection: Connection, new: NewMatch, now: int, *, before: StoredMatch
    ) -> StoredMatch:
        """Insert the next match of a series; end the offers in the one `before`.

        Raises ChangedError if the data of a player was erased.
        """
        _hold_players(connection, before)
        end_offers(connection, before.id)
        return insert_match(connection, new, now)

    def insert_instead(
        self, connection: Connection, new: NewMatch, now: int, *, before: StoredMatch, ended: Match
    ) -> StoredMatch:
        """Insert a match in the channel of `before`, over which it writes `ended`.

        Raises ChangedError.
        """
        _hold_players(connection, before)
        write_turn(connection, before, _after(before, ended, now), self._ledger)
        return insert_match(connection, new, now)

    async def save(self, before: StoredMatch, match: Match, now: int) -> StoredMatch:
        """Write `match` over `before` and return it; a match that ends is counted.

        Raises ChangedError, and writes nothing, if the database holds another state by now. Raises
        ChannelTakenError if an ended match would return to a channel that has another live match.
        """
        after = _after(before, match, now)
        saved = await write(self._database, write_turn, before, after, self._ledger)
        if match.outcome:
            self._note_end(saved)
        return saved

    def _note_end(self, ended: StoredMatch) -> None:
        for call in self.on_end:
            call(ended)

    @transaction
    def play_on_unrated(self, connection: Connection, stored: StoredMatch) -> bool:
        """Mark a match as unrated for good, and end its offers; return False if it is over."""
        if connection.execute(_PLAY_ON_UNRATED, {"match_id": stored.id}).rowcount == 0:
            return False
        end_offers(connection, stored.id)
        return True

    async def archived(self, place: Place, member_id: MemberId, most: int) -> list[StoredMatch]:
        """Return up to `most` archived matches that a member can bring back to a place, by id.

        If there are more, it returns those of its channel, and then those archived last. Matches
        that can't be read are left out, and those that the member has left: others play them on.
        """
        values: dict[str, int | None] = {"user_id": member_id, "most": most}
        values |= {"channel_id": place.channel_id, "server_id": place.server_id}
        return self._each(await self._fetch(_ARCHIVED, values))

    async def playing(
        self, server_id: ServerId | None, member_id: MemberId, most: int
    ) -> list[StoredMatch]:
        """Return up to `most` live matches in which a member has a seat, in any order.

        If there are more, it returns those whose time runs out first. They are matches of a server,
        or of all places if `server_id` is None. Matches that can't be read are left out.
        """
        statement = PLAYING_ANYWHERE if server_id is None else PLAYING_ON_SERVER
        values = {"user_id": member_id, "server_id": server_id, "most": most}
        return self._each(await self._fetch(statement, values))

    async def load_all(self, match_ids: Sequence[MatchId]) -> list[StoredMatch]:
        """Return those of these matches that exist and can be read, in the order of their ids."""
        return self._each(await self._fetch(_ALL_OF, {"match_ids": match_ids}))

    def _each(self, rows: Sequence[Row[Any]]) -> list[StoredMatch]:
        """Return the matches in these rows of `reading` that can be read."""
        found = list[StoredMatch]()
        for _, seated in groupby(seat_rows_of(rows), key=lambda row: row.id):
            with suppress(CorruptRowError):
                found.append(self._match(list(seated)))
        return found

    def _match(self, rows: Sequence[SeatRow]) -> StoredMatch:
        """Return the match in its rows, with the newest board that is known.

        Raises CorruptRowError.
        """
        return read_match(rows, self.board_ids.noted(rows[0].id))


def seats_of(member_id: MemberId) -> str:
    """Return the name of a lock: an erasure has it alone, matches that repeat another share it.

    Other matches begin from an invitation or a tournament, of which the erasure locks the rows.
    """
    return f"seats of {member_id}"


def _hold_players(connection: Connection, before: StoredMatch) -> None:
    """Let no player of a match be erased until the transaction ends, so that a match can repeat it.

    Raises ChangedError if the data of one was erased since the match was read.
    """
    players = before.match.players
    members = [MemberId(player.id) for player in players if isinstance(player, Member)]
    hold(connection, shared=[seats_of(member) for member in sorted(members)])
    seated = connection.execute(_SEATED, {"match_id": before.id}).scalars().all()
    if seated != members:
        raise ChangedError


def _after(before: StoredMatch, match: Match, now: int) -> StoredMatch:
    """Return the match as it is to be written over `before`.

    An archived match stays archived, and nothing is due in it, unless it ends.
    """
    archived = before.archived and match.outcome is None
    timing = timing_after(before.match, before.timing, match, before.clock, now)
    return replace(
        before,
        match=match,
        archived=archived,
        undone=before.undone or match.ply < before.match.ply,
        ended_at=now if match.outcome else None,
        timing=NO_TIMING if archived else timing,
        moved_at=now,
        revision=before.revision + 1,
    )
