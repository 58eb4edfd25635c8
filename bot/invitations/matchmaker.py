"""From a member's wish to a match: it starts, or other members are invited to it."""

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial
from random import Random

import discord

from bot.gateway.components import Layout
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    name_of,
    own_texts_of,
    person_of,
    place_of,
)
from bot.gateway.permissions import check_may_begin, may_open_threads
from bot.gateway.responses import response_of
from bot.gateway.sight import sees
from bot.identity import Context, MatchId, MemberId, Person, Place, escape
from bot.invitations.answers import Answers
from bot.invitations.asking import challenge_view, way_view
from bot.invitations.messages import InvitationMessages
from bot.invitations.model import (
    First,
    Guest,
    Holder,
    Invitation,
    NewInvitation,
    Verb,
)
from bot.invitations.options import read_level
from bot.invitations.service import InvitationService
from bot.invitations.view import seat_lines
from bot.invitations.wishes import Named, Wish
from bot.matches.clock import checked_clock
from bot.matches.here import SettingsHere
from bot.matches.in_threads import MatchThreads
from bot.matches.model import StoredMatch
from bot.matches.options import options_of_members
from bot.matches.presses import Way
from bot.matches.service import ChannelBusy, MatchService
from bot.matches.settings import ServerSettings
from bot.matches.start import MatchStarter
from bot.matches.store import SettingsStore
from bot.matches.ways import Ways
from bot.refusals import Refusal
from core.engine.levels import Level
from core.players import Computer, Member

# The most open invitations that the refusal in a busy channel names.
_MOST_WAITING = 5


