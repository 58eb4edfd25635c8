"""An interaction: when it arrived, who asks, where, and by which message."""

import asyncio
from typing import Any, TypeAlias

import discord

from bot.i18n import OwnTexts, own_texts
from bot.identity import (
    ChannelId,
    Context,
    MemberId,
    MessageId,
    Person,
    Place,
    ServerId,
    is_visible,
)
from bot.refusals import Refusal

Interaction: TypeAlias = discord.Interaction[Any]

# Stands among the permissions for membership of a private thread, without which the bot has no
# access to it.
PRIVATE_THREAD = "private_thread"
# The permissions to see a channel.
TO_SEE = ("view_channel", PRIVATE_THREAD)
# The key of an interaction's arrival among its extras.
_ARRIVED = "arrived at"


def note_arrival(interaction: Interaction) -> None:
    """Note that an interaction has just arrived."""
    interaction.extras[_ARRIVED] = asyncio.get_running_loop().time()


def arrived_at(interaction: Interaction) -> float:
    """Return the event loop's time at which an interaction arrived.

    Discord's time limits count from there: the machine's clock may differ from Discord's.
    """
    arrived: float = interaction.extras[_ARRIVED]
    return arrived


def place_of(interaction: Interaction) -> Place:
    """Return where an interaction happens, found at the first call; raise Refusal if unknown."""
    if Place not in interaction.extras:
        interaction.extras[Place] = _place_of(interaction)
    place: Place = interaction.extras[Place]
    return place


def _place_of(interaction: Interaction) -> Place:
    """Return where an interaction happens; raise Refusal if Discord doesn't tell."""
    if interaction.channel_id is None:
        raise Refusal("refusal.not_on_server")
    channel_id, locale = ChannelId(interaction.channel_id), locale_here(interaction)
    if interaction.guild_id is None:
        with_bot = interaction.context.dm_channel
        return Place(None, channel_id, locale, Context.BOT_DM if with_bot else Context.PRIVATE)
    server_id = ServerId(interaction.guild_id)
    # Both are false if one member has installed the bot and another one presses its message. That
    # counts as the server's own if the server has the bot.
    own = interaction.is_guild_integration() or not interaction.is_user_integration()
    # A server may have the commands without the bot as a member: then the bot can't post there.
    if own and interaction.client.get_guild(server_id) is not None:
        return Place(server_id, channel_id, locale)
    return Place(None, channel_id, locale, Context.GUEST, server_id)


def server_of(interaction: Interaction) -> ServerId:
    """Return the server that an interaction belongs to; raise Refusal elsewhere."""
    server_id = place_of(interaction).server_id
    if server_id is None:
        raise Refusal("refusal.not_on_server")
    return server_id


def may_show(interaction: Interaction) -> bool:
    """Return whether others see the answers to this asker, as far as is known.

    They don't if the asker may not use apps that aren't installed on the server.
    https://discord.com/developers/docs/topics/permissions: USE_EXTERNAL_APPS
    """
    guest = place_of(interaction).context is Context.GUEST
    installed = not guest or interaction.is_guild_integration()
    return installed or interaction.permissions.use_external_apps


def asker_of(interaction: Interaction) -> MemberId:
    """Return the id of the member who pressed a button or gave a command."""
    return MemberId(interaction.user.id)


def person_of(user: discord.User | discord.Member) -> Person:
    """Return a member under the name that they have on this server."""
    return Person(MemberId(user.id), name_of(user))


def person_meant(interaction: Interaction, member: discord.User | discord.Member | None) -> Person:
    """Return the member that a command names, the asker if it names none; raise Refusal for a bot.

    Nothing is stored about bots.
    """
    meant = person_of(member or interaction.user)
    if member is not None and member.bot:
        raise Refusal("refusal.of_bot", member=meant.name)
    return meant


def name_of(user: discord.User | discord.Member) -> str:
    """Return the name that a member has on this server, their username if that can't be seen."""
    return user.display_name if is_visible(user.display_name) else user.name


def pressed_message(interaction: Interaction) -> MessageId:
    """Return the id of the message whose button was pressed."""
    assert interaction.message is not None, "a button sits on a message"
    return MessageId(interaction.message.id)


def private_message(interaction: Interaction) -> MessageId | None:
    """Return the id of the private message whose button was pressed, None for a public one."""
    message = interaction.message
    return MessageId(message.id) if message is not None and message.flags.ephemeral else None


def public_message(interaction: Interaction) -> MessageId | None:
    """Return the id of the public message whose button was pressed, None if there is none."""
    message = interaction.message
    return MessageId(message.id) if message and not message.flags.ephemeral else None


def own_texts_of(interaction: Interaction) -> OwnTexts:
    """Return the texts in the asker's language, for messages that only the asker sees."""
    return own_texts(str(interaction.locale))


def locale_here(interaction: Interaction) -> str:
    """Return the server's locale, or the asker's outside of servers."""
    return str(interaction.guild_locale or interaction.locale)


def missing_permissions(interaction: Interaction) -> list[str]:
    """Return the permissions that the bot lacks here to post messages by itself.

    There are none outside of servers, where nobody could grant any.
    """
    if place_of(interaction).server_id is None:
        return []
    return lacking(interaction.app_permissions, interaction.channel)


def lacking(may: discord.Permissions, channel: object) -> list[str]:
    """Return the permissions to post messages in a channel that aren't among those in `may`.

    To post in a private thread, the bot must also be a member of it, or have Manage Threads. Only
    then does Discord tell the bot of the thread, and it never tells of an archived one.
    """
    if not isinstance(channel, discord.Thread):
        needed = ["view_channel", "send_messages"]
        return [name for name in needed if not getattr(may, name)]
    needed = ["view_channel", "send_messages_in_threads"]
    missing = [name for name in needed if not getattr(may, name)]
    if channel.archived or may.manage_threads or not channel.is_private():
        return missing
    inside = channel.guild.get_thread(channel.id) is not None
    return missing if inside else [*missing, PRIVATE_THREAD]
