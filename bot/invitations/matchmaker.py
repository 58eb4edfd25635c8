"""The way to a match for those who ask for one: it starts, or members are invited to it."""

from functools import partial

from bot.gateway.components import Layout
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    id_of,
    name_of,
    own_texts_of,
    person_of,
    place_of,
)
from bot.gateway.responses import response_of
from bot.identity import MatchId, MemberId, escape
from bot.invitations.answers import Answers
from bot.invitations.asking import challenge_view, way_view
from bot.invitations.inviting import Named, check_member, holders, in_order
from bot.invitations.messages import InvitationMessages
from bot.invitations.model import First, Invitation, Verb, complete
from bot.invitations.options import read_level
from bot.invitations.service import InvitationService
from bot.invitations.wishes import Wish, carried
from bot.matches.clock import checked_clock
from bot.matches.here import SettingsHere
from bot.matches.occupancy import Occupancy
from bot.matches.options import options_of_members
from bot.matches.presses import Way
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.ways import unless_busy
from bot.refusals import Refusal
from core.players import Computer, Member


class Matchmaker:
    """Starts matches, or invites members to them. It makes way for a match in an idle channel."""

    def __init__(
        self,
        matches: MatchService,
        occupancy: Occupancy,
        starter: MatchStarter,
        invitations: InvitationService,
        answers: Answers,
        messages: InvitationMessages,
        here: SettingsHere,
    ):
        self._matches = matches
        self._occupancy = occupancy
        self._unless_busy = partial(unless_busy, occupancy, here)
        self._starter = starter
        self._invitations = invitations
        self._answers = answers
        self._messages = messages
        self._here = here

    async def begin(self, interaction: Interaction, wish: Wish) -> None:
        """Start the match if nobody has to agree to it, else post the challenge or the table.

        A member who was challenged to that very match accepts the challenge. If a private question
        led here, it is removed. Raises OptionError, Refusal.
        """
        again = partial(carried, wish=wish, texts=own_texts_of(interaction))
        work = self._begin(interaction, wish)
        await self._unless_busy(interaction, work, again)

    async def ask(self, interaction: Interaction, view: Layout) -> None:
        """Ask the member for what is missing for a match; raise Refusal if none can begin here.

        The question takes the place of the private one that was answered, if there was one.
        """
        await self._unless_busy(interaction, self._ask(interaction, view))

    async def ask_against(self, interaction: Interaction, somebody: Named) -> None:
        """Ask for the game of a challenge; raise Refusal for somebody who could never accept.

        The bot itself needn't accept: it stands for a game against the computer.
        """
        texts = own_texts_of(interaction)
        if somebody == interaction.client.user:
            view = way_view(Way.COMPUTER, texts)
        else:
            check_member(interaction, somebody)
            view = challenge_view(MemberId(somebody.id), escape(name_of(somebody)), texts)
        await self.ask(interaction, view)

    async def take_over(self, interaction: Interaction, match_id: MatchId) -> bool:
        """Archive an idle match; return False if its channel is free already; raise Refusal."""
        await self._here.check(interaction)
        channel_id = place_of(interaction).channel_id
        async with self._matches.lock(channel_id):
            return await self._occupancy.take_over(match_id, asker_of(interaction), channel_id)

    async def _ask(self, interaction: Interaction, view: Layout) -> None:
        await self._here.check(interaction)
        asker = Member(asker_of(interaction))
        await self._matches.check_free(place_of(interaction).channel_id, [asker])
        await response_of(interaction).show_own(view)

    async def _begin(self, interaction: Interaction, wish: Wish) -> None:
        game, texts = wish.game, own_texts_of(interaction)
        settings = await self._here.check(interaction)
        resolved = game.resolve(wish.options)
        level = read_level(game, resolved, wish.level, texts)
        held = holders(interaction, game, wish.named, level, is_open=wish.is_open)
        computer = any(isinstance(holder, Computer) for holder in held)
        if wish.level and not wish.is_open and not computer:
            raise Refusal("refusal.no_computer")
        options = resolved if computer else options_of_members(game, wish.options)
        # The fairer board of a match between members may have other levels.
        fill_level = read_level(game, options, wish.level, texts) if wish.is_open else None
        place = place_of(interaction)
        invitation = Invitation(
            place=place,
            game=game,
            options=options,
            owner=person_of(interaction.user),
            seats=in_order(held, self._drawn(wish.first)),
            fill_level=fill_level,
            clock=settings.clock if wish.clock is None else checked_clock(wish.clock),
            language=settings.language or place.locale,
            interaction_id=id_of(interaction),
        )
        if complete(invitation.seats):
            await self._start(interaction, invitation)
        elif not wish.is_open and (same := await self._invitations.same(invitation)):
            await self._answers.give(interaction, same, Verb.ACCEPT)
        else:
            await self._messages.post(interaction, invitation, settings.challenge_seconds)

    def _drawn(self, first: First) -> First:
        """Return who takes the first seat, ME or OPPONENT; the lot is drawn here."""
        if first is First.RANDOM:
            return First.ME if self._matches.rng.random() < 0.5 else First.OPPONENT
        return first

    async def _start(self, interaction: Interaction, invitation: Invitation) -> None:
        """Start a match that nobody has to agree to."""
        new = invitation.begun(self._matches.rng, invitation.interaction_id)
        async with self._matches.lock(new.place.channel_id):
            stored = await self._starter.start(new)
        await self._answers.show_begun(interaction, stored)