class Matchmaker:
    """Starts matches, or invites members to them.

    `rng` draws who goes first. The host doesn't serve the members among those `blocked`.
    """

    def __init__(
        self,
        matches: MatchService,
        ways: Ways,
        starter: MatchStarter,
        rng: Random,
        invitations: InvitationService,
        answers: Answers,
        messages: InvitationMessages,
        threads: MatchThreads,
        here: SettingsHere,
        settings: SettingsStore,
        blocked: Container[int],
    ):
        self._matches = matches
        self._ways = ways
        self._starter = starter
        self._rng = rng
        self._invitations = invitations
        self._answers = answers
        self._messages = messages
        self._threads = threads
        self._here = here
        self._settings = settings
        self._blocked = blocked

    async def begin(self, interaction: Interaction, wish: Wish) -> None:
        """Start the match if nobody has to agree to it, else post the challenge or the table.

        If the member was challenged to that very match, this accepts the challenge. If a private
        question led here, it is removed. Raises OptionError, Refusal.
        """
        texts = own_texts_of(interaction)
        try:
            settings = await self._here.settings_or_refuse(interaction)
            invitation, same = await self._allowed(interaction, wish, settings)
            if same is not None:
                await self._answers.give(interaction, same, Verb.ACCEPT)
            elif invitation.complete:
                await self._answers.show_begun(interaction, await self._begun(invitation))
            else:
                await self._check_willing(invitation.asked)
                await self._messages.post(interaction, invitation, settings.challenge_seconds)
        except ChannelBusy as busy:
            again, in_thread = partial(wish.taking_over, texts=texts), wish.in_thread(texts)
            waiting = partial(self._waiting, interaction)
            await self._ways.offer(interaction, busy, again, in_thread, waiting)

    async def begin_in_thread(self, interaction: Interaction, wish: Wish) -> None:
        """Start the match, or post the challenge or the table, in a new thread of the channel.

        If the member was challenged to that very match, this accepts the challenge. Raises
        OptionError, Refusal.
        """
        settings = await self._here.settings_or_refuse(interaction)
        wanted, same = await self._allowed(interaction, wish, settings)
        if same is not None:
            await self._answers.give_in_thread(interaction, same.id, Verb.ACCEPT)
            return
        await self._check_willing(wanted.asked)
        if not wanted.complete:
            await self._messages.check_pace(wanted)

        async def begin(thread: Place) -> None:
            invitation = replace(wanted, place=thread)
            if invitation.complete:
                await self._threads.show(await self._begun(invitation), wanted.owner.id)
            else:
                await self._messages.post_in_thread(invitation, settings.challenge_seconds)

        await self._threads.begin(interaction, wanted.planned, begin)

    async def take_over(self, interaction: Interaction, wish: Wish, match_id: MatchId) -> None:
        """Archive an idle match, and begin another in its channel; raise OptionError, Refusal."""
        settings = await self._here.settings_or_refuse(interaction)
        # Refused before the other match is archived.
        await self._allowed(interaction, wish, settings)
        await self._ways.take_over(interaction, match_id)
        await self.begin(interaction, wish)

    async def ask(self, interaction: Interaction, view: Layout) -> None:
        """Ask the member for the missing choices of a match; raise Refusal if none can begin here.

        If the channel is busy, the match may begin in a thread, if the asker can have one. The
        question takes the place of the private one that was answered, if there was one.
        """
        try:
            settings = await self._here.settings_or_refuse(interaction)
            check_may_begin(interaction, settings.begin_role)
            if not may_open_threads(interaction):
                asker = Member(asker_of(interaction))
                await self._matches.check_free(place_of(interaction).channel_id, [asker])
            await response_of(interaction).show_own(view)
        except ChannelBusy as busy:
            waiting = partial(self._waiting, interaction)
            await self._ways.offer(interaction, busy, waiting=waiting)

    async def _waiting(self, interaction: Interaction) -> list[str]:
        """Return lines about the open invitations here in which the asker has a seat."""
        me, place, texts = asker_of(interaction), place_of(interaction), own_texts_of(interaction)
        found = await self._invitations.with_seat(me, place.server_id)
        here = [one for one in found if one.place.channel_id == place.channel_id]
        asking, others = seat_lines(here[:_MOST_WAITING], me, texts)
        lines = [texts("mine.asked"), *asking] if asking else []
        return [*lines, texts("mine.offered"), *others] if others else lines

    async def ask_against(self, interaction: Interaction, somebody: Named) -> None:
        """Ask for the game of a challenge; raise Refusal for somebody who could never accept.

        Challenging the bot itself means a game against the computer.
        """
        texts = own_texts_of(interaction)
        if somebody == interaction.client.user:
            view = way_view(Way.COMPUTER, texts)
        else:
            _check_member(interaction, somebody)
            await self._check_willing([person_of(somebody)])
            view = challenge_view(MemberId(somebody.id), escape(name_of(somebody)), texts)
        await self.ask(interaction, view)

    async def _check_willing(self, asked: Sequence[Person]) -> None:
        """Raise Refusal if one of these members doesn't take challenges, or can't answer any."""
        unwilling = await self._settings.unwilling([person.id for person in asked])
        for person in asked:
            if person.id in self._blocked:
                raise Refusal("refusal.against_blocked", opponent=person.name)
            if person.id in unwilling:
                raise Refusal("refusal.against_unwilling", opponent=person.name)

    async def _allowed(
        self, interaction: Interaction, wish: Wish, settings: ServerSettings
    ) -> tuple[NewInvitation, Invitation | None]:
        """Return the match that a member asks for, and the open challenge to it, if there is one.

        Raises Refusal for a member without the role to begin it; accepting takes none. Raises
        OptionError, and other kinds of Refusal.
        """
        wanted = self._invitation(interaction, wish, settings)
        same = None
        if not (wish.is_open or wanted.complete):
            same = await self._invitations.same(wanted)
        if same is None:
            check_may_begin(interaction, settings.begin_role)
        return wanted, same

    def _invitation(
        self, interaction: Interaction, wish: Wish, settings: ServerSettings
    ) -> NewInvitation:
        """Return the match that a member asks for; it is complete if nobody has to agree to it.

        Raises OptionError, Refusal.
        """
        game = wish.game
        texts = own_texts_of(interaction)
        resolved = game.resolve(wish.options)
        level = read_level(game, resolved, wish.level, texts)
        held = _holders(interaction, wish, level)
        _check_terms(interaction, wish, held)
        computer = any(isinstance(holder, Computer) for holder in held)
        options = resolved if computer else options_of_members(game, wish.options)
        # The fairer board of a match between members may have other levels.
        fill_level = read_level(game, options, wish.level, texts) if wish.is_open else None
        return NewInvitation(
            place=place_of(interaction),
            game=game,
            options=options,
            owner=person_of(interaction.user),
            seats=self._in_order(held, wish.first),
            fill_level=fill_level,
            clock=settings.clock if wish.clock is None else checked_clock(wish.clock),
        )

    def _in_order(self, seats: Sequence[Holder], first: First) -> tuple[Holder, ...]:
        """Return the seats in the order of play; `seats` has the asker's first."""
        mine = first is First.ME or (first is First.RANDOM and self._rng.random() < 0.5)
        return tuple(seats) if mine else (*seats[1:], seats[0])

    async def _begun(self, invitation: NewInvitation) -> StoredMatch:
        """Return a match that nobody has to agree to, which begins; raise Refusal."""
        match = self._starter.set_up(invitation.game, invitation.options, invitation.players)
        new = invitation.new_match(match)
        async with self._matches.lock(new.place.channel_id):
            return await self._starter.start(new)


