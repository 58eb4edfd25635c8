"""The changes of a match: load it, ask the core, let the computer answer, save.

One turn is a member's move with the computer's answer. It is read once and written once, before
anything of it is shown. An answer that takes a search is written by itself: the match is returned
without it, and when that is shown, `Boards` asks for the answer (`computer_moves`). A turn is only
written over the state that it was read from, so of two presses at once only one plays.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.db.errors import ChangedError
from bot.identity import ChannelId, MatchId, MemberId, MessageId
from bot.locks import LockKind, Locks
from bot.matches.clock import alone
from bot.matches.computer import ComputerPlayer
from bot.matches.model import Pressed, PressedBoard, StoredMatch, Waiting
from bot.matches.store import ChannelTakenError, MatchStore
from bot.refusals import Refusal
from core.errors import GameError, MatchOver
from core.match import Match
from core.outcome import Termination
from core.players import Computer, Member, Player


class ChannelBusy(Refusal):
    """Another match, `board`, is being played in the channel.

    `agreed` means that players have agreed to a new match, or are asking each other for one, which
    can begin only in this channel.
    """

    board: StoredMatch

    def __init__(self, stored: StoredMatch, *, agreed: bool = False):
        super().__init__(
            "refusal.channel_busy.agreed" if agreed else "refusal.channel_busy", stored
        )


class MatchService:
    """Loads matches and changes them. `now` gives Unix seconds.

    `waiting` finds the newest invitation that is open in a channel at a moment. Members who
    ask for a match that isn't there are shown that invitation.
    """

    def __init__(
        self,
        store: MatchStore,
        computer: ComputerPlayer,
        now: Callable[[], int],
        waiting: Callable[[ChannelId, int], Awaitable[Waiting | None]],
    ):
        self._store = store
        self._computer = computer
        self._now = now
        self._waiting = waiting
        self._locks = Locks[ChannelId](LockKind.CHANNEL)
        # The match for whose next move the computer is searching in a channel, and that search.
        self._thinking: dict[ChannelId, tuple[StoredMatch, asyncio.Task[StoredMatch | None]]] = {}
        # Called with each match that was archived, unless its channel was deleted.
        self.on_archived: list[Callable[[StoredMatch], None]] = []
        # Called with each match whose open questions to its players may be void by now.
        self.on_void: list[Callable[[StoredMatch], None]] = []

    def lock(self, channel_id: ChannelId) -> asyncio.Lock:
        """Return the channel's lock, held while a match is read, changed and saved.

        Nobody waits for Discord while holding it: in any order of arrival of the messages, `Boards`
        keeps the newest state shown.
        """
        return self._locks.of(channel_id)

    @asynccontextmanager
    async def held(self, match_id: MatchId) -> AsyncIterator[StoredMatch]:
        """Hold the lock of a match's channel, and yield the match as it is then; raise Refusal."""
        channel_id = (await self.get(match_id)).place.channel_id
        while True:
            async with self.lock(channel_id):
                stored = await self.get(match_id)
                if stored.place.channel_id == channel_id:
                    yield stored
                    return
            channel_id = stored.place.channel_id  # the match was moved meanwhile

    async def get(self, match_id: MatchId, channel_id: ChannelId | None = None) -> StoredMatch:
        """Return the match; raise Refusal if there is none, or none in that channel."""
        return _in_channel(await self._store.load(match_id), channel_id)

    async def pressed(self, match_id: MatchId, member_id: MemberId, board: PressedBoard) -> Pressed:
        """Return the match whose board a member has pressed.

        Raises Refusal for an old board, and for a stranger unless the board lags behind.
        """
        stored = await self.get(match_id, board.channel_id)
        return _pressed(stored, member_id, board)

    async def live(self, channel_id: ChannelId) -> StoredMatch:
        """Return the match that is played in a channel; raise Refusal if it is over or archived."""
        stored = await self.latest(channel_id)
        if stored.archived or stored.match.outcome:
            await self._check_nothing_waits(channel_id)
        check_not_archived(stored)
        if stored.match.outcome:
            raise Refusal(MatchOver(), stored)
        return stored

    async def latest(self, channel_id: ChannelId, without: str = "refusal.no_match") -> StoredMatch:
        """Return the live match of a channel, else its last.

        Raises Refusal if it has none, with the reason `without` unless an invitation stands open.
        """
        stored = await self._store.latest(channel_id)
        if stored is None:
            await self._check_nothing_waits(channel_id)
            raise Refusal(without)
        return stored

    async def last_finished(self, channel_id: ChannelId, member_id: MemberId) -> StoredMatch | None:
        """Return the match of a member that ended last in a channel, None if none has."""
        return await self._store.finished_of(channel_id, member_id)

    async def _check_nothing_waits(self, channel_id: ChannelId) -> None:
        """Raise Refusal, with a link, if an invitation stands open in the channel."""
        if (found := await self._waiting(channel_id, self._now())) is not None:
            key = "refusal.waiting.table" if found.has_free_seat else "refusal.waiting.challenge"
            raise Refusal(key, see=found.shown, owner=found.owner)

    async def check_free(
        self, channel_id: ChannelId, players: Sequence[Player] = (), *, agreed: bool = False
    ) -> StoredMatch | None:
        """Return the match in a channel that gives way to a new one, None if the channel is free.

        It does so if one of the new match's `players` plays it alone. Otherwise raises ChannelBusy,
        which says whether the players had `agreed` to the new match.
        """
        live = await self._store.live(channel_id)
        if live is not None and not _gives_way(live, players):
            raise ChannelBusy(live, agreed=agreed)
        return live

    async def make_way(
        self, channel_id: ChannelId, players: Sequence[Player], *, agreed: bool = False
    ) -> None:
        """Archive the match in a channel, if it gives way to these `players`; raise ChannelBusy."""
        live = await self.check_free(channel_id, players, agreed=agreed)
        if live is not None:
            await self.archive(live)

    async def check_last(self, stored: StoredMatch) -> None:
        """Raise Refusal if the series has gone on after this match, or the channel is busy.

        A match that a player plays alone doesn't keep the channel busy for several members.
        """
        # Asked first: the next match of the series may be the one that holds the channel.
        await self.check_not_rematched(stored)
        players = stored.match.players
        between_members = sum(isinstance(player, Member) for player in players) > 1
        giving_way = players if between_members else ()
        await self.check_free(stored.place.channel_id, giving_way, agreed=True)

    async def check_not_rematched(self, stored: StoredMatch) -> None:
        """Raise Refusal if the series has gone on after this match."""
        if (last := await self._store.last_of_series(stored)) is not None:
            key = "refusal.rematched.put_away" if last.archived else "refusal.rematched"
            raise Refusal(key, last)

    async def play_live(self, channel_id: ChannelId, member_id: MemberId, move: str) -> StoredMatch:
        """Make a member's move in the match that is played in a channel; return it as `play` does.

        Raises Refusal.
        """
        return await self._play(await self.live(channel_id), member_id, move)

    async def play(
        self, match_id: MatchId, member_id: MemberId, move: str, board: PressedBoard | None = None
    ) -> StoredMatch:
        """Make a member's move, given in notation, and the computer's quick answer.

        `board` is the one that was pressed, None for the current state.

        Returns the match; if it is `computer_due`, the answer is still to come. Its `board_id` is
        still the board before the move. No move is made, and the match is returned as it is, if the
        pressed board lags behind (even for a stranger), or if the computer should be thinking and
        isn't. Raises Refusal.
        """
        stored = await self.get(match_id, board.channel_id if board else None)
        return await self._play(stored, member_id, move, board)

    async def _play(
        self, stored: StoredMatch, member_id: MemberId, move: str, board: PressedBoard | None = None
    ) -> StoredMatch:
        """Make a move as `play` does, in a match that was read already."""
        if _pressed(stored, member_id, board).lagging or self.is_stalled(stored):
            return stored
        try:
            match = stored.match.play(move, by=Member(member_id))
        except GameError as error:
            raise Refusal(error, stored) from error
        try:
            return await self.save_turn(stored, match)
        except ChangedError as error:
            current = await self.get(stored.id)
            check_not_archived(current)
            raise Refusal("refusal.too_late", current) from error

    async def archive(self, stored: StoredMatch) -> bool:
        """Archive a match, which frees its channel; return False if it has changed since."""
        if not await self._store.holding.archive(stored, self._now()):
            return False
        self.note_archived(stored)
        return True

    def note_archived(self, stored: StoredMatch) -> None:
        """Have it shown that a match was archived, and its questions to players end."""
        for call in self.on_archived:
            call(stored)
        self.note_void(stored)

    def note_void(self, stored: StoredMatch) -> None:
        """Have the questions in a match that may be void looked at, if it has open ones."""
        if stored.asking:
            for call in self.on_void:
                call(stored)

    async def resign(self, stored: StoredMatch, member_id: MemberId) -> StoredMatch:
        """Resign for a member; return the match, which may go on without them; raise Refusal."""
        return await self.change(stored, lambda match: match.resign(Member(member_id)))

    async def play_on_unrated(self, stored: StoredMatch) -> StoredMatch:
        """Make a match unrated, so that it may have hints, and return it; raise Refusal."""
        if not await self._store.play_on_unrated(stored):
            raise Refusal(MatchOver(), stored)
        return await self.get(stored.id)

    async def change(self, stored: StoredMatch, change: Callable[[Match], Match]) -> StoredMatch:
        """Return the match after a change, such as `Match.agree_draw`; raise Refusal.

        It is saved if no turn was saved meanwhile.
        """
        return await self._save_change(stored, _after(stored, change))

    async def forfeit(self, stored: StoredMatch, member_id: MemberId) -> StoredMatch:
        """Resign for a member who is about to be erased; return the match; raise Refusal.

        Unlike `resign`, this takes archived matches, too. One that goes on stays archived.
        """
        match = _by_rules(stored, lambda match: match.resign(Member(member_id)))
        return await self._save_change(stored, match)

    async def _save_change(self, stored: StoredMatch, match: Match) -> StoredMatch:
        # If the member to move has left, the computer may be next.
        match = self._computer.quick_moves(match)
        try:
            return await self._store.save(stored, match, self._now())
        except ChangedError as error:
            raise Refusal("refusal.too_late", await self.get(stored.id)) from error
        except ChannelTakenError as error:
            await self.check_free(stored.place.channel_id, agreed=True)
            raise Refusal("refusal.too_late", stored) from error

    async def save_turn(self, before: StoredMatch, match: Match) -> StoredMatch:
        """Save a turn with the computer's quick answer, and return it; raise ChangedError."""
        if isinstance(match.next_player, Computer):
            match = self._computer.quick_moves(match)
        return await self._store.save(before, match, self._now())

    async def computer_moves(self, stored: StoredMatch) -> StoredMatch | None:
        """Return a match after the computer's moves.

        Returns None if the computer isn't to move or finds no move, if the match has changed
        meanwhile, or if somebody else is waiting for the same answer. The caller doesn't hold the
        channel's lock: others may act while the computer thinks. There is one search at a time in a
        channel, so that nobody can fill the queue by undoing moves.
        """
        channel_id = stored.place.channel_id
        while (other := self._thinking.get(channel_id)) is not None:
            searched, answering = other
            if (searched.id, searched.revision) == (stored.id, stored.revision):
                return None
            await asyncio.wait([answering])
            current = await self._store.load(stored.id)
            if current is None or current.revision != stored.revision:
                return None
        answering = asyncio.create_task(self._computer_moves(stored))
        self._thinking[channel_id] = stored, answering
        try:
            return await answering
        finally:
            del self._thinking[channel_id]

    async def _computer_moves(self, stored: StoredMatch) -> StoredMatch | None:
        match = await self._computer.moves(stored.match, stored.place.queue_id)
        if match is stored.match:
            return None
        async with self.lock(stored.place.channel_id):
            try:
                return await self._store.save(stored, match, self._now())
            except ChangedError:
                return None

    def is_stalled(self, stored: StoredMatch) -> bool:
        """Return whether the computer should be thinking and isn't, since an attempt has failed."""
        return stored.place.channel_id not in self._thinking and stored.computer_due


