"""The bot's account at Discord: its token, its invitation, and its permissions on a server.

All this is asked by REST, so a check uses none of the day's connections.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import discord
from pydantic import SecretStr

from bot.check.model import Finding, amiss, well, worse
from bot.failures import failure_of
from bot.gateway.permissions import NEEDED
from bot.i18n import DEFAULT_LOCALE, texts_for

_PORTAL = "https://discord.com/developers/applications"


@dataclass(frozen=True)
class Target:
    """The server or the channel whose permissions are asked for, if any."""

    server_id: int | None = None
    channel_id: int | None = None


async def check_account(
    client: discord.Client, token: SecretStr, target: Target
) -> AsyncIterator[Finding]:
    """Log in, and yield the findings at Discord; if the login fails, only that."""
    try:
        await client.login(token.get_secret_value())
    except Exception as error:
        if (failure := failure_of(error)) is None:
            raise
        yield amiss("token", failure.sentence)
        return
    assert client.user is not None, "it is logged in"
    yield well("token", f"logs in as {client.user} (id {client.user.id})")
    info = await client.application_info()
    yield _presses(info)
    yield _link(info)
    yield _user_install(info)
    yield await _connections(client)
    if target != Target():
        yield await _permissions(client, info, target)


def _presses(info: discord.AppInfo) -> Finding:
    if info.interactions_endpoint_url:
        return amiss(
            "presses and commands",
            f"Discord sends them to {info.interactions_endpoint_url} instead of to Rowbot."
            f" Clear Interactions Endpoint URL at {_PORTAL}",
        )
    return well("presses and commands", "come to Rowbot")


def _link(info: discord.AppInfo) -> Finding:
    if info.bot_require_code_grant:
        return amiss("invitation", f"Switch off Requires OAuth2 Code Grant at {_PORTAL} (Bot)")
    count = info.approximate_guild_count
    servers = "on 1 server" if count == 1 else f"on {count} servers"
    who = "anybody" if info.bot_public else "you alone"
    told = f"{servers}; {who} can add it by {_invitation(info)}"
    config = info.guild_integration_config
    default = config.oauth2_install_params if config else None
    if default is not None and "bot" not in default.scopes:
        remedy = f"give Guild Install the scope bot at {_PORTAL} (Installation)"
        return worse("invitation", f"Add App on its profile adds commands alone: {remedy}. {told}")
    return well("invitation", told)


def _user_install(info: discord.AppInfo) -> Finding:
    if info.user_integration_config is None:
        off = "members can't install it for themselves; to let them, switch on User Install"
        return well("user install", f"{off} at {_PORTAL} (Installation)")
    address = discord.utils.oauth_url(info.id, scopes=("applications.commands",))
    return well("user install", f"members can install it by {address}&integration_type=1")


def _invitation(info: discord.AppInfo) -> str:
    needed = discord.Permissions(**dict.fromkeys(NEEDED, True))
    scopes = ("bot", "applications.commands")
    return discord.utils.oauth_url(info.id, permissions=needed, scopes=scopes)


async def _connections(client: discord.Client) -> Finding:
    _, _, limit = await client.http.get_bot_gateway()
    left = f"{limit['remaining']} of {limit['total']} are left today"
    if 2 * limit["remaining"] > limit["total"]:
        return well("connections", left)
    return amiss("connections", f"{left}: see in the log why Rowbot is started again and again")


async def _permissions(client: discord.Client, info: discord.AppInfo, target: Target) -> Finding:
    try:
        if (found := await _find(client, target)) is None:
            return well("permissions", "none is needed in direct messages")
        server, channel = found
        member = await server.fetch_member(info.id)
        await client.http.get_guild_commands(info.id, server.id)
    except (discord.NotFound, discord.Forbidden):
        return amiss(
            "permissions", f"Rowbot isn't on that server, or can't see it. Open {_invitation(info)}"
        )
    may = channel.permissions_for(member) if channel else member.guild_permissions
    where = f"in #{channel} of {server}" if channel else f"on {server}"
    lacking = [name for name in NEEDED if not getattr(may, name)]
    if lacking:
        texts = texts_for(DEFAULT_LOCALE)
        named = ", ".join(texts(f"permission.{name}") for name in lacking)
        return amiss("permissions", f"Give Rowbot {named} {where}")
    return well("permissions", f"all that it needs {where}")


async def _find(
    client: discord.Client, target: Target
) -> tuple[discord.Guild, discord.abc.GuildChannel | None] | None:
    """Return the server, and the channel; for a thread, the channel that holds it.

    Returns None for direct messages. Raises NotFound and Forbidden.
    """
    if target.channel_id is None:
        assert target.server_id is not None, "the caller has a server or a channel"
        return await client.fetch_guild(target.server_id), None
    found = await client.fetch_channel(target.channel_id)
    if isinstance(found, discord.abc.PrivateChannel):
        return None
    server = await client.fetch_guild(found.guild.id)
    parent = found.parent_id if isinstance(found, discord.Thread) else found.id
    channel = await server.fetch_channel(parent)
    assert isinstance(channel, discord.abc.GuildChannel), "a thread is in no thread"
    return server, channel
