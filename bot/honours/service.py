"""Achievements of ended matches, and the choices of servers about honours."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from bot.db.errors import is_passing
from bot.honours.achievements import (
    Achievement,
    in_one_match,
    lost_once,
    may_bring,
    over_all,
    proves_loss,
    won,
)
from bot.honours.model import Honoured, NewHonourSettings
from bot.honours.store import AchievementStore, HonourStore
from bot.identity import MemberId, RoleId, ServerId, is_former
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.ratings.model import month_before
from bot.refusals import Refusal
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

MOST_ROLES = 10
_LOWEST_RATING, _HIGHEST_RATING = 1, 5000


class AchievementService:
    """Finds the achievements of ended matches; `now` gives Unix seconds."""

    def __init__(
        self,
        achievement_store: AchievementStore,
        store: HonourStore,
        match_store: MatchStore,
        searches: SearchClient,
        now: Callable[[], int],
    ):
        self._achievement_store = achievement_store
        self._store = store
        self._match_store = match_store
        self._searches = searches
        self._now = now

    async def sift_ended(self) -> list[StoredMatch]:
        """Mark the ended matches that bring no achievements, and return those that may bring some.

        Takes as many as a round may. A marked match isn't looked at again.
        """
        ended = await self._achievement_store.unhonoured(_AT_ONCE)
        ids = [one.id for one in ended if one.unlost]
        matches = list[StoredMatch]()
        for at in range(0, len(ids), _READ_AT_ONCE):
            matches += await self._match_store.load_all(ids[at : at + _READ_AT_ONCE])
        for match_id in {*ids} - {stored.id for stored in matches}:
            log.warning("match %s brings no achievements: it can't be read", match_id)
        due = [stored for stored in matches if _candidates(stored)]
        looked_at = {stored.id for stored in due}
        if nothing := [one for one in ended if one.id not in looked_at]:
            await self._achievement_store.mark(nothing)
        return due

    async def honour(self, stored: StoredMatch) -> Honoured | None:
        """Write the achievements of a match and return them, None if that fails.

        A match that fails is passed over, so that it doesn't keep the others waiting. Raises only
        errors that may pass, such as those of a database that is away.
        """
        try:
            return await self._honour(stored)
        except Exception as error:
            if is_passing(error):
                raise
            log.exception("match %s brings no achievements", stored.id)
            await self._achievement_store.mark([stored])
            return None

    async def current(self, honoured: Honoured) -> Honoured | None:
        """Return `honoured` without members who were erased since; None if the match was.

        Raises CorruptRowError.
        """
        stored = await self._match_store.load(honoured.stored.id)
        if stored is None:
            return None
        left = {
            member_id: found
            for member_id, found in honoured.earned.items()
            if Member(member_id) in stored.match.players
        }
        return replace(honoured, stored=stored, earned=left)

    async def _honour(self, stored: StoredMatch) -> Honoured:
        server_id = stored.place.server_id
        assert server_id is not None, "only matches of servers are due"
        fresh = self._now() - (stored.ended_at or 0) < _FRESH_SECONDS
        found = {
            member_id: await self._new(server_id, stored, seat, member_id, fresh=fresh)
            for seat, member_id in _candidates(stored)
        }
        new = await self._achievement_store.honour(stored.id, stored.revision, found)
        told = fresh and bool(new) and (await self._store.settings(server_id)).tells_achievements
        return Honoured(stored, new, told)

    async def _new(
        self,
        server_id: ServerId,
        stored: StoredMatch,
        seat: int,
        member_id: MemberId,
        *,
        fresh: bool,
    ) -> set[Achievement]:
        """Return the achievements that a match has brought a member for the first time."""
        match = stored.match
        found = in_one_match(match, seat)
        if not found and not won(match, seat):
            return found
        before = await self._achievement_store.earned(server_id, member_id)
        if won(match, seat):
            if not {Achievement.EVERY_BOARD, Achievement.EVERY_GAME} <= {*before}:
                found |= over_all(await self._achievement_store.wins(server_id, member_id))
            if fresh and Achievement.COMEBACK not in before and await self._came_back(stored, seat):
                found.add(Achievement.COMEBACK)
        return found - {*before}

    async def _came_back(self, stored: StoredMatch, seat: int) -> bool:
        """Return whether it is proved that a seat that won had a lost position at some time."""
        until = asyncio.get_running_loop().time() + _PROOF_SECONDS
        ticket = Ticket(stored.place.queue_id, until=until)
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


def _candidates(stored: StoredMatch) -> list[tuple[int, MemberId]]:
    """Return the members, with their seats, to whom a match may bring something."""
    if stored.hinted or stored.undone:
        return []
    return [
        (seat, MemberId(player.id))
        for seat, player in enumerate(stored.match.players)
        if isinstance(player, Member) and not is_former(player.id) and may_bring(stored.match, seat)
    ]


class HonourService:
    """A server's choices; `now` gives Unix seconds."""

    def __init__(self, store: HonourStore, now: Callable[[], int]):
        self._store = store
        self._now = now

    async def change(self, server_id: ServerId, changes: NewHonourSettings) -> None:
        """Change a server's choices.

        A channel that is chosen for the ends of seasons doesn't hear of earlier seasons.
        """
        if changes.get("season_channel") is not None:
            changes = {**changes, "season_told": month_before(self._now())}
        if changes:
            await self._store.change(server_id, changes)

    async def give(self, server_id: ServerId, role_id: RoleId, rating: int | None) -> None:
        """Give a role for a rating from now on, None for the win of a season; raise Refusal."""
        if rating is not None and not _LOWEST_RATING <= rating <= _HIGHEST_RATING:
            raise Refusal("refusal.role.rating", low=_LOWEST_RATING, high=_HIGHEST_RATING)
        others = [one for one in await self._store.rules(server_id) if one.role_id != role_id]
        if len(others) >= MOST_ROLES:
            raise Refusal("refusal.role.many", most=MOST_ROLES)
        await self._store.set_rule(server_id, role_id, rating)
