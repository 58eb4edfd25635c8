"""The stored data of members and servers: export and erasure."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager, closing
from random import Random
from typing import IO

from bot.db.errors import CorruptRowError
from bot.identity import MemberId, ServerId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.privacy.archive import Archive
from bot.privacy.store import PersonalStore, ServerDataStore
from bot.refusals import Refusal

log = logging.getLogger(__name__)

_DAY = 86_400
# A server without a new match for this many days is idle. Each round looks at some idle servers
# that this process doesn't see, and asks Discord about a few of them.
_IDLE_DAYS = 7
_LOOKED_AT = 500
_ASKED_A_ROUND = 50
# A press on a challenge that is closed is told for this long how it ended.
_INVITATION_DAYS = 30


class PrivacyService:
    """Exports and erases the data of members; `store` has that in the database."""

    def __init__(self, store: PersonalStore, matches: MatchService, now: Callable[[], int]):
        self.store = store
        self._matches = matches
        self._now = now

    @asynccontextmanager
    async def export(self, member_id: MemberId, limit: int) -> AsyncIterator[list[IO[bytes]]]:
        """Yield everything that is stored about a member: zip files of at most `limit` bytes."""
        head = {"exported_at": self._now(), "user_id": member_id}
        with closing(Archive(head, limit)) as archive:
            async for section, rows in self.store.pages(member_id):
                await asyncio.to_thread(archive.add, section, rows)
            yield await asyncio.to_thread(archive.finish)

    async def _asked(self, member_id: MemberId) -> list[StoredMatch]:
        """Return the matches of a member in which messages ask players to agree."""
        found = []
        for match_id in await self.store.asked(member_id):
            try:
                found.append(await self._matches.get(match_id))
            except (Refusal, CorruptRowError) as error:
                log.info("a question in match %s stays: %s", match_id, error)
        return found

    async def forget(self, member_id: MemberId) -> list[StoredMatch]:
        """Erase a member, who resigns their live matches; return those matches as they ended."""
        asked, ended = await self._asked(member_id), []
        for match_id in await self.store.live(member_id):
            try:
                async with self._matches.held(match_id) as stored:
                    ended.append(await self._matches.resign(stored, member_id))
            except (Refusal, CorruptRowError) as error:
                # It has just ended, is archived, or can't be read.
                log.info("match %s ends without a resignation: %s", match_id, error)
        await self.store.forget(member_id)
        for stored in asked:
            self._matches.note_void(stored)
        return [await self._matches.get(stored.id) for stored in ended]

    async def erase_invitations(self) -> None:
        """Erase the invitations that have been closed for long: nobody asks for them again."""
        while await self.store.erase_invitations(self._now() - _INVITATION_DAYS * _DAY):
            pass


class ServerDataService:
    """Erases a server's data `days` after the bot has left it.

    Only Discord can tell that the bot has left: by an event, or when it is asked for the server.
    Not to see a server means nothing, since another process may be connected to it. `is_there`
    asks whether the bot is on a server; None if Discord doesn't tell.
    """

    def __init__(
        self,
        store: ServerDataStore,
        is_there: Callable[[ServerId], Awaitable[bool | None]],
        rng: Random,
        now: Callable[[], int],
        days: int,
    ):
        self._store = store
        self._is_there = is_there
        self._rng = rng
        self._now = now
        self._days = days

    async def note_left(self, server_id: ServerId) -> None:
        """Note that Discord has told of the bot's removal from a server."""
        await self._store.note_left(server_id, self._now())

    async def note_present(self, server_ids: Iterable[ServerId]) -> None:
        """Note that the bot is on these servers."""
        await self._store.note_present(server_ids, self._now())

    async def has_left(self, server_id: ServerId) -> bool:
        """Return whether the bot was removed from a server that it doesn't see, and note it."""
        if await self._is_there(server_id) is not False:
            return False
        await self.note_left(server_id)
        return True

    async def find_left(self, seen: Collection[ServerId]) -> None:
        """Note the servers that the bot was removed from while it was offline.

        No event tells of them. Some of those that have data, aren't among the `seen` and have been
        idle are asked for, so that a round makes few requests. The `seen` are noted as well: when
        they came, the database may have been away.
        """
        await self.note_present(seen)
        unseen = sorted(await self._store.not_left() - set(seen))
        some = self._rng.sample(unseen, min(len(unseen), _LOOKED_AT))
        idle = await self._store.idle(some, self._now() - _IDLE_DAYS * _DAY)
        for server_id in idle[:_ASKED_A_ROUND]:
            await self.has_left(server_id)

    async def erase_servers(self) -> None:
        """Erase the servers that the bot left at least `days` ago, and isn't on again."""
        for server_id in await self._store.left_by(self._now() - self._days * _DAY):
            there = await self._is_there(server_id)
            if there:
                await self.note_present([server_id])
            elif there is False and await self._store.erase(server_id):
                log.info("the data of server %s is erased: Rowbot was removed from it", server_id)
