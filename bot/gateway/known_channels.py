"""Channels and servers as the bot knows them from Discord's events, without asking Discord."""

import discord

from bot.gateway.interactions import lacking
from bot.gateway.sight import sees
from bot.identity import ChannelId, Place, ServerId

_FOR_THREADS = ("create_public_threads", "send_messages_in_threads")


class KnownChannels:
    """Tells what the bot may do in channels, and who sees them."""

    def __init__(self, client: discord.Client):
        self._client = client

    def may_attach(self, place: Place) -> bool:
        """Return whether the bot may send files in a channel, as far as is known."""
        channel = self._on_server(place.channel_id)
        return channel is None or channel.permissions_for(channel.guild.me).attach_files

    def missing(self, place: Place, *, threads: bool = False) -> list[str] | None:
        """Return the permissions that the bot lacks in a channel to post, and to open `threads`.

        None if Discord hasn't told the bot of the channel.
        """
        channel = self._on_server(place.channel_id)
        if channel is None:
            return None
        may = channel.permissions_for(channel.guild.me)
        for_threads = _FOR_THREADS if threads else ()
        return lacking(may, channel) + [name for name in for_threads if not getattr(may, name)]

    def takes_threads(self, place: Place) -> bool:
        """Return whether a channel is of a kind in which threads can be opened."""
        return isinstance(self._client.get_channel(place.channel_id), discord.TextChannel)

    def is_seen_from(self, place: Place, channel_id: ChannelId) -> bool:
        """Return whether each role that sees the channel of a place also sees another channel.

        Both channels belong to the same server. False if the bot doesn't know one of them.
        """
        if channel_id == place.channel_id:
            return True
        shown, other = self._on_server(place.channel_id), self._on_server(channel_id)
        if shown is None or other is None:
            return False
        if isinstance(other, discord.Thread) and other.is_private():
            return False
        return all(sees(role, other) for role in shown.guild.roles if sees(role, shown))

    def locale_of(self, server_id: ServerId) -> str | None:
        """Return the locale that a server has on Discord, None if it isn't known."""
        guild = self._client.get_guild(server_id)
        return str(guild.preferred_locale) if guild else None

    def _on_server(self, channel_id: ChannelId) -> discord.abc.GuildChannel | discord.Thread | None:
        """Return a server's channel or thread; None if it isn't known, or is a direct message."""
        channel = self._client.get_channel(channel_id)
        return channel if isinstance(channel, discord.abc.GuildChannel | discord.Thread) else None
