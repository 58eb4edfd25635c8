"""Debts of the program's last run: moves of the computer, boards to show, old boards to remove."""

import asyncio
import logging
from collections.abc import Callable

from bot.db.errors import CorruptRowError
from bot.identity import ChannelId, MatchId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.refusals import Refusal

log = logging.getLogger(__name__)

# Some moves take a search. The others needn't wait for it, nor the members in their channels.
_AT_ONCE = 4
# A first board is on its way for at most this long, and noted in the database within five seconds.
_SHOWN_WITHIN_SECONDS = 10
# Players of an older match have asked for its board, or gone.
_RECENT_SECONDS = 3600


class StillOwedError(Exception):
    """Some moves could not be made, though a later attempt may succeed."""


class Owed:
    """Makes the owed moves side by side, and shows matches.

    In the background, `show` makes sure that a channel has the board of a match, and no other one;
    `check` does so for a match that may have been shown.
    """

    def __init__(
        self,
        matches: MatchService,
        show: Callable[[MatchId], None],
        check: Callable[[MatchId], None],
    ):
        self._matches = matches
        self._show = show
        self._check = check

    async def make(self) -> None:
        """Make all owed moves; raise StillOwedError if that failed at some."""
        owed = await self._matches.store.computer_due()
        slots = asyncio.Semaphore(_AT_ONCE)
        made = [self._make(match_id, channel_id, slots) for match_id, channel_id in owed]
        errors = [e for e in await asyncio.gather(*made, return_exceptions=True) if e is not None]
        if errors:
            raise StillOwedError(f"{len(errors)} of {len(owed)} matches") from errors[0]

    async def catch_up(self) -> None:
        """Show the matches that have old boards, and remove these: some ends weren't shown.

        Then look at those whose newest board may be lost, or may stand beside the one before.
        """
        store, now = self._matches.store, self._matches.now()
        await store.board_ids.read_old()  # the database may have been away at the start
        old = store.board_ids.left_behind()
        for match_id in old:
            if await self._read(match_id) is not None:
                self._show(match_id)
        since, until = now - _RECENT_SECONDS, now - _SHOWN_WITHIN_SECONDS
        for match_id in await store.unshown(since, until):
            stored = None if match_id in old else await self._read(match_id)
            if stored is not None and stored.board_unsure and stored.place.posts:
                mend = self._show if stored.board_id is None else self._check
                mend(match_id)

    async def _read(self, match_id: MatchId) -> StoredMatch | None:
        """Return a match, None if there is none; one that is damaged keeps its boards."""
        try:
            return await self._matches.store.load(match_id)
        except CorruptRowError as error:
            log.warning("match %s keeps its boards: %s", match_id, error)
            self._matches.store.board_ids.forget_old(match_id)
            return None

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
            self._show(match_id)

    async def _made(self, match_id: MatchId, channel_id: ChannelId) -> StoredMatch | None:
        """Return the match after its owed moves, None if there were none to be made."""
        async with self._matches.lock(channel_id):
            resumed = await self._matches.resume_owed(match_id)
        if resumed is None or not self._matches.thinks(resumed):
            return resumed
        return await self._matches.answer(resumed)
