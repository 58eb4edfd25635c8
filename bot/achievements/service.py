"""Looking at ended matches for achievements."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from bot.achievements.model import Award
from bot.achievements.rules import (
    Achievement,
    in_one_match,
    lost_once,
    may_bring,
    over_all,
    proves_loss,
    won,
)
from bot.achievements.store import AchievementStore
from bot.db.errors import is_passing
from bot.identity import MemberId, ServerId, is_former
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.times import HOUR
from bot.workers.errors import NoResultError
from bot.workers.fair_queue import Ticket
from bot.workers.search_client import SearchClient
from core.players import Member

log = logging.getLogger(__name__)

# The most matches in a round: more than a process ends between two rounds.
_AT_ONCE = 200
# Reading all of them at once would hold up the event loop for 40 ms.
_READ_AT_ONCE = 20
# Matches that ended earlier are found after an update or an outage: nobody is told of them, and
# they aren't searched.
_FRESH_SECONDS = HOUR
_PROOF_SECONDS = 60.0


class AchievementService:
    """Finds the achievements of ended matches; `now` gives Unix seconds."""

    def __init__(
        self,
        store: AchievementStore,
        match_store: MatchStore,
        searches: SearchClient,
        now: Callable[[], int],
    ):
        self._store = store
        self._match_store = match_store
        self._searches = searches
        self._now = now

    async def candidates(self) -> list[StoredMatch]:
        """Return the ended matches that may bring achievements, as many as a round may look at.

        The others are marked, and aren't looked at again.
        """
        ended = await self._store.unexamined(_AT_ONCE)
        ids = [one.id for one in ended if one.unlost]
        matches = list[StoredMatch]()
        for at in range(0, len(ids), _READ_AT_ONCE):
            matches += await self._match_store.load_all(ids[at : at + _READ_AT_ONCE])
        for match_id in {*ids} - {stored.id for stored in matches}:
            log.warning("match %s brings no achievements: it can't be read", match_id)
        due = [stored for stored in matches if _earners(stored)]
        looked_at = {stored.id for stored in due}
        if nothing := [one for one in ended if one.id not in looked_at]:
            await self._store.mark(nothing)
        return due

    async def award(self, stored: StoredMatch) -> Award | None:
        """Write the achievements of a match and return them, None if that fails.

        A match that fails is passed over, so that it doesn't keep the others waiting. Raises only
        errors that may pass, such as those of a database that is away.
        """
        try:
            return await self._award(stored)
        except Exception as error:
            if is_passing(error):
                raise
            log.exception("match %s brings no achievements", stored.id)
            await self._store.mark([stored])
            return None

    async def current(self, award: Award) -> Award | None:
        """Return `award` without members who were erased since; None if the match was.

        Raises CorruptRowError.
        """
        stored = await self._match_store.load(award.stored.id)
        if stored is None:
            return None
        left = {
            member_id: found
            for member_id, found in award.earned.items()
            if Member(member_id) in stored.match.players
        }
        return replace(award, stored=stored, earned=left)

    async def _award(self, stored: StoredMatch) -> Award:
        server_id = stored.place.server_id
        assert server_id is not None, "only matches of servers are due"
        fresh = self._now() - (stored.ended_at or 0) < _FRESH_SECONDS
        found = {
            member_id: await self._brought(server_id, stored, seat, member_id, fresh=fresh)
            for seat, member_id in _earners(stored)
        }
        new = await self._store.award(stored.id, stored.revision, found)
        told = fresh and bool(new) and await self._store.tells(server_id)
        return Award(stored, new, told)

    async def _brought(
        self,
        server_id: ServerId,
        stored: StoredMatch,
        seat: int,
        member_id: MemberId,
        *,
        fresh: bool,
    ) -> set[Achievement]:
        """Return the achievements that a match brings a member, even if they have some already."""
        match = stored.match
        found = in_one_match(match, seat)
        if not won(match, seat):
            return found
        before = await self._store.earned(server_id, member_id)
        if not {Achievement.EVERY_BOARD, Achievement.EVERY_GAME} <= {*before}:
            found |= over_all(await self._store.wins(server_id, member_id))
        if fresh and Achievement.COMEBACK not in before and await self._came_back(stored, seat):
            found.add(Achievement.COMEBACK)
        return found

    async def _came_back(self, stored: StoredMatch, seat: int) -> bool:
        """Return whether it is proved that a seat that won had a lost position at some time."""
        until = asyncio.get_running_loop().time() + _PROOF_SECONDS
        ticket = Ticket(stored.place.queue_id, until=until, idle=True)
        for history in lost_once(stored.match, seat):
            try:
                found = await self._searches.analyse(ticket, history[-1])
            except NoResultError as error:
                log.info("match %s: no proof of a comeback: %r", stored.id, error)
                return False
            # In a thread: after repetitions it may take a tenth of a second.
            analysis = await asyncio.to_thread(found.analysis.in_match, stored.match.game, history)
            if proves_loss(analysis, seat):
                return True
        return False


def _earners(stored: StoredMatch) -> list[tuple[int, MemberId]]:
    """Return the members, with their seats, to whom a match may bring something."""
    if stored.hinted or stored.undone:
        return []
    return [
        (seat, MemberId(player.id))
        for seat, player in enumerate(stored.match.players)
        if isinstance(player, Member) and not is_former(player.id) and may_bring(stored.match, seat)
    ]
