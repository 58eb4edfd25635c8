"""Inviting: the seats of an invitation, and the message that asks the members."""

from collections.abc import Sequence
from typing import TypeAlias

import discord

from bot.gateway.channels import Channels
from bot.gateway.permissions import tell_missing
from bot.gateway.responses import (
    CALL_FAILED,
    HiddenAnswerError,
    Interaction,
    person_of,
    place_of,
    question_to_replace,
)
from bot.i18n import channel_texts
from bot.identity import Context
from bot.invitations.closing import Closing
from bot.invitations.model import First, Guest, Holder, Invitation, InvitationStatus
from bot.invitations.service import InvitationService
from bot.invitations.view import invitation_view
from bot.refusals import Refusal
from core.engine.levels import Level
from core.game import Game
from core.players import Computer

Named: TypeAlias = discord.User | discord.Member


async def invite(
    interaction: Interaction,
    channels: Channels,
    invitations: InvitationService,
    closing: Closing,
    invitation: Invitation,
    lifetime: int | None,
) -> None:
    """Post an invitation for `lifetime` seconds, None for the host's setting; raise Refusal.

    It mentions the members who are asked, and replaces the private question that led to it, if one
    did. If it can't be posted, or nobody else sees it, it is withdrawn, so that it doesn't keep its
    owner from inviting again.
    """
    with invitations.under_way(invitation):
        offered = await invitations.offer(invitation, lifetime)
        view = invitation_view(offered)
        question = await question_to_replace(interaction)
        try:
            asked = (member.id for member in offered.asked)
            message_id = await channels.answer(interaction, view, *asked)
        except (HiddenAnswerError, *CALL_FAILED):
            await invitations.withdraw(offered.id, offered.owner.id)
            raise
        shown = await invitations.posted(offered, message_id)
    if shown is not None and shown.status not in (InvitationStatus.OPEN, InvitationStatus.BEGUN):
        # A moderator closed it, or it lapsed, before anybody knew its message.
        closing.change_later(shown)
    if question is not None:
        texts = channel_texts(offered.language)
        channels.remove_later(offered.place, [question], texts, interaction)
    await tell_missing(interaction, clock=offered.clock)


def holders(
    interaction: Interaction, game: Game, named: Sequence[Named], level: Level, *, is_open: bool
) -> list[Holder]:
    """Return the holders of the seats, the asker first, then the members who are `named`.

    The other seats stay open if `is_open`, else they go to the computer. Raises Refusal for a
    member who could not play, and if `is_open` but no seat is left.
    """
    if is_open:
        check_company(interaction)
    me, bot = person_of(interaction.user), interaction.client.user
    computers = sum(somebody == bot for somebody in named)
    members = [somebody for somebody in named if somebody != bot]
    for somebody in members:
        check_member(interaction, somebody)
    if len({somebody.id for somebody in members}) < len(members):
        raise Refusal("refusal.named_twice", player=members[0].display_name)
    known: list[Holder] = [
        Guest(me),
        *(Guest(person_of(somebody), agreed=False) for somebody in members),
        *[Computer(level)] * computers,
    ]
    missing = game.seats - len(known)
    if is_open and not missing:
        raise Refusal("refusal.nothing_open")
    return [*known, *[None if is_open else Computer(level)] * missing]


def in_order(seats: Sequence[Holder], first: First) -> tuple[Holder, ...]:
    """Return the seats in the order of play; they are given with the asker's first.

    `first` is ME or OPPONENT: the lot has been drawn before.
    """
    return tuple(seats) if first is First.ME else (*seats[1:], seats[0])


def check_member(interaction: Interaction, somebody: Named) -> None:
    """Raise Refusal for somebody who could never accept, users of other servers included."""
    if somebody.id == interaction.user.id:
        raise Refusal("refusal.against_self")
    if somebody.bot:
        raise Refusal("refusal.against_bot", opponent=somebody.display_name)
    check_company(interaction)
    if not _sees(interaction, somebody):
        raise Refusal("refusal.against_unseen", opponent=somebody.display_name)


def check_company(interaction: Interaction) -> None:
    """Raise Refusal in direct messages with the bot, where nobody else could join."""
    if place_of(interaction).context is Context.BOT_DM:
        raise Refusal("refusal.alone")


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
        and channel.permissions_for(member).view_channel
    )
