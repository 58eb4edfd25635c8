"""The moves that the computer owed when the program last ended."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.db import CorruptRowError
from bot.identity import ChannelId, MatchId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.refusals import Refusal

log = logging.getLogger(__name__)

# Some moves take a search. The others needn't wait for it, nor the members in their channels.
_AT_ONCE = 4


class StillOwedError(Exception):
    """Some moves could not be made, though a later attempt may succeed."""


class OwedMoves:
    """Makes the owed moves side by side; `show` posts the board of a match."""

    def __init__(self, matches: MatchService, show: Callable[[StoredMatch], Awaitable[object]]):
        self._matches = matches
        self._show = show

    async def make(self) -> None:
        """Make all owed moves; raise StillOwedError if the database or Discord failed at some."""
        owed = await self._matches.store.computer_due()
        slots = asyncio.Semaphore(_AT_ONCE)
        made = [self._make(match_id, channel_id, slots) for match_id, channel_id in owed]
        errors = [e for e in await asyncio.gather(*made, return_exceptions=True) if e is not None]
        if errors:
            raise StillOwedError(f"{len(errors)} of {len(owed)} matches") from errors[0]

    async def _make(
        self, match_id: MatchId, channel_id: ChannelId, slots: asyncio.Semaphore
    ) -> None:
        async with slots:
            try:
                made = await self._made(match_id, channel_id)
            except (Refusal, CorruptRowError) as error:
                log.warning("match %s waits for /board: %s", match_id, error)
                return
        if made is not None:
            await self._show(made)

    async def _made(self, match_id: MatchId, channel_id: ChannelId) -> StoredMatch | None:
        """Return the match after its owed moves, None if there were none to be made."""
        async with self._matches.lock(channel_id):
            resumed = await self._matches.resume_owed(match_id)
        if resumed is None or not self._matches.thinks(resumed):
            return resumed
        return await self._matches.answer(resumed)
