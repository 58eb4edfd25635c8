"""Inviting: who is to sit where, and the message that asks them."""

from collections.abc import Sequence
from typing import TypeAlias

import discord

from bot.client import Interaction, texts_of
from bot.gateway.permissions import tell_missing
from bot.gateway.responses import answer_of
from bot.gateway.serving import person
from bot.invitations.model import Guest, Holder, Invitation
from bot.invitations.view import invitation_view
from bot.matches.model import First
from bot.matches.view import mentions
from bot.refusals import Refusal
from core.engine.levels import Level
from core.game import Game
from core.players import Computer

Named: TypeAlias = discord.User | discord.Member

# The options that name the members beside whoever asks.
OTHERS = ("against", "third")


def others_of(game: Game) -> tuple[str, ...]:
    """Return the options that name the others of a game."""
    return OTHERS[: game.seats - 1]


def holders(
    interaction: Interaction, game: Game, named: Sequence[Named], level: Level, *, is_open: bool
) -> list[Holder]:
    """Return who has the seats, the asker's first: members are asked, the others as they come.

    Raises Refusal for a member who could not play, and where nothing is left to be open.
    """
    me, bot = person(interaction.user), interaction.client.user
    computers = sum(somebody == bot for somebody in named)
    members = [somebody for somebody in named if somebody != bot]
    for somebody in members:
        check_member(interaction, somebody)
    if len({somebody.id for somebody in members}) < len(members):
        raise Refusal("refusal.named_twice", player=members[0].display_name)
    known: list[Holder] = [
        Guest(me),
        *(Guest(person(somebody), agreed=False) for somebody in members),
        *[Computer(level)] * computers,
    ]
    missing = game.seats - len(known)
    if is_open and not missing:
        raise Refusal("refusal.nothing_open")
    return [*known, *[None if is_open else Computer(level)] * missing]


async def invite(
    interaction: Interaction, invitation: Invitation, lifetime: int | None = None
) -> None:
    """Post an invitation for `lifetime` seconds, None for as long as usual; raise Refusal.

    It mentions the members who are asked.
    """
    invitations = interaction.client.services.invitations
    offered = await invitations.offer(invitation, lifetime)
    view = invitation_view(offered, texts_of(interaction))
    allowed = mentions(*(member.id for member in offered.asked))
    message_id = await answer_of(interaction).post(view, allowed)
    if message_id is not None:
        await invitations.posted(offered, message_id)
    await tell_missing(interaction, clock=offered.clock)


def in_order(seats: Sequence[Holder], first: First) -> tuple[Holder, ...]:
    """Return the seats, the asker's first, as `first` (not by lot any more) wants them."""
    return tuple(seats) if first is First.ME else (*seats[1:], seats[0])


def check_member(interaction: Interaction, somebody: Named) -> None:
    """Raise Refusal for somebody who could never accept, a user of other servers included."""
    if somebody.id == interaction.user.id:
        raise Refusal("refusal.against_self")
    if somebody.bot:
        raise Refusal("refusal.against_bot", opponent=somebody.display_name)
    channel = interaction.channel
    visible = (
        isinstance(somebody, discord.Member)
        and isinstance(channel, discord.abc.GuildChannel | discord.Thread)
        and channel.permissions_for(somebody).view_channel
    )
    if not visible:
        raise Refusal("refusal.against_unseen", opponent=somebody.display_name)