def check_not_archived(stored: StoredMatch) -> None:
    """Raise Refusal for an archived match."""
    if stored.archived:
        raise Refusal("refusal.put_away", stored)


def check_newest(stored: StoredMatch, message_id: MessageId | None) -> None:
    """Raise Refusal for an archived match, or if a board was pressed that is older than the newest.

    The ply doesn't tell an old board, because after an undo it can be the current ply again.
    Message ids do: they grow with time. A match that was restarted has no board any more.
    """
    check_not_archived(stored)
    outcome = stored.match.outcome
    if message_id and outcome and outcome.termination is Termination.RESTARTED:
        raise Refusal("refusal.old_board", replace(stored, board_id=None))
    if message_id and stored.board_id and message_id < stored.board_id:
        raise Refusal("refusal.old_board", stored)


def seat_or_refuse(stored: StoredMatch, member_id: MemberId) -> int:
    """Return the seat of a member; raise Refusal for a stranger."""
    try:
        return stored.match.seat_of(Member(member_id))
    except GameError as error:
        raise Refusal(error, stored) from error


def may_count(stored: StoredMatch) -> bool:
    """Return whether a match that is being played may still be rated."""
    spoilt = stored.hinted or stored.undone or stored.entry.unrated
    return stored.place.server_id is not None and stored.match.rated and not spoilt


