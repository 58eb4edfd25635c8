"""Where an interaction happens: whether games are played there, and what the bot may do."""

import discord

from bot.client import Interaction, texts_of
from bot.gateway.responses import answer_of
from bot.gateway.serving import place_of
from bot.matches.model import ServerSettings
from bot.refusals import Refusal
from bot.render.terms import permissions_words


async def check_here(interaction: Interaction) -> ServerSettings:
    """Return the server's settings; raise Refusal where its moderators want no games."""
    place, channel = place_of(interaction), interaction.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    servers = interaction.client.services.servers
    return await servers.check_channel(place.guild_id, place.channel_id, parent)


def check_moderator(interaction: Interaction, may: discord.Permissions) -> None:
    """Raise Refusal for somebody whose permissions `may` lack Manage Channels.

    Discord hides the commands from them, but an administrator can show them to anybody.
    """
    if not may.manage_channels:
        permission = texts_of(interaction)("permission.manage_channels")
        raise Refusal("refusal.not_moderator", permission=permission)


def server_permissions(interaction: Interaction) -> discord.Permissions:
    """Return what the asker may do on the whole server, and in this channel.

    Whoever manages this channel alone has no say in the others.
    """
    user = interaction.user
    everywhere = user.guild_permissions if isinstance(user, discord.Member) else None
    return interaction.permissions & (everywhere or discord.Permissions.none())


async def tell_missing(interaction: Interaction, *, clock: int | None) -> None:
    """Tell the asker alone what the bot isn't allowed to do here, if it wants to.

    Without View Channel it can't remove old boards; without the right to send messages nothing
    comes unasked, which matters where a `clock` runs.
    """
    texts, missing = texts_of(interaction), missing_here(interaction)
    send = [name for name in missing if name != "view_channel"]
    if clock is not None and missing:
        key, names = "missing.reminders", missing
    elif len(missing) > len(send):
        key, names = "missing.boards", ["view_channel"]
    else:
        return
    await answer_of(interaction).whisper(texts(key, permissions=permissions_words(names, texts)))


def missing_here(interaction: Interaction) -> list[str]:
    """Return the permissions that the bot needs here, to post unasked, and hasn't."""
    thread = isinstance(interaction.channel, discord.Thread)
    needed = ["view_channel", "send_messages_in_threads" if thread else "send_messages"]
    return [name for name in needed if not getattr(interaction.app_permissions, name)]
