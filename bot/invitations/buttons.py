"""The buttons of challenges and open tables, and those that ask for the game of a challenge."""

import discord

from bot.gateway.responses import (
    Interaction,
    person_of,
    place_of,
    pressed_message,
    response_of,
    texts_of,
)
from bot.identity import MemberId
from bot.invitations.model import Challenge, Invitation, Reply, Verb
from bot.invitations.play import Play, Wish
from bot.invitations.service import InvitationService
from bot.invitations.view import invitation_view
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.settings import CheckHere
from bot.refusals import Refusal
from core.games import GAMES

# The verbs that may start a match.
_STARTING = (Verb.ACCEPT, Verb.JOIN, Verb.START)


class InvitationButtons:
    """The presses on invitations."""

    def __init__(
        self,
        matches: MatchService,
        invitations: InvitationService,
        boards: Boards,
        check_here: CheckHere,
        play: Play,
    ):
        self._matches = matches
        self._invitations = invitations
        self._boards = boards
        self._check_here = check_here
        self._play = play

    async def reply(self, interaction: Interaction, press: Reply) -> None:
        """Carry out the answer; the board of a match that starts replaces the invitation."""
        async with self._matches.lock(place_of(interaction).channel_id):
            starting = press.verb in _STARTING
            settings = await self._check_here(interaction) if starting else None
            made = await self._replied(interaction, press)
        if isinstance(made, StoredMatch):
            assert settings is not None, "no other verb starts a match"
            pressed = pressed_message(interaction)
            await self._boards.show_first(interaction, made, settings, [pressed])
            return
        by = person_of(interaction.user).name
        await response_of(interaction).edit(invitation_view(made, texts_of(interaction), by))

    async def _replied(self, interaction: Interaction, press: Reply) -> Invitation | StoredMatch:
        invitations, me = self._invitations, person_of(interaction.user)
        match press.verb:
            case Verb.ACCEPT:
                return await invitations.accept(press.invitation, me.id)
            case Verb.DECLINE:
                return await invitations.decline(press.invitation, me.id)
            case Verb.WITHDRAW:
                return await invitations.withdraw(press.invitation, me.id)
            case Verb.JOIN:
                return await invitations.join(press.invitation, me)
            case Verb.LEAVE:
                return await invitations.leave(press.invitation, me.id)
            case Verb.START:
                return await invitations.start(press.invitation, me.id)

    async def challenge(self, interaction: Interaction, press: Challenge) -> None:
        """Challenge a member to the usual board of a game."""
        game = GAMES.get(press.game)
        if game is None:
            raise Refusal("refusal.unknown_button")
        opponent = await _member(interaction, press.opponent)
        if opponent is None:
            raise Refusal("refusal.against_gone")
        await self._play.begin(interaction, Wish(game, named=[opponent]))


async def _member(interaction: Interaction, member_id: MemberId) -> discord.Member | None:
    """Return a member of this server, None for anybody else; one request, as none are cached."""
    if interaction.guild is None:
        return None
    try:
        return await interaction.guild.fetch_member(member_id)
    except discord.NotFound:
        return None
