"""Which players of a match can't press in its channel."""

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import discord

from bot.gateway.errors import CALL_FAILED
from bot.gateway.membership import Membership
from bot.gateway.sight import sees
from bot.gateway.threads import Threads
from bot.identity import ChannelId, MemberId, ServerId, is_former

log = logging.getLogger(__name__)


class Reach:
    """Asks which players can't press in a channel.

    The channel may be hidden from them, its thread locked or private, or they may be timed out.
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

        `members` has the players who are on the server, as `there` returns them; the channel is
        closed to none of the others. Nor is it closed to a moderator who could open it to
        themselves, or to a player who must have left a private thread by themselves, or may have
        taken off the role that shows the channel. Raises a CALL_FAILED that may pass.
        """
        place = await self._threads.look_up(channel_id)
        if place is None:
            return players
        channel, thread = _parted(place)
        if channel is None:
            return ()
        there = {one: members[one] for one in players if one in members}
        seen = await self._seen(channel, thread, there)
        return [one for one in there if seen.is_closed_to(one)]

    async def kept_out(
        self, channel_id: ChannelId, players: Collection[MemberId]
    ) -> Collection[MemberId]:
        """Return those of the players on the server who can't move in a channel: all if it is gone.

        Unlike in `closed_to`, their own doing counts too, but no timeout, which is over soon.
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
        seen = await self._seen(channel, thread, there)
        return [one for one in there if seen.keeps_out(one)]

    async def _seen(
        self,
        channel: discord.abc.GuildChannel,
        thread: discord.Thread | None,
        there: Mapping[MemberId, discord.Member],
    ) -> "_Channel":
        """Return a channel as its players see it; raise a CALL_FAILED that may pass."""
        outside = [] if thread is None else await self._threads.outside(thread, there)
        return _Channel(channel, thread, there, outside)

    async def there(
        self, server_id: ServerId, players: Iterable[MemberId]
    ) -> Mapping[MemberId, discord.Member] | None:
        """Return those of any number of players who are on a server; None if Discord doesn't tell.

        Returns nobody if `server_id` is 0: outside of servers that have the bot, it can't ask.
        """
        asked = [member_id for member_id in players if not is_former(member_id)]
        return await self._membership.all_there(server_id, asked) if server_id else {}


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
        """Return whether a player can't press here, and could neither bring it about nor end it."""
        member = self.there[player]
        hidden = not sees(member, self.channel) and self._is_hidden_by_others(player)
        shut = self._locked or (player in self.outside and self._is_removable(player))
        return hidden or (shut and not self._may(player, "manage_threads")) or member.is_timed_out()

    def keeps_out(self, player: MemberId) -> bool:
        """Return whether a player doesn't see the channel, or can't press in its thread."""
        shut = self._locked or player in self.outside
        inside = not shut or self._may(player, "manage_threads")
        return not (inside and sees(self.there[player], self.channel))

    @property
    def _locked(self) -> bool:
        return self.thread is not None and self.thread.locked

    def _is_hidden_by_others(self, player: MemberId) -> bool:
        """Return whether others have hidden the channel from a player, as far as can be told.

        A player who isn't kept out by name, while others of the match see the channel, may have
        taken off the role that shows it, unless another player manages roles.
        """
        if self._may(player, "manage_roles"):
            return False
        by_name = self.channel.overwrites_for(self.there[player])
        others = [one for one in self.there if one != player]
        return (
            _hides(by_name)
            or not any(sees(self.there[one], self.channel) for one in others)
            or any(self._may(one, "manage_roles") for one in others)
        )

    def _is_removable(self, player: MemberId) -> bool:
        """Return whether another player of the match could have removed a player from the thread.

        Its creator could, and so could moderators.
        """
        others = self.there.keys() - {player}
        creator = None if self.thread is None else self.thread.owner_id
        return creator in others or any(self._may(one, "manage_threads") for one in others)

    def _may(self, player: MemberId, permission: str) -> bool:
        """Return whether a player has a permission in the channel or on the whole server."""
        member = self.there[player]
        held = self.channel.permissions_for(member) | member.guild_permissions
        return bool(getattr(held, permission))


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
