"""Whether a member can press a button in a channel: then a clock may run out on them there."""

import logging

import discord

from bot.gateway.errors import CALL_FAILED
from bot.gateway.membership import Membership
from bot.gateway.threads import Threads
from bot.identity import ChannelId, MemberId

log = logging.getLogger(__name__)

_ANSWER_WITHIN_SECONDS = 5


class Reach:
    """Asks whether a channel takes moves, and shows them to a member.

    Only moderators can lock a thread, or close a channel to a member. What members do by themselves
    doesn't count: one who has left the server, or a private thread, could press there before.
    Discord's timeout doesn't count either: it is meant to keep a member from taking part.
    """

    def __init__(self, threads: Threads, membership: Membership):
        self._threads = threads
        self._membership = membership

    async def can_press(self, channel_id: ChannelId, member_id: MemberId) -> bool:
        """Return False if a channel is deleted or locked, or a member of its server can't see it.

        True also if Discord doesn't tell.
        """
        channel = await self._threads.find(channel_id)
        if channel is None:
            return False
        if isinstance(channel, discord.Thread):
            if channel.locked:
                return False
            channel = channel.parent
        if not isinstance(channel, discord.abc.GuildChannel) or _open_to_all(channel):
            return True
        member = await self._member(channel.guild, member_id)
        return member is None or channel.permissions_for(member).view_channel

    async def _member(self, guild: discord.Guild, member_id: MemberId) -> discord.Member | None:
        """Return a member; None if they have left, or if Discord doesn't tell."""
        try:
            found = await self._membership.members(guild, [member_id], _ANSWER_WITHIN_SECONDS)
        except (discord.DiscordException, *CALL_FAILED) as error:
            log.warning("it isn't known what a member sees on server %s: %s", guild.id, error)
            return None
        return found.get(member_id)


def _open_to_all(channel: discord.abc.GuildChannel) -> bool:
    """Return whether everybody on the server sees a channel, so that nobody has to be asked for."""
    hidden = any(may.view_channel is False for may in channel.overwrites.values())
    return not hidden and channel.permissions_for(channel.guild.default_role).view_channel
