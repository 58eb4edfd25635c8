"""Places other than servers that have the bot: direct messages, groups, and other servers.

simcord knows only servers, and direct messages with the bot. Here the world's channel becomes such
a place: its interactions are told as Discord tells them, its channel refuses every request of the
bot's own (50001), and Discord's limit of followups holds.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import discord
import pytest
from simcord import interactions
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.http.router import RequestContext

from bot.identity import Context
from tests.discord.world import World

_NUMBERS = {Context.GUEST: 0, Context.BOT_DM: 1, Context.PRIVATE: 2}
# What Discord gives an app in direct messages and in groups.
_APP_MAY = discord.Permissions(attach_files=True, embed_links=True, mention_everyone=True)
_DIRECT, _GROUP = 1, 3
_EPHEMERAL = 64
_MOST_FOLLOWUPS = 5


@dataclass
class Elsewhere:
    """The world's channel as another place; `hidden` may not use external apps there."""

    world: World
    context: Context
    people: int = 2
    hidden: set[int] = field(default_factory=set)
    # Whom Discord hides without having told so by the permissions.
    secretly: set[int] = field(default_factory=set)
    followups: Counter[str] = field(default_factory=Counter)
    # Whether the server has the bot by now.
    installed: bool = False
    _guild: discord.Guild = field(init=False)

    def begin(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Turn the channel into that place."""
        world, payload, body = self.world, interactions.base_payload, RequestContext.body
        if self.context is Context.GUEST:
            self._guild = self._guilds.pop(world.guild.id)
        if self.context is not Context.BOT_DM:
            world.env.inject_error(
                "*", "/channels/*", status=403, code=50001, message="Missing Access", times=None
            )

        def told(backend: Any, **given: Any) -> Any:
            record, sent = payload(backend, **given)
            self._tell(sent)
            return record, sent

        def posted(context: RequestContext) -> dict[str, Any]:
            found = body(context)
            self._post(context, found)
            return found

        monkeypatch.setattr(interactions, "base_payload", told)
        monkeypatch.setattr(RequestContext, "body", posted)

    def install(self) -> None:
        """Add the bot to the server, on which only members had it so far."""
        faults = self.world.env.backend.faults
        faults[:] = [one for one in faults if one["status"] != 403]
        self._guilds[self.world.guild.id] = self._guild
        self.installed = True

    @property
    def _guilds(self) -> dict[int, discord.Guild]:
        """The servers that the bot is on."""
        found: dict[int, discord.Guild] = vars(self.world.env.bot)["_connection"]._guilds  # noqa: SLF001
        return found

    def _tell(self, sent: dict[str, Any]) -> None:
        """Change an interaction to what Discord sends here."""
        if self.installed:
            return
        backend, number = self.world.env.backend, _NUMBERS[self.context]
        sent["context"] = number
        owner = "0" if self.context is Context.BOT_DM else "1"
        whose = "0" if self.context is Context.BOT_DM else str(self.world.alice.id)
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
        """Let Discord hide an answer, and refuse the sixth followup."""
        token = context.args.get("token")
        if context.method != "POST" or token not in context.backend.interaction_tokens:
            return
        if self.installed:
            return
        record = context.backend.interaction_by_token(token)
        if record.user_id in self.hidden | self.secretly:
            about = found.setdefault("data", {}) if "type" in found else found
            if found.get("type") in (None, 4, 5):
                about["flags"] = int(about.get("flags") or 0) | _EPHEMERAL
        if context.path.startswith("/webhooks/") and "counted" not in vars(context):
            vars(context)["counted"] = True
            self.followups[token] += 1
            if self.followups[token] > _MOST_FOLLOWUPS and self.context is not Context.BOT_DM:
                raise BackendError(400, 40094, "Maximum number of follow up messages reached")

    def check(self) -> None:
        """Assert that no request was made by a way that Discord doesn't have here."""
        if self.installed:
            return
        routes = [f"{r.method} {r.path}" for r in self.world.env.http_requests]
        assert not [one for one in routes if one.split()[1].startswith("/channels/")], routes
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


@pytest.fixture
def elsewhere(
    request: pytest.FixtureRequest, world: World, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Elsewhere]:
    """The world's channel in the context that the test is parametrized with."""
    context, people = request.param
    place = Elsewhere(world, context, people)
    place.begin(monkeypatch)
    yield place
    place.check()
