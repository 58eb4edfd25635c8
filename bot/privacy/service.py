"""The stored data of members: export and erasure."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from bot.db.errors import CorruptRowError
from bot.identity import MatchId, MemberId
from bot.matches.clock import alone
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.privacy.json_object import JsonObject
from bot.privacy.store import PersonalStore
from bot.refusals import Refusal
from bot.times import DAY

log = logging.getLogger(__name__)

_INSIDE = "rowbot-data.json"
# Larger exports are on the disk.
_IN_MEMORY = 1024 * 1024
# For this long, the answer to a press on a closed challenge says how it ended.
_INVITATION_DAYS = 30


class PrivacyService:
    """Exports and erases the data of members, which `store` has in the database."""

    def __init__(self, store: PersonalStore, matches: MatchService, now: Callable[[], int]):
        self._store = store
        self._matches = matches
        self._now = now

    @asynccontextmanager
    async def export(self, member_id: MemberId, limit: int) -> AsyncIterator[IO[bytes]]:
        """Yield everything that is stored about a member, as a zip file.

        Raises Refusal if it is larger than `limit` bytes.
        """
        head = {"exported_at": self._now(), "user_id": member_id}
        with SpooledTemporaryFile(_IN_MEMORY) as file:
            with ZipFile(file, "w", ZIP_DEFLATED) as packed, packed.open(_INSIDE, "w") as entry:
                data = JsonObject(entry, head)
                async for section, rows in self._store.pages(member_id):
                    await asyncio.to_thread(data.add, section, rows)
                data.end()
            if file.tell() > limit:
                raise Refusal("refusal.too_much_data")
            file.seek(0)
            yield file

    async def forget(self, member_id: MemberId) -> list[StoredMatch]:
        """Resign a member's matches, and erase the member; return the matches to be shown.

        These have ended, or are played on by others. Archived matches between members end now, too:
        otherwise the others could choose when they win them. Those that only this member could
        bring back stay as they are.
        """
        asked = await self._asked(member_id)
        left = await self._forfeit(member_id)
        await self._store.forget(member_id)
        for stored in asked:
            self._matches.note_void(stored)
        current = [await self._matches.get(match_id) for match_id in left]
        for stored in current:
            if stored.archived:
                self._matches.note_archived(stored)  # its message has their name
        return [stored for stored in current if not stored.archived]

    async def _forfeit(self, member_id: MemberId) -> list[MatchId]:
        """Resign a member's matches that aren't over; return their ids."""
        left = list[MatchId]()
        for match_id in await self._store.not_over(member_id):
            try:
                async with self._matches.held(match_id) as stored:
                    if not (stored.archived and alone(stored.match)):
                        left.append((await self._matches.forfeit(stored, member_id)).id)
            except (Refusal, CorruptRowError) as error:
                # It has just ended or changed, or can't be read.
                log.info("match %s ends without a resignation: %s", match_id, error)
        return left

    async def _asked(self, member_id: MemberId) -> list[StoredMatch]:
        """Return the matches of a member in which messages ask players to agree."""
        found = []
        for match_id in await self._store.asked(member_id):
            try:
                found.append(await self._matches.get(match_id))
            except (Refusal, CorruptRowError) as error:
                log.info("a question in match %s stays: %s", match_id, error)
        return found

    async def erase_invitations(self) -> None:
        """Erase invitations that were closed long ago, which nobody needs any more."""
        while await self._store.erase_invitations(self._now() - _INVITATION_DAYS * DAY):
            pass
