"""The feature: a loop that looks every few seconds for matches in which something is due.

A round with nothing due is one query by index. No state is in memory: a round claims a due match in
the database, and then acts on it.
"""

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial

import discord

from bot.clocks.reminders import Reminders
from bot.clocks.service import ClockService
from bot.clocks.store import Due, DueStore
from bot.gateway.errors import CALL_FAILED
from bot.gateway.feature import Feature
from bot.gateway.loops import Loop
from bot.gateway.reach import Reach
from bot.identity import MemberId, ServerId
from bot.logs import mark
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.shards import Hears

log = logging.getLogger(__name__)

_EVERY_SECONDS = 5.0
_AT_ONCE = 10
# The most due matches in a round; the rest is left to the next one.
_MOST = 1000
# If a deadline is found only this long after it has passed, the bot, its database or its machine
# was away, and nobody could move.
_MISSED_SECONDS = 60


class Clocks(Feature):
    """Reminders, lost time, and the archiving of idle matches.

    `note_if_left` notes a removal of the bot from a server, and returns whether there was one.
    `now` gives Unix seconds.
    """

    def __init__(
        self,
        store: DueStore,
        matches: MatchService,
        clocks: ClockService,
        boards: Boards,
        reminders: Reminders,
        reach: Reach,
        hears: Hears,
        note_if_left: Callable[[ServerId], Awaitable[bool]],
        now: Callable[[], int],
    ):
        self._store = store
        self._matches = matches
        self._clocks = clocks
        self._boards = boards
        self._reminders = reminders
        self._reach = reach
        self._hears = hears
        self._note_if_left = note_if_left
        self._now = now
        self._caught_up = False
        self._loop = Loop("sweeping due matches", _EVERY_SECONDS, self.sweep, early=True)

    def loops(self) -> Sequence[Loop]:
        """Return the loop that looks for due matches."""
        return [self._loop]

    async def sweep(self) -> None:
        """Act on every due match."""
        now = self._now()
        due = await self._store.due(now, _MOST)
        found = dict[Due, StoredMatch]()

        async def look(one: Due) -> None:
            if (stored := await self._act(one, now)) is not None:
                found[one] = stored

        await self._loop.each(due, look, _AT_ONCE)
        over = defaultdict[ServerId, list[StoredMatch]](list)
        for one, stored in found.items():
            if one.is_over(now):
                over[one.server_id].append(stored)
        await self._loop.each([*over.items()], self._end_on, _AT_ONCE)
        claimed = [stored for one, stored in found.items() if not one.is_over(now)]
        await self._reminders.send(claimed, self._loop)
        # Until a round has seen all due matches, any deadline may have passed before the start.
        self._caught_up |= len(due) < _MOST

    async def _act(self, due: Due, now: int) -> StoredMatch | None:
        """Return a due match if its time is over `now`, or if its player is to be reminded.

        Puts off, stops or archives any other match, unless a move has come first.
        """
        mark(channel=due.channel_id)  # where a permission may be missing
        if due.deadline is not None and not self._hears(due.server_id):
            await self._store.put_off(due, self._now(), remind=False)
            return None
        # Asked before a lock is taken: Discord may take seconds to answer.
        if await self._stop_if_left(due):
            return None
        if due.is_over(now, _MISSED_SECONDS if self._caught_up else 0):
            await self._store.put_off(due, self._now(), remind=True)
            return None
        if due.is_over(now):
            return await self._clocks.still_due(due)
        return await self._carry_out(due)

    async def _stop_if_left(self, due: Due) -> bool:
        """Stop the clock of a due match if its server has removed the bot; return whether it has.

        Without a deadline no clock runs. Discord is asked only if somebody would lose on time now.
        """
        if due.deadline is None:
            return False
        loses = due.server_id != 0 and due.is_over(self._now())
        left = due.left or (loses and await self._note_if_left(due.server_id))
        if left:
            await self._store.stop(due, self._now())
        return left

    async def _carry_out(self, due: Due) -> StoredMatch | None:
        """Archive a due match, or claim its reminder; return it if its player is to be reminded."""
        async with self._matches.lock(due.channel_id):
            if due.deadline is not None:
                return await self._clocks.claim_reminder(due)
            if (idle := await self._clocks.still_due(due)) is not None:
                await self._matches.archive(idle)
            return None

    async def _end_on(self, of_server: tuple[ServerId, Sequence[StoredMatch]]) -> None:
        """End the matches of a server whose time is over, after asking for all their players.

        Many may end at once, and Discord takes few requests for members. If it doesn't tell who
        can press, the matches are left to the next round.
        """
        server_id, together = of_server
        players = {one for stored in together for one in stored.staying}
        members = await self._reach.there(server_id, players)
        if members is not None:
            await self._loop.each(together, partial(self._end, members), _AT_ONCE)

    async def _end(self, members: Mapping[MemberId, discord.Member], stored: StoredMatch) -> None:
        """End a match whose time is over, and post the result in the background.

        If Discord doesn't tell whether the channel is closed to a player, the match is left to the
        next round. Outside of servers that have the bot, Discord can't be asked.
        """
        channel_id = stored.place.channel_id
        closed_to: Collection[MemberId] = ()
        mark(channel=channel_id)
        try:
            if stored.place.server_id is not None:  # asked before the lock is taken
                closed_to = await self._reach.closed_to(channel_id, stored.staying, members)
        except CALL_FAILED as error:
            log.warning("it isn't known who can move in match %s: %s", stored.id, error)
            return
        async with self._matches.lock(channel_id):
            lost = await self._clocks.time_out(stored, closed_to)
        if lost is not None:
            self._boards.post_later(lost)
