"""The threads of finished games, and of matches in a busy channel: they are archived in the end.

Otherwise they would stay in the sidebars of their players, and count towards the active threads
that Discord allows a server. Until then, members have time to talk there. Discord's own list of
active threads says which are left, so that nothing has to be noted, and nothing is forgotten by a
kill. A message reopens an archived thread.
"""

from collections.abc import Callable

from cachetools import LRUCache
from discord.utils import as_chunks

from bot.gateway.errors import only_passing
from bot.gateway.loops import Loop
from bot.gateway.threads import Threads
from bot.identity import ChannelId
from bot.times import HOUR
from bot.tournaments.store import TournamentLists

_EVERY_SECONDS = 60.0
# To look at the final board, and to say "well played"; also from when a thread was reopened.
_TALK_SECONDS = HOUR
# Threads are archived soon after they were looked at.
_AT_ONCE = 100
_REMEMBERED = 10_000


class FinishedThreads:
    """Archives the threads of finished games. `now` gives Unix seconds."""

    def __init__(self, lists: TournamentLists, threads: Threads, now: Callable[[], int]):
        self._lists = lists
        self._threads = threads
        self._now = now
        # Until when threads are left alone: members talk there, or Discord has refused.
        self._left_until: LRUCache[ChannelId, float] = LRUCache(_REMEMBERED)
        self.loop = Loop("archiving threads of tournaments", _EVERY_SECONDS, self._archive_finished)

    async def _archive_finished(self) -> None:
        """Archive the threads in which nobody has played or written for an hour.

        Raises a CALL_FAILED that may pass.
        """
        now = self._now()
        since = now - _TALK_SECONDS
        active = self._threads.own_active(since)
        due = [one for one in active if self._left_until.get(one, 0.0) <= now]
        for some in as_chunks(due, _AT_ONCE):
            in_use = await self._lists.in_use(some, since)
            for thread_id in (one for one in some if one not in in_use):
                with only_passing():
                    await self._archive(thread_id, since)

    async def _archive(self, thread_id: ChannelId, since: int) -> None:
        """Archive a thread unless somebody has written there `since`; raise one of CALL_FAILED."""
        # If this fails, it is tried again after an hour: nobody waits for it, and it would hold up
        # the others.
        self._left_until[thread_id] = self._now() + _TALK_SECONDS
        last = await self._threads.last_message_at(thread_id)
        if last > since:
            self._left_until[thread_id] = last + _TALK_SECONDS
        else:
            await self._threads.archive(thread_id)
