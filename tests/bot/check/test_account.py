"""The findings of `check` about the bot's account, with a Discord that each test scripts."""

from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest
from pydantic import SecretStr

from bot.check.account import Target, check_account
from bot.check.model import Finding
from tests.bot.scripted_discord import ScriptedDiscord, scripted_discord
from tests.load import payloads
from tests.load.payloads import APP_ID, CHANNEL_BASE, GUILD_ID

TOKEN = "a-secret-that-nobody-reads"
THREAD = CHANNEL_BASE + 1
ALL = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
)
COMMANDS = f"/applications/{APP_ID}/guilds/{GUILD_ID}/commands"


@pytest.fixture
async def server() -> AsyncIterator[ScriptedDiscord]:
    """A Discord that knows the bot, and one server with a channel and a thread in it."""
    async with scripted_discord() as scripted:
        channel = payloads.channel(CHANNEL_BASE)
        thread = channel | {
            "id": str(THREAD),
            "type": 11,
            "parent_id": str(CHANNEL_BASE),
            "owner_id": str(APP_ID),
            "message_count": 0,
            "member_count": 1,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 60,
                "archive_timestamp": "2026-01-01T00:00:00.000000+00:00",
            },
        }
        scripted.answers |= {
            f"/channels/{CHANNEL_BASE}": channel,
            f"/channels/{THREAD}": thread,
            f"/guilds/{GUILD_ID}/members/{APP_ID}": payloads.member(APP_ID),
            COMMANDS: [],
        }
        allow(scripted, ALL)
        yield scripted


def allow(server: ScriptedDiscord, permissions: discord.Permissions) -> None:
    """Give everybody on the server these permissions."""
    guild = payloads.guild([CHANNEL_BASE], [APP_ID], 2)
    guild["roles"] = [guild["roles"][0] | {"permissions": str(permissions.value)}]
    server.answers[f"/guilds/{GUILD_ID}"] = guild


def tell(server: ScriptedDiscord, **fields: Any) -> None:
    """Change what Discord says about the application."""
    server.answers["/oauth2/applications/@me"] |= fields


async def found(place: Target | None = None) -> dict[str, Finding]:
    """Return the findings by subject."""
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        looked = check_account(client, SecretStr(TOKEN), place or Target())
        return {finding.subject: finding async for finding in looked}


async def test_all_is_well(server: ScriptedDiscord) -> None:
    """The report has the bot's name and id, and a link that invites it with all that it needs."""
    tell(server, approximate_guild_count=12)
    findings = await found(Target(channel_id=CHANNEL_BASE))
    assert [finding for finding in findings.values() if not finding.well] == []
    assert "loopback-bot" in findings["token"].text and str(APP_ID) in findings["token"].text
    invitation = findings["invitation"].text
    assert f"client_id={APP_ID}&scope=bot+applications.commands" in invitation
    assert f"permissions={ALL.value}" in invitation
    assert invitation.startswith("on 12 servers; anybody can add it by")
    assert TOKEN not in "".join(map(str, findings.values()))
    assert server.identifies == 0
    tell(server, approximate_guild_count=1)
    assert (await found())["invitation"].text.startswith("on 1 server;"), "a new host's bot"


async def test_user_install(server: ScriptedDiscord) -> None:
    """The report has a link to install the bot for oneself, or says where to allow that."""
    assert "switch on User Install" in (await found())["user install"].text
    tell(server, integration_types_config={"0": {}, "1": {}})
    assert f"client_id={APP_ID}" in (told := (await found())["user install"].text)
    assert told.endswith("scope=applications.commands&integration_type=1")


@pytest.mark.parametrize("scopes", [["bot"], []])
async def test_the_button_on_the_profile(server: ScriptedDiscord, scopes: list[str]) -> None:
    """A button without the scope `bot` adds only the commands to a server, and that is reported."""
    params = {"scopes": ["applications.commands", *scopes], "permissions": "0"}
    tell(server, integration_types_config={"0": {"oauth2_install_params": params}})
    finding = (await found())["invitation"]
    assert finding.text.startswith("Add App" if not scopes else "on ")
    assert finding.sign == ("✓" if scopes else "⚠") and f"client_id={APP_ID}" in finding.text


