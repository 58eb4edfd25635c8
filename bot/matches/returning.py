"""Bringing matches to the channel where one of their players asks for them.

These are archived matches, and live ones that the player can't reach: nobody may keep a match from
the others by bringing it to a channel that they don't see. Discord is asked who sees a channel, so
nobody waits here under a channel's lock.
"""

import asyncio
from collections.abc import Iterable
from itertools import islice

from bot.gateway.reach import Reach
from bot.identity import MatchId, MemberId, Place
from bot.matches.clock import alone
from bot.matches.model import StoredMatch
from bot.matches.occupancy import Occupancy
from bot.matches.service import MatchService
from bot.refusals import Refusal
from core.players import Member

# The most channels to ask Discord for at once. Few members have more matches without a clock.
_MOST_ASKED = 10


class Returning:
    """Finds the matches that a member may bring to a channel, and brings them there."""

    def __init__(self, matches: MatchService, occupancy: Occupancy, reach: Reach):
        self._matches = matches
        self._occupancy = occupancy
        self._reach = reach

    async def unreachable(
        self, playing: Iterable[StoredMatch], place: Place, member_id: MemberId
    ) -> list[StoredMatch]:
        """Return those of a member's live matches that they can't reach and may bring to a place.

        No clock runs in these: a match with a clock ends when the time is over.
        """
        if place.server_id is None:
            return []
        free = (one for one in playing if _may_move(one, place))
        asked = list(islice(free, _MOST_ASKED))
        found = await asyncio.gather(
            *(self._reach.kept_out(one.place.channel_id, [member_id]) for one in asked)
        )
        return [one for one, out in zip(asked, found, strict=True) if member_id in out]

    async def named(self, place: Place, member_id: MemberId, match_id: MatchId) -> StoredMatch:
        """Return the match of this number that a member plays here or may bring here.

        Raises Refusal if there is none.
        """
        try:
            return await self._occupancy.named(place, member_id, match_id)
        except Refusal:
            playing = await self._occupancy.playing(place, member_id)
            named = (one for one in playing if one.id == match_id)
            for stored in await self.unreachable(named, place, member_id):
                return stored
            raise

    async def bring(self, stored: StoredMatch, place: Place, asker: MemberId) -> StoredMatch:
        """Bring an archived or unreachable match to a place, and return it.

        Raises Refusal, for instance if another player on the server doesn't see a place that isn't
        the match's own channel.
        """
        if not stored.is_in(place):
            await self._check_reach(stored, place, asker)
        if not stored.archived:
            return await self._occupancy.move(stored.id, place)
        async with self._matches.lock(place.channel_id):
            return await self._occupancy.bring_back(stored, place)

    async def _check_reach(self, stored: StoredMatch, place: Place, asker: MemberId) -> None:
        """Raise Refusal if a player other than the asker couldn't move in this place."""
        others = stored.staying - {asker}
        if place.server_id is None or not others:
            return
        out = await self._reach.kept_out(place.channel_id, others)
        for player, name in zip(stored.match.players, stored.names, strict=True):
            if isinstance(player, Member) and player.id in out:
                raise Refusal("refusal.back_unseen", player=name or "")


def _may_move(stored: StoredMatch, place: Place) -> bool:
    """Return whether a player who can't reach a live match may bring it to this place."""
    clockless = stored.clock is None or alone(stored.match)
    on_server = stored.place.server_id == place.server_id
    return clockless and on_server and not stored.is_in(place) and stored.tournament_id is None
