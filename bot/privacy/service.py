"""The service behind /mydata, and behind leaving a server: handing out and erasing."""

import json
import logging
from collections.abc import Callable, Iterable

from bot.matches.model import StoredMatch
from bot.matches.rows import CorruptRowError
from bot.matches.service import Matches
from bot.privacy.store import PersonalStore
from bot.refusals import Refusal

log = logging.getLogger(__name__)

_DAY = 86_400


class Privacy:
    """What people may ask about their data. A removed server's is kept for `days`."""

    def __init__(self, store: PersonalStore, matches: Matches, clock: Callable[[], int], days: int):
        self._store = store
        self._matches = matches
        self._clock = clock
        self._days = days

    async def export(self, member_id: int) -> bytes:
        """Return all that is stored about a member, as JSON."""
        found = {"exported_at": self._clock(), **await self._store.export(member_id)}
        return json.dumps(found, indent=2, ensure_ascii=False).encode()

    async def forget(self, member_id: int) -> list[StoredMatch]:
        """Erase a member, who resigns from what they play; return those matches as they ended."""
        ended = []
        for match_id in await self._store.live(member_id):
            try:
                stored = await self._matches.get(match_id)
                ended.append(await self._matches.resign(stored, member_id))
            except (Refusal, CorruptRowError) as error:
                # Over by itself in this moment, or not to be played on anyway.
                log.info("match %s ends without a resignation: %s", match_id, error)
        await self._store.forget(member_id)
        return [await self._matches.get(stored.id) for stored in ended]

    async def note_servers(self, present: Iterable[int]) -> None:
        """Write down on which servers the bot is, after it was away."""
        await self._store.note_guilds(present, self._clock())

    async def note_server(self, guild_id: int, *, present: bool) -> None:
        """Write down that the bot was removed from a server, or has come back to it."""
        await self._store.note_guild(guild_id, None if present else self._clock())

    async def erase_servers(self) -> None:
        """Erase what the bot was removed from long enough ago."""
        for guild_id in await self._store.erase_guilds(self._clock() - self._days * _DAY):
            log.info("the data of server %s is erased: Rowbot was removed from it", guild_id)
