"""Who sits where: the seats that a member asks for, and who can be asked to take one."""

from collections.abc import Sequence
from typing import TypeAlias

import discord

from bot.gateway.interactions import Interaction, name_of, person_of, place_of
from bot.identity import Context
from bot.invitations.model import First, Guest, Holder
from bot.refusals import Refusal
from core.engine.levels import Level
from core.game import Game
from core.players import Computer

Named: TypeAlias = discord.User | discord.Member


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
    if twice := [somebody for somebody in members if members.count(somebody) > 1]:
        raise Refusal("refusal.named_twice", player=name_of(twice[0]))
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
        raise Refusal("refusal.against_bot", opponent=name_of(somebody))
    check_company(interaction)
    if not _sees(interaction, somebody):
        raise Refusal("refusal.against_unseen", opponent=name_of(somebody))


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
