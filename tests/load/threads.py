"""The threads of the loopback Discord, all opened by the bot."""

from . import payloads
from .payloads import Json

# Their ids are among those of their guild's channels, which `payloads.guild_of` counts on.
_FIRST = payloads.CHANNELS_A_GUILD // 2


class Threads:
    """Public threads by their ids; Discord would archive none of them during a run."""

    def __init__(self) -> None:
        self._threads: dict[int, Json] = {}

    def open(self, parent_id: int, fields: Json) -> Json:
        """Open a thread in a channel, and return its channel object."""
        guild_id = payloads.guild_of(parent_id)
        first = parent_id - (parent_id - payloads.CHANNEL_BASE) % payloads.CHANNELS_A_GUILD
        here = sum(int(one["guild_id"]) == guild_id for one in self._threads.values())
        thread_id = first + _FIRST + here
        self._threads[thread_id] = payloads.thread(thread_id, parent_id, fields)
        return self._threads[thread_id]

    def of(self, guild_id: int) -> list[Json]:
        """Return the threads of a guild."""
        return [one for one in self._threads.values() if int(one["guild_id"]) == guild_id]

    def find(self, thread_id: int) -> Json | None:
        """Return a thread, or None if there is none."""
        return self._threads.get(thread_id)
