"""Permissions: those that an asker needs, and those that the bot lacks."""

import discord

from bot.gateway.interactions import (
    TO_SEE,
    Interaction,
    missing_permissions,
    own_texts_of,
    place_of,
    server_of,
)
from bot.gateway.responses import response_of
from bot.identity import ChannelId, RoleId
from bot.refusals import Refusal
from bot.render.words import permissions_words

# The permissions that the bot asks for when it is added to a server.
NEEDED = ("view_channel", "send_messages", "send_messages_in_threads", "attach_files")
_FOR_THREADS = ("view_channel", "create_public_threads", "send_messages_in_threads")


def check_moderator(
    interaction: Interaction, may: discord.Permissions, reason: str = "refusal.not_moderator"
) -> None:
    """Raise Refusal with `reason` if Manage Channels isn't among the asker's permissions `may`.

    Discord hides the commands from such members, but an administrator can show them to anybody.
    Outside of servers it raises Refusal too.
    """
    server_of(interaction)
    if not may.manage_channels:
        permission = own_texts_of(interaction)("permission.manage_channels")
        raise Refusal(reason, permission=permission)


def check_may_begin(interaction: Interaction, role_id: RoleId | None) -> None:
    """Raise Refusal if the asker lacks the role to begin matches; moderators need none."""
    if not server_permissions(interaction).manage_channels:
        check_role(interaction, role_id, "refusal.begin", "refusal.begin.deleted")


def check_role(interaction: Interaction, role_id: RoleId | None, lacks: str, deleted: str) -> None:
    """Raise Refusal if the asker lacks a role: with the reason `lacks`, or `deleted` if it was.

    Right after a start the bot doesn't know a server's roles yet, and can't tell who has them.
    """
    user, guild = interaction.user, interaction.guild
    if role_id is None or (isinstance(user, discord.Member) and user.get_role(role_id)):
        return
    if guild is None or not guild.roles:
        raise Refusal("refusal.closing")
    role = guild.get_role(role_id)
    if role is None:
        raise Refusal(deleted)
    raise Refusal(lacks, role=role.name)


def role_for_members(role: discord.Role) -> RoleId | None:
    """Return the id of a role that members are to have for something, None for @everyone.

    Raises Refusal for the role of a bot, since no member can have it. On a new server it may be the
    only role in Discord's menu.
    """
    if role.is_bot_managed():
        raise Refusal("honours.trouble.managed", role=role.name)
    return None if role.is_default() else RoleId(role.id)


def may_organise(permissions: discord.Permissions) -> bool:
    """Return whether somebody with these permissions in a channel may create tournaments in it."""
    return permissions.manage_events or permissions.manage_channels


def permissions_in(interaction: Interaction, channel_id: ChannelId) -> discord.Permissions:
    """Return the asker's permissions in a channel or thread of this server.

    If the bot doesn't know it, as with an archived thread, these are those on the whole server.
    """
    guild, user = interaction.guild, interaction.user
    if channel_id == interaction.channel_id:
        return interaction.permissions
    if guild is None or not isinstance(user, discord.Member):
        return discord.Permissions.none()
    channel = guild.get_channel_or_thread(channel_id)
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    return channel.permissions_for(user) if channel else user.guild_permissions


def server_permissions(interaction: Interaction) -> discord.Permissions:
    """Return the permissions that the asker has both on the whole server and in this channel.

    A member who may manage only this channel has no say in the others.
    """
    user = interaction.user
    everywhere = user.guild_permissions if isinstance(user, discord.Member) else None
    return interaction.permissions & (everywhere or discord.Permissions.none())


def may_open_threads(interaction: Interaction) -> bool:
    """Return whether the asker and the bot may both open threads here, and post in them."""
    on_server = place_of(interaction).server_id is not None
    if not on_server or not isinstance(interaction.channel, discord.TextChannel):
        return False
    both = interaction.permissions & interaction.app_permissions
    return all(getattr(both, name) for name in _FOR_THREADS)


async def tell_missing(interaction: Interaction, *, clock: int | None) -> None:
    """Tell the asker privately which permissions the bot needs and lacks here, if any.

    If the bot doesn't see the channel, it can't remove old boards. Without Send Messages it can't
    remind anybody, which matters if a `clock` runs.
    """
    texts = own_texts_of(interaction)
    missing = missing_permissions(interaction)
    if clock is not None and missing:
        key, names = "missing.reminders", missing
    elif names := [name for name in missing if name in TO_SEE]:
        key = "missing.boards"
    else:
        return
    await response_of(interaction).whisper(texts(key, permissions=permissions_words(names, texts)))
