"""The first message on a server that the bot has just joined."""

import logging
from collections.abc import Callable, Iterator
from typing import TypeAlias

import discord
from discord import ui

from bot.gateway.responses import Channels
from bot.i18n import ChannelTexts, channel_texts
from bot.identity import ChannelId, Place, ServerId
from bot.servers.store import JoiningStore

Welcome: TypeAlias = Callable[[ChannelTexts], ui.LayoutView]

log = logging.getLogger(__name__)


class Joining:
    """Welcomes a server, once for each time that the bot joins it.

    `welcome` returns the message in a language.
    """

    def __init__(
        self,
        store: JoiningStore,
        channels: Channels,
        welcome: Callable[[ChannelTexts], ui.LayoutView],
    ):
        self._store = store
        self._channels = channels
        self._welcome = welcome

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Welcome a server that hasn't played yet, where the bot may post.

        discord.py also sends this event for a server that comes back after an outage, if it has
        forgotten it: the moment at which the bot joined tells them apart.
        """
        joined = guild.me.joined_at
        if joined is None:
            return
        if not await self._store.is_new(ServerId(guild.id), int(joined.timestamp())):
            return
        channel = next(_channels(guild), None)
        if channel is None:
            log.info("there is no channel in which server %s can be welcomed", guild.id)
            return
        view = self._welcome(channel_texts(str(guild.preferred_locale)))
        await self._channels.sent(Place(ServerId(guild.id), ChannelId(channel.id)), view)


def _channels(guild: discord.Guild) -> Iterator[discord.TextChannel]:
    """Yield the text channels in which the bot may post, the one for system messages first."""
    system = guild.system_channel
    for channel in [system, *guild.text_channels] if system else guild.text_channels:
        may = channel.permissions_for(guild.me)
        if may.view_channel and may.send_messages:
            yield channel
