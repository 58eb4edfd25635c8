"""Which players can't move in a channel, and to which of them others have closed it."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import discord

from bot.gateway.errors import CALL_FAILED
from bot.gateway.membership import Membership
from bot.gateway.sight import sees
from bot.gateway.threads import Threads
from bot.identity import ChannelId, MemberId, ServerId, is_former

log = logging.getLogger(__name__)

# Moderators' permissions: those for which Discord wants a second factor.
_MODERATING = discord.Permissions.elevated()


class Reach:
    """Asks which players can't move in a channel, and to which of them it was closed.

    Moderators lock threads, hide channels and time members out, and the creator of a private thread
    removes members. Three rules decide whether a channel counts as closed to a player behind such a
    barrier; decision 8 says why. It doesn't if the player was able to put it up, unless the channel
    is hidden and another player of the match was able to hide it, too. It does if only others can
    have put it up. It also does if the player may have brought it about alone, as by leaving a
    private thread or taking off a role, but another player of the match was able to, as well; a
    timeout is treated like these.
    """

    def __init__(self, threads: Threads, membership: Membership):
        self._threads = threads
        self._membership = membership

    async def closed_to(
        self,
        channel_id: ChannelId,
        players: Collection[MemberId],
        members: Mapping[MemberId, discord.Member],
    ) -> Collection[MemberId]:
        """Return those of the players to whom a channel is closed: all if it is deleted.

        `members` has the players who are on the server, as `there` returns them. To players who
        aren't, only a locked thread is closed. Raises a CALL_FAILED that may pass.
        """
        place = await self._threads.look_up(channel_id)
        if place is None:
            return players
        channel, thread = _parted(place)
        if channel is None:
            return ()
        there = {one: members[one] for one in players if one in members}
        outside = [] if thread is None else await self._threads.outside(thread, there)
        seen = _Channel(channel, thread, there, outside)
        left = [one for one in players if one not in there] if thread and thread.locked else []
        return left + [one for one in there if seen.is_closed_to(one)]

    async def kept_out(
        self, channel_id: ChannelId, players: Collection[MemberId]
    ) -> Collection[MemberId]:
        """Return those of the players on the server who can't move in a channel: all if it is gone.

        It doesn't matter who has shut them out. A timeout doesn't count, since it is over soon.
        Returns nobody if Discord doesn't tell.
        """
        try:
            return await self._kept_out(channel_id, players)
        except CALL_FAILED as error:
            log.warning("it isn't known who can move in channel %s: %s", channel_id, error)
            return ()

    async def _kept_out(
        self, channel_id: ChannelId, players: Collection[MemberId]
    ) -> Collection[MemberId]:
        place = await self._threads.look_up(channel_id)
        if place is None:
            return players
        channel, thread = _parted(place)
        shut = thread is not None and (thread.locked or thread.is_private())
        if channel is None or (_open_to_all(channel) and not shut):
            return ()
        there = await self.there(ServerId(channel.guild.id), players) or {}
        outside = [] if thread is None else await self._threads.outside(thread, there)
        seen = _Channel(channel, thread, there, outside)
        return [one for one in there if seen.keeps_out(one)]

    async def there(
        self, server_id: ServerId, players: Iterable[MemberId]
    ) -> Mapping[MemberId, discord.Member] | None:
        """Return those of any number of players who are on a server; None if Discord doesn't tell.

        Returns nobody if `server_id` is 0: outside of servers that have the bot, it can't ask.
        """
        asked = [member_id for member_id in players if not is_former(member_id)]
        return await self._membership.all_there(server_id, asked) if server_id else {}


@dataclass(frozen=True)
class _Barrier:
    """What keeps a player from pressing in a channel.

    The players in `able` could have put it up. The player may have brought it about alone, unless
    it is `certain` that they haven't.
    """

    able: Collection[MemberId]
    certain: bool


@dataclass(frozen=True)
class _Channel:
    """A channel, perhaps with a `thread` of it, and the players of its match who are `there`.

    Those in `outside` aren't in the thread, which is private.
    """

    channel: discord.abc.GuildChannel
    thread: discord.Thread | None
    there: Mapping[MemberId, discord.Member]
    outside: Collection[MemberId]

    def is_closed_to(self, player: MemberId) -> bool:
        """Return whether others have closed the channel to a player, as far as can be told."""
        return any(
            player not in barrier.able and (barrier.certain or barrier.able)
            for barrier in self._barriers(player)
        )

    def keeps_out(self, player: MemberId) -> bool:
        """Return whether a player doesn't see the channel, or can't press in its thread."""
        locked = self.thread is not None and self.thread.locked
        shut = locked or player in self.outside
        inside = not shut or player in self._able("manage_threads")
        return not (inside and sees(self.there[player], self.channel))

    def _barriers(self, player: MemberId) -> Iterator[_Barrier]:
        """Yield what keeps a player from pressing."""
        member, thread = self.there[player], self.thread
        if thread is not None and thread.locked:
            yield _Barrier(self._able("manage_threads"), certain=True)
        if thread is not None and player in self.outside:
            creator = {MemberId(thread.owner_id)} & self.there.keys() - {player}
            yield _Barrier(self._able("manage_threads") | creator, certain=False)
        if not sees(member, self.channel):
            able = self._able("manage_roles")
            # Nobody can show themselves a channel that they don't see.
            yield _Barrier(able - {player} or able, self._is_closed_by_moderators(member))
        if member.is_timed_out():
            yield _Barrier(self._able("moderate_members"), certain=False)

    def _able(self, permission: str) -> set[MemberId]:
        """Return the players who have a permission in the channel or on the whole server."""
        return {
            player
            for player, member in self.there.items()
            if getattr(self.channel.permissions_for(member) | member.guild_permissions, permission)
        }

    def _is_closed_by_moderators(self, member: discord.Member) -> bool:
        """Return whether moderators have hidden the channel from a player, as far as can be told.

        They have if its permissions name the player, if no player who is there sees it, or if no
        role shows it that members may have. Otherwise the player may have taken off the role that
        does.
        """
        by_name = _hides(self.channel.overwrites_for(member))
        seen = any(sees(player, self.channel) for player in self.there.values())
        shown = any(sees(role, self.channel) for role in _of_members(self.channel.guild))
        return by_name or not seen or not shown


def _parted(place: object) -> tuple[discord.abc.GuildChannel | None, discord.Thread | None]:
    """Return a channel whose permissions are known, or that of a thread with the thread."""
    thread = place if isinstance(place, discord.Thread) else None
    channel = place if thread is None else thread.parent
    return channel if isinstance(channel, discord.abc.GuildChannel) else None, thread


def _open_to_all(channel: discord.abc.GuildChannel) -> bool:
    """Return whether everybody on the server sees a channel, so that nobody has to be asked for."""
    hidden = any(map(_hides, channel.overwrites.values()))
    return not hidden and sees(channel.guild.default_role, channel)


def _hides(permissions: discord.PermissionOverwrite) -> bool:
    """Return whether permissions hide a channel, or the messages of a voice channel."""
    return False in (permissions.view_channel, permissions.connect)


def _of_members(guild: discord.Guild) -> Iterator[discord.Role]:
    """Yield the roles of a server that members may have without being moderators."""
    for role in guild.roles:
        moderates = role.permissions.value & _MODERATING.value
        if not (moderates or role.is_bot_managed()):
            yield role