def _gives_way(stored: StoredMatch, players: Sequence[Player]) -> bool:
    """Return whether one of these players plays a match alone, so that it can be archived."""
    ids = {player.id for player in players if isinstance(player, Member)}
    return alone(stored.match) and not stored.staying.isdisjoint(ids)


def check_to_move(stored: StoredMatch, member_id: MemberId) -> None:
    """Raise Refusal unless it is this member's turn."""
    try:
        stored.match.check_turn(Member(member_id))
    except GameError as error:
        raise Refusal(error, stored) from error


def resigned(stored: StoredMatch, member_id: MemberId) -> Match:
    """Return the match as it would be if this member resigned; raise Refusal."""
    return _after(stored, lambda match: match.resign(Member(member_id)))


def _after(stored: StoredMatch, change: Callable[[Match], Match]) -> Match:
    """Return the match after a change; raise Refusal if it is archived, or by the rules."""
    check_not_archived(stored)
    return _by_rules(stored, change)


def _by_rules(stored: StoredMatch, change: Callable[[Match], Match]) -> Match:
    """Return the match after a change; raise Refusal if the rules don't allow it."""
    try:
        return change(stored.match)
    except GameError as error:
        raise Refusal(error, stored) from error


def _in_channel(stored: StoredMatch | None, channel_id: ChannelId | None) -> StoredMatch:
    if stored is None or channel_id not in (None, stored.place.channel_id):
        raise Refusal("refusal.no_such_match")
    return stored


def _pressed(stored: StoredMatch, member_id: MemberId, board: PressedBoard | None) -> Pressed:
    """Return a match, and whether the board that a member has pressed lags behind it.

    Raises Refusal for an old board, and for a stranger unless the board lags behind.
    """
    check_newest(stored, board.message_id if board else None)
    current = {stored.shown_ply}
    if board and board.message_id != stored.board_id and (board.private or stored.place.posts):
        # A private row of moves may be from before a resignation, and so may an unknown board.
        # Where the bot can post, it looks for such boards; elsewhere only a press reaches them.
        current.add(stored.match.ply)
    lagging = board is not None and board.ply not in current
    if not lagging:
        seat_or_refuse(stored, member_id)
    return Pressed(stored, lagging)
