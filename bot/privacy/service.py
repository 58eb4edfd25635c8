"""The stored data of members and servers: export and erasure."""

import json
import logging
from collections.abc import Callable, Iterable

from bot.db import CorruptRowError
from bot.identity import MemberId, ServerId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.privacy.store import PersonalStore
from bot.refusals import Refusal

log = logging.getLogger(__name__)

_DAY = 86_400


class PrivacyService:
    """Exports and erases data. A server's is kept for `days` after the bot was removed from it."""

    def __init__(
        self, store: PersonalStore, matches: MatchService, clock: Callable[[], int], days: int
    ):
        self._store = store
        self._matches = matches
        self._clock = clock
        self._days = days

    async def export(self, member_id: MemberId) -> bytes:
        """Return everything that is stored about a member, as JSON."""
        found = {"exported_at": self._clock(), **await self._store.export(member_id)}
        return json.dumps(found, indent=2, ensure_ascii=False).encode()

    async def forget(self, member_id: MemberId) -> list[StoredMatch]:
        """Erase a member, who resigns their live matches; return those matches as they ended."""
        ended = []
        for match_id in await self._store.live(member_id):
            try:
                stored = await self._matches.get(match_id)
                ended.append(await self._matches.resign(stored, member_id))
            except (Refusal, CorruptRowError) as error:
                # It has just ended, is archived, or can't be read.
                log.info("match %s ends without a resignation: %s", match_id, error)
        await self._store.forget(member_id)
        return [await self._matches.get(stored.id) for stored in ended]

    async def note_servers(self, present: Iterable[ServerId]) -> None:
        """Note the servers that the bot is on, after it was offline."""
        await self._store.note_guilds(present, self._clock())

    async def note_server(self, server_id: ServerId, *, present: bool) -> None:
        """Note that the bot was removed from a server, or has come back to it."""
        await self._store.note_guild(server_id, None if present else self._clock())

    async def erase_servers(self) -> None:
        """Erase the servers that the bot was removed from at least `days` ago."""
        for server_id in await self._store.erase_guilds(self._clock() - self._days * _DAY):
            log.info("the data of server %s is erased: Rowbot was removed from it", server_id)
