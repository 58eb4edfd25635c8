"""Threads that were deleted with their channel while Discord had archived them."""

from collections.abc import Awaitable, Callable

from bot.gateway.loops import Loop
from bot.gateway.threads import Threads
from bot.identity import ChannelId, ServerId
from bot.matches.store import MatchStore

_EVERY_SECONDS = 60.0
_AT_ONCE = 1


class DeletedThreads:
    """Calls `deleted` with each such thread in which a match is being played.

    Discord reports only the deletion of the channel, and the bot doesn't know archived threads. So
    after one, this asks Discord for the channels that the bot doesn't know of all live matches on
    the server. A deletion while the bot is away is found when the clock of the match runs out.
    """

    def __init__(
        self,
        store: MatchStore,
        threads: Threads,
        deleted: Callable[[ChannelId], Awaitable[None]],
    ):
        self._store = store
        self._threads = threads
        self._deleted = deleted
        # Many channels may be deleted at once, so their server is looked at once a minute.
        self._servers = set[ServerId]()
        self.loop = Loop("looking for deleted threads", _EVERY_SECONDS, self.look)

    def note(self, server_id: ServerId) -> None:
        """Note that a channel of a server was deleted."""
        self._servers.add(server_id)

    async def look(self) -> None:
        """Look for deleted threads on the servers that were noted."""
        for server_id in tuple(self._servers):
            channels = await self._store.live_channels(server_id)
            self._servers.discard(server_id)
            await self.loop.each(channels, self._look_at, _AT_ONCE)

    async def _look_at(self, channel_id: ChannelId) -> None:
        if not await self._threads.exists(channel_id):
            await self._deleted(channel_id)
