"""The effects of time on a match: reminders, losses on time, stopped clocks, archived matches."""

import logging
from collections.abc import Callable, Collection

from bot.clocks.store import Due, DueStore
from bot.db.errors import ChangedError, CorruptRowError
from bot.identity import MemberId
from bot.matches.clock import runs
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from core.match import Match
from core.players import Member

log = logging.getLogger(__name__)


class ClockService:
    """Changes matches because time has passed; `store` claims them. `now` gives Unix seconds."""

    def __init__(
        self,
        store: DueStore,
        match_store: MatchStore,
        matches: MatchService,
        now: Callable[[], int],
    ):
        self._store = store
        self._match_store = match_store
        self._matches = matches
        self._now = now

    async def claim_reminder(self, due: Due) -> StoredMatch | None:
        """Return the match whose player is to be reminded, None if somebody else does it."""
        if not await self._store.claim_reminder(due, self._now()):
            return None
        return await self._matches.get(due.match_id)

    async def still_due(self, due: Due) -> StoredMatch | None:
        """Return a match that is to be archived, or whose time is over; None if a move came first.

        If the match can't be read, or nobody could lose on time, the clock is stopped, so that the
        match doesn't come up in every round. Without a clock, a match that can't be read is
        archived: in direct messages nobody else could free its channel.
        """
        try:
            stored = await self._match_store.load(due.match_id)
        except CorruptRowError:
            log.exception("match %s is left to itself", due.match_id)
            stored = None
        if stored is None or (due.deadline is not None and not runs(stored.match)):
            await self._store.stop(due, self._now())
            return None
        return stored if stored.timing.due_at == due.due_at else None

    async def time_out(
        self, stored: StoredMatch, closed_to: Collection[MemberId]
    ) -> StoredMatch | None:
        """Return the match, lost on time or left by a player; None if a move came first.

        It is stranded instead if its channel is closed to that player and no others play on; in a
        tournament, it then counts as drawn until the organiser corrects that. The result's
        `board_id` is still the board before.
        """
        try:
            return await self._matches.save_turn(stored, _timed_out(stored, closed_to))
        except ChangedError:
            return None


def _timed_out(stored: StoredMatch, closed_to: Collection[MemberId]) -> Match:
    """Return a match whose time has run out, as `ClockService.time_out` says."""
    match = stored.match
    after = match.time_out()
    if match.next_player not in [Member(one) for one in closed_to]:
        return after
    others_play_on = after.outcome is None and not stored.staying <= {*closed_to}
    return after if others_play_on else match.strand()
