"""Places other than servers that have the bot: direct messages, groups, and other servers.

simcord knows only servers that have the bot, and direct messages with the bot. Here a world's
channel becomes another place, with its threads: its interactions have the fields that Discord sends
there, requests to the channel that aren't by an interaction's token are refused (50001), and an
interaction may have five followups.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import discord
import pytest
from simcord import interactions
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.gateway import FakeGateway
from simcord.http.router import RequestContext

from bot.identity import Context
from tests.discord.world import World

_NUMBERS = {Context.GUEST: 0, Context.BOT_DM: 1, Context.PRIVATE: 2}
# What Discord gives an app in direct messages and in groups.
_APP_MAY = discord.Permissions(attach_files=True, embed_links=True, mention_everyone=True)
_DIRECT, _GROUP = 1, 3
_EPHEMERAL = 64
_MOST_FOLLOWUPS = 5
_LONG_AGO = "2020-01-01T00:00:00+00:00"


@dataclass
class Elsewhere:
    """The world's channel as another place; the members `hidden` may not use external apps there.

    Discord then shows the bot's answers only to them.
    """

    world: World
    context: Context
    people: int = 2
    hidden: set[int] = field(default_factory=set)
    # Members who are treated as `hidden`, although their permissions don't say so.
    secretly: set[int] = field(default_factory=set)
    # Whether the server has the commands, though not the bot as a member.
    commands_alone: bool = False
    followups: Counter[str] = field(default_factory=Counter)
    # Whether the server has the bot by now.
    installed: bool = False
    # Messages with lower ids are older than the last time the server added the bot.
    installed_after: int = 0
    _refusals: list[dict[str, Any]] = field(default_factory=list)

    def begin(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Turn the channel into the other place."""
        payload, body, feed = interactions.base_payload, RequestContext.body, FakeGateway.feed
        self._guilds.pop(self.world.guild.id)
        self._refuse()

        def told(backend: Any, **given: Any) -> Any:
            record, sent = payload(backend, **given)
            self._tell(sent)
            return record, sent

        def posted(context: RequestContext) -> dict[str, Any]:
            found = body(context)
            self._post(context, found)
            return found

        def fed(gateway: FakeGateway, event: str, sent: Mapping[str, Any]) -> None:
            if not self._keeps_back(event, sent):
                feed(gateway, event, sent)

        monkeypatch.setattr(interactions, "base_payload", told)
        monkeypatch.setattr(RequestContext, "body", posted)
        monkeypatch.setattr(FakeGateway, "feed", fed)

    @property
    def posts(self) -> bool:
        """Whether the bot can post here."""
        return self.installed or self.context is Context.BOT_DM

    @property
    def hides(self) -> set[int]:
        """The members for whom Discord makes the bot's public answers private."""
        seen = self.installed or self.commands_alone
        return set() if seen else self.hidden | self.secretly

    def install_unseen(self) -> None:
        """Add the bot to the server, where only members had it so far, while it is offline."""
        backend = self.world.env.backend
        for refusal in self._refusals:
            backend.faults.remove(refusal)
        self.installed, self.installed_after = True, backend.snowflake()

    def install(self) -> None:
        """Add the bot to the server, where only members had it so far."""
        self.install_unseen()
        backend = self.world.env.backend
        guild = backend.get_guild(self.world.guild.id)
        added: dict[str, Any] = dict(serializers.guild_create_payload(backend, guild))
        del added["unavailable"]  # with it, the event would stand for the end of an outage
        for member in added["members"]:
            member["joined_at"] = _LONG_AGO  # it says no welcome
        backend.emit("GUILD_CREATE", added)

    def remove(self) -> None:
        """Remove the bot from the server, where only members have it from now on."""
        self.world.env.backend.emit("GUILD_DELETE", {"id": str(self.world.guild.id)})
        self.installed = False
        self._refuse()

    def _refuse(self) -> None:
        """Let the channel and its threads refuse every request that isn't by a token."""
        self._refusals.clear()
        channel = self.world.channel
        for one in (channel, *channel.threads) if self.context is not Context.BOT_DM else ():
            self.world.env.inject_error(
                "*",
                f"/channels/{one.id}*",
                status=403,
                code=50001,
                message="Missing Access",
                times=None,
            )
            self._refusals.append(self.world.env.backend.faults[-1])

    def _is_here(self, channel_id: int) -> bool:
        """Return whether this is the channel, or a thread of it."""
        channel = self.world.channel
        return channel_id in (channel.id, *(thread.id for thread in channel.threads))

    @property
    def _guilds(self) -> dict[int, discord.Guild]:
        """The servers that the bot is on."""
        found: dict[int, discord.Guild] = vars(self.world.env.bot)["_connection"]._guilds  # noqa: SLF001
        return found

    def _keeps_back(self, event: str, sent: Mapping[str, Any]) -> bool:
        """Return whether Discord doesn't send this event, since the bot isn't on its server."""
        of = sent.get("id") if event == "GUILD_CREATE" else sent.get("guild_id")
        here = of == str(self.world.guild.id) and event != "INTERACTION_CREATE"
        return here and not self.installed

    def _tell(self, sent: dict[str, Any]) -> None:
        """Change an interaction of the channel to what Discord sends in this place."""
        if self.installed or not self._is_here(int(sent["channel_id"])):
            return
        backend, number = self.world.env.backend, _NUMBERS[self.context]
        sent["context"] = number
        owner = "0" if self.context is Context.BOT_DM else "1"
        whose = "0" if self.context is Context.BOT_DM else str(self.world.alice.id)
        if self.commands_alone:
            owner, whose = "0", str(self.world.guild.id)
        sent["authorizing_integration_owners"] = {owner: whose}
        sent["app_permissions"] = str(_APP_MAY.value)
        if self.context is Context.GUEST:
            may = discord.Permissions(int(sent["member"]["permissions"]))
            may.use_external_apps = int(sent["member"]["user"]["id"]) not in self.hidden
            sent["member"]["permissions"] = str(may.value)
            return
        del sent["guild_id"], sent["guild_locale"]
        user_id = int(sent.pop("member")["user"]["id"])
        sent["user"] = dict(serializers.user_payload(backend.get_user(user_id)))
        everybody = (self.world.alice, self.world.bob, self.world.carol)[: self.people]
        sent["channel"] = {
            "id": sent["channel_id"],
            "type": _DIRECT if self.people == 2 else _GROUP,
            "last_message_id": None,
            "recipients": [
                dict(serializers.user_payload(backend.get_user(someone.id)))
                for someone in everybody
            ],
        }
        sent["data"].get("resolved", {}).pop("members", None)

    def _post(self, context: RequestContext, found: dict[str, Any]) -> None:
        """Make the answer to a hidden member private, and refuse the sixth followup."""
        token = context.args.get("token")
        if context.method != "POST" or token not in context.backend.interaction_tokens:
            return
        record = context.backend.interaction_by_token(token)
        if self.installed or not self._is_here(record.channel_id):
            return
        if record.user_id in self.hides:
            about = found.setdefault("data", {}) if "type" in found else found
            if found.get("type") in (None, 4, 5):
                about["flags"] = int(about.get("flags") or 0) | _EPHEMERAL
        if context.path.startswith("/webhooks/") and "counted" not in vars(context):
            vars(context)["counted"] = True
            self.followups[token] += 1
            if self.followups[token] > _MOST_FOLLOWUPS and self.context is not Context.BOT_DM:
                raise BackendError(400, 40094, "Maximum number of follow up messages reached")

    def check(self) -> None:
        """Assert that the bot made no request that Discord refuses in this place."""
        if self.installed_after:
            return  # the bot may still edit once what began while the server had it
        own, asked = f"/channels/{self.world.channel.id}", self.world.env.http_requests
        assert not [one for one in asked if one.path.startswith(own)], asked
        assert not self.followups or max(self.followups.values()) <= _MOST_FOLLOWUPS

    def end_tokens(self) -> None:
        """Let the tokens of all interactions so far end, as after a quarter of an hour."""
        for token in self.world.env.backend.interaction_tokens:
            self.world.env.inject_error(
                "*", f"/webhooks/*/{token}*", status=401, code=50027, times=None
            )

    def live(self) -> list[discord.Message]:
        """Return the public messages with squares to press."""
        return [board for board in self.world.boards() if not board.flags.ephemeral]


DIRECT, GROUP, GUEST = (Context.PRIVATE, 2), (Context.PRIVATE, 3), (Context.GUEST, 3)
WITH_BOT = (Context.BOT_DM, 1)
direct = pytest.mark.parametrize("elsewhere", [DIRECT], indirect=True)
group = pytest.mark.parametrize("elsewhere", [GROUP], indirect=True)
guest = pytest.mark.parametrize("elsewhere", [GUEST], indirect=True)
with_bot = pytest.mark.parametrize("elsewhere", [WITH_BOT], indirect=True)
everywhere = pytest.mark.parametrize("elsewhere", [DIRECT, GUEST], indirect=True)
