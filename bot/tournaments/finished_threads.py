"""The threads of finished games: they are archived when members have had time to talk there.

Otherwise they would stay in the sidebars of their players, and count towards the active threads
that Discord allows a server. Discord's own list of active threads says which are left, so that
nothing has to be noted, and nothing is forgotten by a kill. A message reopens an archived thread.
"""

from collections.abc import Callable

from discord.utils import as_chunks

from bot.gateway.errors import only_passing
from bot.gateway.threads import Threads
from bot.times import HOUR
from bot.tournaments.store import TournamentLists

# To look at the final board, and to say "well played"; also from when a thread was reopened.
_TALK_SECONDS = HOUR
_AT_ONCE = 500


class FinishedThreads:
    """Archives the threads of finished games. `now` gives Unix seconds."""

    def __init__(self, lists: TournamentLists, threads: Threads, now: Callable[[], int]):
        self._lists = lists
        self._threads = threads
        self._now = now

    async def archive(self) -> None:
        """Archive the threads in which nothing has been played for an hour.

        Raises a CALL_FAILED that may pass.
        """
        since = self._now() - _TALK_SECONDS
        for some in as_chunks(self._threads.own_active(since), _AT_ONCE):
            for thread_id in await self._lists.finished(some, since):
                with only_passing():
                    await self._threads.archive(thread_id)
