"""The service behind a server's own settings."""

from collections.abc import Sequence
from typing import Any

from bot.matches.clock import LONGEST, MINUTE, SHORTEST
from bot.matches.model import ServerSettings
from bot.refusals import Refusal
from bot.servers.store import ServerStore

MOST_CHANNELS = 25
_LONGEST_CHALLENGE = 60 * 24 * 30  # minutes


class Servers:
    """What moderators have chosen for their servers. Read when a match begins, never for a turn."""

    def __init__(self, store: ServerStore):
        self._store = store

    async def settings(self, guild_id: int) -> ServerSettings:
        """Return a server's settings."""
        return await self._store.settings(guild_id)

    async def check_channel(
        self, guild_id: int, channel_id: int, parent_id: int | None
    ) -> ServerSettings:
        """Return the settings of a server; raise Refusal where games aren't played.

        `parent_id` is the channel of a thread, which counts as that channel.
        """
        settings = await self.settings(guild_id)
        if settings.channels and not {channel_id, parent_id} & set(settings.channels):
            raise Refusal("refusal.elsewhere", channels=settings.channels)
        return settings

    async def change(
        self,
        guild_id: int,
        *,
        channels: Sequence[int] | None = None,
        clock: int | None = None,
        challenge_minutes: int | None = None,
        boards_stay: bool | None = None,
    ) -> ServerSettings:
        """Change what is given and return all; a `clock` of 0 is none.

        Raises Refusal for what makes no sense, and changes nothing then.
        """
        changes: dict[str, Any] = {}
        if channels is not None:
            if len(channels) > MOST_CHANNELS:
                raise Refusal("refusal.settings.many", most=MOST_CHANNELS)
            changes["channels"] = tuple(dict.fromkeys(channels))
        if clock is not None:
            changes["clock"] = checked_clock(clock)
        if challenge_minutes is not None:
            if not 1 <= challenge_minutes <= _LONGEST_CHALLENGE:
                raise Refusal("refusal.settings.lifetime", high=_LONGEST_CHALLENGE)
            changes["challenge_seconds"] = challenge_minutes * MINUTE
        if boards_stay is not None:
            changes["boards_stay"] = boards_stay
        if not changes:
            raise Refusal("refusal.settings.nothing")
        await self._store.change(guild_id, changes)
        return await self.settings(guild_id)


def checked_clock(clock: int) -> int | None:
    """Return a clock in seconds, None for 0; raise Refusal for one that isn't offered."""
    if clock and not SHORTEST <= clock <= LONGEST:
        raise Refusal("refusal.clock")
    return clock or None
