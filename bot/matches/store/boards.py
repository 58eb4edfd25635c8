"""The messages that show matches, and those that are to be removed."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from cachetools import LRUCache, TTLCache
from sqlalchemy import (
    BigInteger,
    Connection,
    Executable,
    Integer,
    bindparam,
    delete,
    false,
    func,
    select,
    tuple_,
    update,
)

from bot.db.database import Database
from bot.db.statements import insert_for, write
from bot.db.store import Store, transaction
from bot.db.tables import matches, old_boards
from bot.identity import MatchId, MessageId
from bot.matches.model import StoredMatch
from bot.matches.rows import NOT_SHOWN, Noted
from core.outcome import Termination

# A newer board may be written already: on PostgreSQL, two writes may be carried out in any order.
_SHOWN = (
    update(matches)
    .where(
        matches.c.id == bindparam("match_id"),
        tuple_(matches.c.shown, func.coalesce(matches.c.board_id, 0))
        <= tuple_(bindparam("shows", type_=BigInteger), bindparam("board", type_=BigInteger)),
    )
    .values(board_id=bindparam("board"), shown=bindparam("shows"))
)
# The match may have been erased meanwhile.
_OLD_BOARD = select(
    bindparam("message", type_=BigInteger),
    matches.c.id,
    bindparam("of_revision", type_=Integer),
).where(matches.c.id == bindparam("of_match"))
_REMOVED = delete(old_boards).where(old_boards.c.message_id == bindparam("message"))
_STANDS = func.coalesce(old_boards.c.of_revision >= matches.c.revision, false())
_OLD_BOARDS = select(old_boards.c.match_id, old_boards.c.message_id, _STANDS.label("stands")).join(
    matches
)
_REMINDER = (
    select(old_boards.c.message_id)
    .where(
        old_boards.c.match_id == bindparam("of_match"),
        old_boards.c.of_revision == bindparam("revision"),
    )
    .order_by(old_boards.c.message_id.desc())
    .limit(1)
)

_REMEMBERED = 10_000
_REMEMBERED_SECONDS = 1800


@dataclass
class _OldBoard:
    """A board that is to be removed, as long as it is `old`.

    `listed` is whether the database lists it, None while that isn't known, as during a write.
    """

    listed: bool | None
    old: bool = True


class BoardIds(Store):
    """Which message shows which match, and which messages are to be removed.

    These are older boards, and reminders of a move, which stay until the match goes on.

    Ids wait here until `write` writes all of them in one transaction. The newest board of each
    match stays known for half an hour more, which is longer than any board is under way.
    `docs/decisions/20-delivery.md` says what a kill may leave behind.
    """

    def __init__(self, database: Database):
        super().__init__(database)
        self._old_boards = _OLD_BOARDS.where(database.serves(matches.c.guild_id))
        # The newest boards of matches: those still to be written, and those written lately.
        self._unwritten: dict[MatchId, Noted] = {}
        self._written: TTLCache[MatchId, Noted] = TTLCache(_REMEMBERED, _REMEMBERED_SECONDS)
        # Those that are gone stay here until the database doesn't list them any more. A board may
        # become an old one again, also of another match.
        self._old: dict[tuple[MatchId, MessageId], _OldBoard] = {}
        # Matches whose channels have still to be looked through.
        self._unchecked: set[MatchId] = set()
        # Those that stand, as far as is known; a start finds a reminder that is forgotten here.
        self._reminders: LRUCache[MatchId, MessageId] = LRUCache(_REMEMBERED)

    def note(self, stored: StoredMatch, message_id: MessageId) -> None:
        """Remember the message that shows a match as it stands."""
        self._unwritten[stored.id] = Noted(message_id, stored.revision)
        if stored.id in self._unchecked:
            self.note_old(stored.id, [message_id])
        else:
            self.note_removed(stored.id, message_id)

    def note_unchecked(self, match_id: MatchId) -> None:
        """Remember that a channel may have a board that nobody knows of, until `note_checked`.

        Until then the known ones stay listed as old boards, the newest too, even if they are gone:
        if the program ends before, the next start looks for the match's boards.
        """
        self._unchecked.add(match_id)

    def note_checked(self, match_id: MatchId) -> None:
        """Remember that all boards of a match are known."""
        self._unchecked.discard(match_id)

    def noted(self, match_id: MatchId) -> Noted:
        """Return the newest board of a match, NOT_SHOWN if this process has shown none lately."""
        return self._unwritten.get(match_id) or self._written.get(match_id, NOT_SHOWN)

    def board(self, match_id: MatchId) -> MessageId | None:
        """Return the message of the newest board of a match, None if it isn't known here."""
        return self.noted(match_id).board_id

    def newest(self, match_id: MatchId, written: MessageId | None) -> MessageId | None:
        """Return the newest board of a match, of which the database has the one `written`."""
        return self.board(match_id) or written

    def shows(self, stored: StoredMatch) -> bool:
        """Return whether the newest board shows a match as it stands."""
        newest = self.noted(stored.id)
        return newest.board_id is not None and newest.shown == stored.revision

    def is_overtaken(self, stored: StoredMatch) -> bool:
        """Return whether a later state of the match is shown."""
        return self.noted(stored.id).shown > stored.revision

    def is_shown_anew(self, stored: StoredMatch, before: Collection[MessageId | None]) -> bool:
        """Return whether a later state is shown, or this one by another message than `before`."""
        anew = self.shows(stored) and self.board(stored.id) not in before
        return anew or self.is_overtaken(stored)

    def comes_too_late(self, stored: StoredMatch, message_id: MessageId) -> bool:
        """Return whether a message that shows this state is older than the newest board."""
        return self.noted(stored.id).order > Noted(message_id, stored.revision).order

    def retire(self, match_id: MatchId, revision: int) -> None:
        """Forget the board of a match that was begun or played again.

        No board is to show its end, which is this `revision`. Boards of earlier revisions that are
        still under way come too late.
        """
        noted = self._unwritten if match_id in self._unwritten else self._written
        noted[match_id] = Noted(None, revision)

    def forget(self, match_id: MatchId) -> None:
        """Forget the board of a match that has moved to another channel, where it has none yet."""
        self._unwritten.pop(match_id, None)
        self._written.pop(match_id, None)

    def note_old(self, match_id: MatchId, message_ids: Iterable[MessageId]) -> None:
        """Remember boards that aren't current any more, and are to be removed."""
        for message_id in message_ids:
            self._old.setdefault((match_id, message_id), _OldBoard(listed=False)).old = True

    def note_end(self, ended: StoredMatch) -> None:
        """Remember the board that became an old one in the transaction of a match's end."""
        if (left := left_by_end(ended)) is not None:
            self.note_written(ended.id, left)

    def note_written(self, match_id: MatchId, *message_ids: MessageId) -> None:
        """Remember boards that are to be removed, and that the database already lists."""
        for message_id in message_ids:
            self._old[match_id, message_id] = _OldBoard(listed=True)

    def note_removed(self, match_id: MatchId, message_id: MessageId) -> None:
        """Forget a board that is gone, or is current again, unless it has to stay listed."""
        board = self._old.get((match_id, message_id))
        if board is not None and match_id not in self._unchecked:
            board.old = False

    def forget_old(self, match_id: MatchId) -> None:
        """Forget the boards of a match that are to be removed, since they never can be."""
        self.note_checked(match_id)
        for message_id in self.old(match_id):
            self.note_removed(match_id, message_id)

    def old(self, match_id: MatchId) -> frozenset[MessageId]:
        """Return the boards of a match that are to be removed, as far as is known."""
        return frozenset(
            one for (of, one), board in self._old.items() if board.old and of == match_id
        )

    async def note_reminder(self, stored: StoredMatch, message_id: MessageId) -> None:
        """Remember, and write, the message that reminds the player to move as a match stands."""
        self._reminders[stored.id] = message_id
        await write(self._database, write_old_boards, {message_id: stored.id}, stored.revision)

    async def reminder(self, stored: StoredMatch) -> MessageId | None:
        """Return the newest reminder of the move at which a match stands, None if it has none."""
        reminder = await self._fetch_one(
            _REMINDER, {"of_match": stored.id, "revision": stored.revision}
        )
        return None if reminder is None else reminder.message_id

    def take_reminder(
        self, match_id: MatchId, successor: MessageId | None = None
    ) -> MessageId | None:
        """Return the reminder of a match, which counts as an old board from now on.

        Returns None unless the `successor`, if there is one, is newer. It is a board or the next
        reminder. A board that a start has found in the channel may be older than the reminder. A
        reminder that was sent twice makes one message: it is its own successor.
        """
        reminder = self._reminders.get(match_id)
        if reminder is None or (successor is not None and reminder >= successor):
            return None
        self.note_written(match_id, reminder)
        return self._reminders.pop(match_id)

    async def written(self) -> dict[MatchId, list[MessageId]]:
        """Return the old boards that are written, and not known to be gone, by their matches.

        Remembers the reminders that still stand, of which a process that has just started doesn't
        know.
        """
        written = defaultdict[MatchId, list[MessageId]](list)
        rows = await self._fetch(self._old_boards)
        for row in rows:
            board = self._old.get((row.match_id, row.message_id))
            if board is not None and not board.old:
                continue
            if not row.stands:
                written[row.match_id].append(row.message_id)
            elif board is None:
                self._reminders.setdefault(row.match_id, row.message_id)
        return written

    async def write(self) -> None:
        """Write the noted boards to the database."""
        newest = dict(self._unwritten)
        due = {one: board.old for one, board in self._old.items() if board.listed is not board.old}
        if not (newest or due):
            return
        listed = {message_id: match_id for (match_id, message_id), old in due.items() if old}
        gone = {message_id for (_, message_id), old in due.items() if not old} - listed.keys()
        for one in due:
            self._old[one].listed = None
        await self._write(newest, listed, gone)
        for match_id, noted in newest.items():
            if self._unwritten.get(match_id) is noted:
                self._written[match_id] = self._unwritten.pop(match_id)
        for one, old in due.items():
            if one in self._old:
                self._old[one].listed = old
        self._old = {
            one: board for one, board in self._old.items() if board.old or board.listed is not False
        }

    @transaction
    def _write(
        self,
        connection: Connection,
        newest: Mapping[MatchId, Noted],
        listed: Mapping[MessageId, MatchId],
        gone: Collection[MessageId],
    ) -> None:
        """Write the boards that show matches and the old ones, and delete those that are gone."""
        if newest:
            rows = [
                {"match_id": match_id, "board": noted.board_id, "shows": noted.shown}
                for match_id, noted in sorted(newest.items())
            ]
            connection.execute(_SHOWN, rows)
        if listed:
            write_old_boards(connection, listed)
        if gone:
            connection.execute(_REMOVED, [{"message": message_id} for message_id in sorted(gone)])


def left_by_end(stored: StoredMatch) -> MessageId | None:
    """Return the board that the end of a match leaves behind: the one before the final board.

    A match that hasn't ended leaves none, nor does one that is restarted.
    """
    outcome = stored.match.outcome
    if outcome is None or outcome.termination is Termination.RESTARTED or not stored.place.posts:
        return None
    return stored.board_id


def write_old_boards(
    connection: Connection, old: Mapping[MessageId, MatchId], of_revision: int | None = None
) -> None:
    """Note messages that are to be removed, each with its match, in the caller's transaction.

    They are to be removed at once, or after the revision to which they belong.
    """
    rows = [
        {"message": message_id, "of_match": old[message_id], "of_revision": of_revision}
        for message_id in sorted(old)
    ]
    connection.execute(_noting(connection.dialect.name), rows)


@cache
def _noting(dialect: str) -> Executable:
    """Return the statement that notes a message, if its match exists and it isn't noted yet."""
    columns = (old_boards.c.message_id, old_boards.c.match_id, old_boards.c.of_revision)
    names = [column.name for column in columns]
    noting = insert_for(dialect, old_boards).from_select(names, _OLD_BOARD)
    return noting.on_conflict_do_nothing()
