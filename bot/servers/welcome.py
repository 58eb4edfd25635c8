"""The first message on a server that the bot has just joined."""

import logging
from collections.abc import Callable, Iterator

import discord

from bot.gateway.channels import Channels, nonce_of
from bot.gateway.components import Layout
from bot.gateway.serving import Serving
from bot.i18n import ChannelTexts, channel_texts
from bot.identity import ChannelId, Place, ServerId
from bot.times import MINUTE

log = logging.getLogger(__name__)

_JUST_JOINED_SECONDS = 5 * MINUTE


async def welcome(
    message: Callable[[ChannelTexts], Layout],
    channels: Channels,
    serving: Serving,
    now: Callable[[], int],
    guild: discord.Guild,
) -> None:
    """Post the message on a server that the bot has just joined, if it may post anywhere there.

    `message` returns it in a language; `now` gives Unix seconds. Servers that the host has blocked
    get none. discord.py also reports a joining if a server that it has forgotten comes back after
    an outage; the moment at which the bot joined tells the two apart.
    """
    server_id, joined = ServerId(guild.id), guild.me.joined_at
    if not serving.active or joined is None or channels.requests.is_blocked(server_id):
        return
    if now() - joined.timestamp() > _JUST_JOINED_SECONDS:
        return
    channel = next(_channels(guild), None)
    if channel is None:
        log.info("there is no channel in which server %s can be welcomed", guild.id)
        return
    place = Place(server_id, ChannelId(channel.id))
    view = message(channel_texts(str(guild.preferred_locale)))
    channels.send_later(place, view, nonce=nonce_of("welcome", server_id, joined))


def _channels(guild: discord.Guild) -> Iterator[discord.TextChannel]:
    """Yield the text channels in which the bot may post, the one for system messages first."""
    system = guild.system_channel
    for channel in [system, *guild.text_channels] if system else guild.text_channels:
        may = channel.permissions_for(guild.me)
        if may.view_channel and may.send_messages:
            yield channel
