"""To which of its players a channel is closed, so that they can't move in it."""

import logging
from collections.abc import Collection, Iterator, Mapping

import discord

from bot.gateway.errors import CALL_FAILED
from bot.gateway.membership import Membership
from bot.gateway.sight import sees
from bot.gateway.threads import Threads
from bot.identity import ChannelId, MemberId, is_former

log = logging.getLogger(__name__)

_ANSWER_WITHIN_SECONDS = 5
# Moderators' permissions: those for which Discord wants a second factor.
_MODERATING = discord.Permissions.elevated()


class Reach:
    """Asks to which of its players a channel is closed.

    Moderators lock threads and close channels. What a member can do alone is no way out of a loss:
    one who has left the server, or a private thread, could press there before, and so could one who
    has lost a role, since many servers let members take roles off by themselves, and a member can
    stop boosting the server. Discord's timeout is none either: it is meant to keep a member from
    taking part.
    """

    def __init__(self, threads: Threads, membership: Membership):
        self._threads = threads
        self._membership = membership

    async def closed_to(
        self, channel_id: ChannelId, players: Collection[MemberId]
    ) -> Collection[MemberId]:
        """Return those of the players to whom a channel is closed: all if it is deleted or locked.

        Nobody if Discord doesn't tell.
        """
        channel = await self._threads.find(channel_id)
        if channel is None:
            return players
        if isinstance(channel, discord.Thread):
            if channel.locked:
                return players
            channel = channel.parent
        if not isinstance(channel, discord.abc.GuildChannel) or _open_to_all(channel):
            return ()
        there = await self._there(channel.guild, players)
        return [one for one, member in there.items() if _is_closed_to(member, channel, there)]

    async def _there(
        self, guild: discord.Guild, players: Collection[MemberId]
    ) -> dict[MemberId, discord.Member]:
        """Return those of the players who are on the server; none if Discord doesn't tell."""
        asked = [member_id for member_id in players if not is_former(member_id)]
        try:
            within = _ANSWER_WITHIN_SECONDS
            return await self._membership.members(guild, asked, within) if asked else {}
        except (discord.DiscordException, *CALL_FAILED) as error:
            log.warning("it isn't known what members see on server %s: %s", guild.id, error)
            return {}


def _is_closed_to(
    member: discord.Member,
    channel: discord.abc.GuildChannel,
    there: Mapping[MemberId, discord.Member],
) -> bool:
    """Return whether moderators have closed a channel to a player, as far as can be told.

    They have if its permissions name the player, if no player who is `there` sees it, or if no role
    shows it that members may have. Otherwise the player may have taken off the role that does.
    """
    if sees(member, channel):
        return False
    by_name = _hides(channel.overwrites_for(member))
    seen = any(sees(player, channel) for player in there.values())
    shown = any(sees(role, channel) for role in _of_members(channel.guild))
    return by_name or not seen or not shown


def _hides(permissions: discord.PermissionOverwrite) -> bool:
    """Return whether permissions hide a channel, or the messages of a voice channel."""
    return False in (permissions.view_channel, permissions.connect)


def _of_members(guild: discord.Guild) -> Iterator[discord.Role]:
    """Yield the roles of a server that members may have without being moderators."""
    for role in guild.roles:
        moderates = role.permissions.value & _MODERATING.value
        if not (moderates or role.is_bot_managed()):
            yield role


def _open_to_all(channel: discord.abc.GuildChannel) -> bool:
    """Return whether everybody on the server sees a channel, so that nobody has to be asked for."""
    hidden = any(map(_hides, channel.overwrites.values()))
    return not hidden and sees(channel.guild.default_role, channel)
