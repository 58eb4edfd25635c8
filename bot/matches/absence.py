"""Members who have left the server lose the matches that they were playing.

Discord reports leaving members only to bots with a privileged intent. So the bot asks when somebody
shows that they are waiting, and when a player is to be reminded. `bot.gateway.membership` remembers
for a while who is there.
"""

from collections.abc import Collection, Container, Iterable, Set

from bot.gateway.membership import Membership
from bot.gateway.reach import Reach
from bot.identity import MemberId, ServerId, is_former
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.refusals import Refusal
from core.players import Member


class Absence:
    """Finds the players of a match who have left its server, or can't play its next match.

    These are the players who can't move in its channel, and those whom the host has `blocked`.
    """

    def __init__(
        self, matches: MatchService, membership: Membership, reach: Reach, blocked: Container[int]
    ):
        self._matches = matches
        self._membership = membership
        self._reach = reach
        self._blocked = blocked

    async def settle(self, stored: StoredMatch, asker: MemberId) -> StoredMatch:
        """Let players who have left the server depart, and return the match; `stored` if none has.

        The `asker` is known to be on the server. The caller doesn't hold the channel's lock:
        Discord may take seconds to answer. Raises Refusal if the match has ended meanwhile.
        """
        others = stored.staying - {asker}
        if stored.match.outcome or not others:
            return stored
        return await self.let_depart(stored, await self._gone(stored.place.server_id, others))

    async def gone_from(
        self, server_id: ServerId | None, together: Iterable[StoredMatch]
    ) -> Set[MemberId]:
        """Return the players of these matches of a server who have left it, in few requests."""
        members = {member_id for stored in together for member_id in stored.staying}
        erased = _erased(members)
        if server_id is None:
            return erased
        return erased | await self._membership.all_gone(server_id, members - erased)

    async def let_depart(self, stored: StoredMatch, gone: Set[MemberId]) -> StoredMatch:
        """Let players who are `gone` depart, and return the match; `stored` if none is.

        Raises Refusal if the match has ended meanwhile.
        """
        if gone.isdisjoint(stored.staying):
            return stored
        async with self._matches.held(stored.id) as current:
            # Somebody else may have asked in the same moment.
            still = [Member(one) for one in sorted(gone & current.staying)]
            if not still:
                return current
            return await self._matches.change(current, lambda match: match.depart(*still))

    async def check_there(self, stored: StoredMatch, members: Collection[MemberId]) -> None:
        """Raise Refusal if one of these players has left the match's server, or can't play there.

        Members whose data was erased aren't asked for, since a refusal can't name them.
        """
        asked = {member_id for member_id in members if not is_former(member_id)}
        gone = await self._gone(stored.place.server_id, asked) if asked else set()
        unseen: Collection[MemberId] = ()
        if stored.place.server_id is not None and asked - gone:
            unseen = await self._reach.kept_out(stored.place.channel_id, asked - gone)
        for player, name in zip(stored.match.players, stored.names, strict=True):
            if not isinstance(player, Member):
                continue
            if player.id in gone:
                raise Refusal("refusal.player_gone", stored, player=name or "")
            if player.id in asked and player.id in self._blocked:
                raise Refusal("refusal.against_blocked", stored, opponent=name or "")
            if player.id in unseen:
                raise Refusal("refusal.against_unseen", stored, opponent=name or "")

    async def _gone(self, server_id: ServerId | None, members: Set[MemberId]) -> Set[MemberId]:
        """Return those who have left. Members whose data was erased count as gone.

        Outside of servers, Discord doesn't tell who is there, and nobody else counts as gone.
        """
        erased = _erased(members)
        if server_id is None:
            return erased
        gone = await self._membership.gone(server_id, members - erased) or set()
        if gone:
            # Asks again for members who were seen a while ago: the one who stays wins, so they have
            # to be there for certain.
            gone |= (
                await self._membership.gone(server_id, members - erased - gone, anew=True) or set()
            )
        return erased | gone


def _erased(members: Set[MemberId]) -> Set[MemberId]:
    return {member_id for member_id in members if is_former(member_id)}
