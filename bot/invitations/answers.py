"""Answers to invitations, given by button or command, or by asking for the same match."""

from collections.abc import AsyncIterator, Set
from contextlib import asynccontextmanager

from bot.db.errors import DoneElsewhereError
from bot.gateway.interactions import Interaction, id_of, person_of, place_of
from bot.gateway.limits import Kind, Limits
from bot.gateway.membership import Membership
from bot.identity import MemberId
from bot.invitations.model import Invitation, Reply, Verb
from bot.invitations.service import InvitationService
from bot.matches.here import SettingsHere
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.refusals import Refusal

# The verbs that may start a match.
_STARTING = (Verb.ACCEPT, Verb.JOIN, Verb.START)
# Those by which an owner may close an invitation, and then ask the same members again.
_TAKING_BACK = (Verb.WITHDRAW, Verb.LEAVE)


class Answers:
    """Carries out the answers to invitations."""

    def __init__(
        self,
        invitations: InvitationService,
        matches: MatchService,
        membership: Membership,
        here: SettingsHere,
        limits: Limits,
    ):
        self._invitations = invitations
        self._matches = matches
        self._membership = membership
        self._here = here
        self._limits = limits

    @asynccontextmanager
    async def unless_begun(self, interaction: Interaction) -> AsyncIterator[None]:
        """Raise DoneElsewhereError for a refusal if the answer has begun a match already."""
        try:
            yield
        except Refusal:
            live = await self._matches.store.live(place_of(interaction).channel_id)
            if live is not None and live.interaction_id == id_of(interaction):
                raise DoneElsewhereError from None
            raise

    async def made(self, interaction: Interaction, press: Reply) -> Invitation | StoredMatch:
        """Return the invitation after an answer, or the match that it has become.

        Raises Refusal, DoneElsewhereError.
        """
        me, channel_id = person_of(interaction.user), place_of(interaction).channel_id
        starting = press.verb in _STARTING
        async with self.unless_begun(interaction), self._invitations.lock(press.invitation):
            invitation = await self._invitations.open(press.invitation, channel_id)
            if press.verb in _TAKING_BACK and me.id == invitation.owner.id:
                self._limits.count(Kind.TAKING_BACK, me.id)
            # Discord is asked who is there before the channel is locked.
            gone = await self._gone(invitation, me.id) if starting else set()
            async with self._matches.lock(channel_id):
                if starting:
                    await self._here.check(interaction)
                return await self._invitations.answer(
                    invitation.id, press.verb, me, gone, id_of(interaction)
                )

    async def _gone(self, invitation: Invitation, me: MemberId) -> Set[MemberId]:
        """Return who has left the server, of those with a seat."""
        server_id = invitation.place.server_id
        if server_id is None:
            return set()
        seated = {person.id for person in (invitation.owner, *invitation.heirs)}
        return await self._membership.gone(server_id, seated - {me}, anew=True) or set()