async def test_an_unknown_token(server: ScriptedDiscord) -> None:
    """Nothing else can be checked without a login, and the report doesn't show the token."""
    server.statuses["/users/@me"] = 401
    (finding,) = (await found()).values()
    assert not finding.well and "DISCORD_TOKEN" in finding.text
    assert TOKEN not in str(finding)


@pytest.mark.parametrize(
    ("fields", "subject", "remedy"),
    [
        ({"bot_require_code_grant": True}, "invitation", "Switch off Requires OAuth2 Code Grant"),
        (
            {"interactions_endpoint_url": "https://example.org/"},
            "presses and commands",
            "Clear Interactions Endpoint URL",
        ),
    ],
)
async def test_switches_of_the_portal(
    server: ScriptedDiscord, fields: dict[str, Any], subject: str, remedy: str
) -> None:
    """A setting at the portal with which the bot can't work is reported with its remedy."""
    tell(server, **fields)
    finding = (await found())[subject]
    assert not finding.well and remedy in finding.text


async def test_few_connections_are_left(server: ScriptedDiscord) -> None:
    """After a crash loop few connections are left for the day, which is reported."""
    server.limit_identifies(remaining=37, reset_after=3600)
    finding = (await found())["connections"]
    assert not finding.well and "37 of 1000 are left today" in finding.text


@pytest.mark.parametrize(
    ("has", "lacks"),
    [
        (ALL & ~discord.Permissions(send_messages_in_threads=True), "Send Messages in Threads"),
        (
            ALL & ~discord.Permissions(send_messages=True, attach_files=True),
            "Send Messages, Attach Files",
        ),
        (
            discord.Permissions(),
            "View Channel, Send Messages, Send Messages in Threads, Attach Files",
        ),
    ],
)
async def test_missing_permissions_on_the_server(
    server: ScriptedDiscord, has: discord.Permissions, lacks: str
) -> None:
    """Each permission that the bot lacks is reported by the name that Discord shows."""
    allow(server, has)
    finding = (await found(Target(server_id=GUILD_ID)))["permissions"]
    assert str(finding) == f"✗ permissions: Give Rowbot {lacks} on Loopback"


@pytest.mark.parametrize("place", [CHANNEL_BASE, THREAD])
async def test_missing_permissions_in_a_channel(server: ScriptedDiscord, place: int) -> None:
    """The channel's own overwrites count, also for its threads."""
    denied = discord.Permissions(send_messages=True).value
    rule = {"id": str(GUILD_ID), "type": 0, "allow": "0", "deny": str(denied)}
    server.answers[f"/channels/{CHANNEL_BASE}"] |= {"permission_overwrites": [rule]}
    assert (await found(Target(server_id=GUILD_ID)))["permissions"].well
    finding = (await found(Target(channel_id=place)))["permissions"]
    # Without the permission to send messages the bot can't attach files either.
    lacks = "Send Messages, Attach Files"
    assert str(finding) == f"✗ permissions: Give Rowbot {lacks} in #games-0 of Loopback"


async def test_in_direct_messages(server: ScriptedDiscord) -> None:
    """A member's channel with the bot belongs to no server, and the bot may always write there."""
    direct = {"id": "5", "type": 1, "last_message_id": None, "recipients": [payloads.user(9)]}
    server.answers["/channels/5"] = direct
    assert (await found(Target(channel_id=5)))["permissions"].well


@pytest.mark.parametrize("status", [403, 404])
@pytest.mark.parametrize("path", [f"/guilds/{GUILD_ID}", COMMANDS])
async def test_not_on_the_server(server: ScriptedDiscord, path: str, status: int) -> None:
    """If the bot isn't there, or was added without its commands, the report has the invite link."""
    server.statuses[path] = status
    finding = (await found(Target(server_id=GUILD_ID)))["permissions"]
    assert not finding.well and "https://discord.com/oauth2/authorize" in finding.text