def _holders(interaction: Interaction, wish: Wish, level: Level) -> list[Holder]:
    """Return the holders of the seats, the asker first, then the members whom the wish names.

    At a table, the other seats stay open; otherwise they go to the computer. Raises Refusal for a
    member who could not play, and for a table without an open seat.
    """
    if wish.is_open:
        check_company(interaction)
    me, bot = person_of(interaction.user), interaction.client.user
    computers = sum(somebody == bot for somebody in wish.named)
    members = [somebody for somebody in wish.named if somebody != bot]
    for somebody in members:
        _check_member(interaction, somebody)
    if twice := [somebody for somebody in members if members.count(somebody) > 1]:
        raise Refusal("refusal.named_twice", player=name_of(twice[0]))
    known: list[Holder] = [
        Guest(me),
        *(Guest(person_of(one), agreed=False) for one in members),
        *[Computer(level)] * computers,
    ]
    missing = wish.game.seats - len(known)
    if wish.is_open and not missing:
        raise Refusal("refusal.nothing_open")
    return [*known, *[None if wish.is_open else Computer(level)] * missing]


def _check_terms(interaction: Interaction, wish: Wish, held: Sequence[Holder]) -> None:
    """Raise Refusal for a level if no computer plays, and for a clock if no other member does."""
    if wish.is_open:
        return
    if wish.level and not any(isinstance(holder, Computer) for holder in held):
        raise Refusal("refusal.no_computer")
    if wish.clock and not any(isinstance(one, Guest) for one in held[1:]):
        raise Refusal("refusal.no_clock.alone" if _is_alone(interaction) else "refusal.no_clock")


def _check_member(interaction: Interaction, somebody: Named) -> None:
    """Raise Refusal for somebody who could never accept, users of other servers included."""
    if somebody.id == interaction.user.id:
        raise Refusal("refusal.against_self")
    if somebody.bot:
        raise Refusal("refusal.against_bot", opponent=name_of(somebody))
    check_company(interaction)
    if not _sees(interaction, somebody):
        raise Refusal("refusal.against_unseen", opponent=name_of(somebody))


def check_company(interaction: Interaction) -> None:
    """Raise Refusal in direct messages with the bot, where nobody else could join."""
    if _is_alone(interaction):
        raise Refusal("refusal.alone")


def _is_alone(interaction: Interaction) -> bool:
    return place_of(interaction).context is Context.BOT_DM


def _sees(interaction: Interaction, somebody: Named) -> bool:
    """Return whether somebody sees the channel, as far as is known.

    Discord doesn't tell who takes part in direct messages.
    """
    member = somebody if isinstance(somebody, discord.Member) else None
    if place_of(interaction).server_id is None:
        may = member.resolved_permissions if member else None
        return may is None or may.view_channel
    channel = interaction.channel
    return (
        member is not None
        and isinstance(channel, discord.abc.GuildChannel | discord.Thread)
        and sees(member, channel)
    )
