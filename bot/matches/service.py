"""The service behind commands and buttons: load, ask the core, let the computer answer, save.

One turn is a member's move and the computer's answer to it. It is read once and written once, in
one transaction, before anything of it is shown; only an answer that takes a search is written by
itself, after the move. What is read is only written if the database still holds it
(`MatchStore.save`), so a doubled press plays once, whoever races.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from weakref import WeakValueDictionary

from bot.matches.boards import Boards
from bot.matches.checks import check_there, check_turn
from bot.matches.computer import ComputerPlayer
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.matches.turns import ChangedError, ChannelTakenError, Turn
from bot.refusals import Refusal
from core.errors import GameError, MatchOver
from core.match import Match
from core.players import Member, Player


class Matches:
    """Every match there is, and every way in which one changes. `clock` gives Unix seconds."""

    def __init__(
        self,
        store: MatchStore,
        computer: ComputerPlayer,
        rng: Random,
        clock: Callable[[], int],
    ):
        self.store = store
        self.rng = rng
        self.clock = clock
        self.boards = Boards(store)
        self.computer = computer
        self._channels: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, channel_id: int) -> AsyncIterator[None]:
        """Hold back other turns of a channel until this one is saved and shown."""
        lock = self._channels.setdefault(channel_id, asyncio.Lock())
        async with lock:
            yield

    async def get(self, match_id: int, channel_id: int | None = None) -> StoredMatch:
        """Return the match; raise Refusal where there is none, or it isn't of that channel."""
        return self._known(await self.store.load(match_id), "refusal.no_such_match", channel_id)

    async def live(self, channel_id: int) -> StoredMatch:
        """Return the match that is being played in a channel; raise Refusal, also for one over."""
        stored = await self.latest(channel_id)
        check_there(stored)
        if stored.match.outcome:
            raise Refusal(MatchOver(), stored)
        return stored

    async def latest(self, channel_id: int) -> StoredMatch:
        """Return the live match of a channel, else its newest; raise Refusal."""
        stored = await self.store.live(channel_id) or await self.store.latest(channel_id)
        return self._known(stored, "refusal.no_match")

    def _known(
        self, stored: StoredMatch | None, otherwise: str, channel_id: int | None = None
    ) -> StoredMatch:
        if stored is None or channel_id not in (None, stored.place.channel_id):
            raise Refusal(otherwise)
        return self.boards.located(stored)

    async def board_before(self, stored: StoredMatch) -> int | None:
        """Return the message with the final board of the match before, None where none is known."""
        before = await self.store.finished_before(stored)
        return self.boards.newest(*before) if before else None

    async def check_free(self, channel_id: int) -> None:
        """Raise Refusal, with the board's link, where a match is being played."""
        if (stored := await self.store.live(channel_id)) is not None:
            raise Refusal("refusal.channel_busy", self._known(stored, ""))

    async def check_last(self, stored: StoredMatch) -> None:
        """Raise Refusal where the channel is busy, or the series has gone on after this match."""
        await self.check_free(stored.place.channel_id)
        last = await self.latest(stored.place.channel_id)
        if last.series_id == stored.series_id and last.id != stored.id:
            raise Refusal("refusal.rematched", last)

    async def play(
        self,
        match_id: int,
        member_id: int,
        move: str,
        ply: int | None = None,
        message_id: int | None = None,
        channel_id: int | None = None,
    ) -> StoredMatch:
        """Make a member's move, given in notation, and the computer's answer; return the match.

        `ply`, `message_id` and `channel_id` are what the member saw and where, None for whatever is
        current. The result's `board_id` is still the board before the move. Raises Refusal.
        """
        async with self.store.turn(match_id) as turn:
            stored = self._known(turn.stored, "refusal.no_such_match", channel_id)
            check_turn(stored, member_id, ply, message_id)
            try:
                match = stored.match.play(move, by=Member(member_id), ply=ply)
            except GameError as error:
                raise Refusal(error, stored) from error
            try:
                saved = await self.write(turn, match)
            except ChangedError as error:
                raise Refusal("refusal.too_late", stored) from error
        return await self.searched(saved)

    async def undo(self, stored: StoredMatch, player: Player) -> StoredMatch:
        """Return the match back at the last decision of `player`; raise Refusal."""
        return await self._change(stored, lambda match: match.undo(player))

    async def resign(self, stored: StoredMatch, member_id: int) -> StoredMatch:
        """Return the match, lost by a member, or played on without them; raise Refusal."""
        return await self._change(stored, lambda match: match.resign(Member(member_id)))

    async def depart(self, stored: StoredMatch, member_id: int) -> StoredMatch:
        """Return the match without a member who has left the server; raise Refusal."""
        return await self._change(stored, lambda match: match.depart(Member(member_id)))

    async def agree_draw(self, stored: StoredMatch) -> StoredMatch:
        """Return the match, drawn by agreement; raise Refusal."""
        return await self._change(stored, Match.agree_draw)

    async def _change(self, stored: StoredMatch, change: Callable[[Match], Match]) -> StoredMatch:
        check_there(stored)
        try:
            match = change(stored.match)
        except GameError as error:
            raise Refusal(error, stored) from error
        # Whoever left may have been to move, and the computer comes next.
        return await self.searched(await self.save(stored, await self.computer.glance(match)))

    async def save(self, before: StoredMatch, match: Match) -> StoredMatch:
        """Write a changed match and return it; raise Refusal where somebody was faster."""
        try:
            return await self.store.save(before, match, self.clock())
        except ChangedError as error:
            raise Refusal("refusal.too_late", await self.get(before.id)) from error
        except ChannelTakenError as error:
            await self.check_free(before.place.channel_id)
            raise Refusal("refusal.too_late", before) from error

    async def write(self, turn: Turn, match: Match) -> StoredMatch:
        """Save a turn with the computer's answer, and return the match; raise ChangedError."""
        saved = await turn.save(await self.computer.glance(match), self.clock())
        return self.boards.located(saved)

    async def searched(self, stored: StoredMatch) -> StoredMatch:
        """Return the match after the computer's moves, where the next one takes a search.

        To be called once a change is saved.
        """
        return await self.resume(stored) if self.computer.searches(stored.match) else stored

    async def resume(self, stored: StoredMatch) -> StoredMatch:
        """Return the match after the computer's moves, where those are missing.

        Where somebody else has changed it in the meantime it is returned as it is by then.
        """
        match = await self.computer.answer(stored.match)
        if match is stored.match:
            return stored
        try:
            return await self.store.save(stored, match, self.clock())
        except ChangedError:
            return await self.get(stored.id)
