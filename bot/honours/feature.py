"""The feature: servers' choices about honours, and the work in the background."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.gateway.commands import CommandBuilder, choice_of, choices_of, read_choice
from bot.gateway.components import view_of
from bot.gateway.feature import Feature
from bot.gateway.interactions import (
    Interaction,
    missing_permissions,
    own_texts_of,
    place_of,
    server_of,
)
from bot.gateway.known_channels import KnownChannels
from bot.gateway.loops import Loop
from bot.gateway.permissions import check_moderator, server_permissions
from bot.gateway.responses import response_of
from bot.honours.model import NewHonourSettings, RoleHolder
from bot.honours.roles import RoleKeeper, may_choose, trouble_with
from bot.honours.seasons import SeasonPosts
from bot.honours.service import HonourService
from bot.honours.store import HonourStore
from bot.honours.view import honours_text
from bot.i18n import OwnTexts
from bot.identity import ChannelId, Place, RoleId, ServerId
from bot.refusals import Refusal
from bot.render.words import saved

_HERE, _OFF, _ON = "here", "off", "on"


class Honours(Feature):
    """The ends of seasons, and roles for results.

    `exists` asks Discord for a channel that isn't known.
    """

    def __init__(
        self,
        store: HonourStore,
        honours: HonourService,
        seasons: SeasonPosts,
        roles: RoleKeeper,
        known: KnownChannels,
        exists: Callable[[ChannelId], Awaitable[bool]],
    ):
        self._store = store
        self._honours = honours
        self._seasons = seasons
        self.roles = roles
        self._known = known
        self._exists = exists

    def settings_commands(
        self, build: CommandBuilder
    ) -> list[app_commands.Command[Any, ..., None]]:
        """Return /settings honours and /settings role."""
        seasons = choices_of("honours.seasons.{}", (_HERE, _OFF))
        told = [
            choice_of("honours.achievements.told", _ON),
            choice_of("honours.achievements.untold", _OFF),
        ]
        takes_part = choices_of("honours.everywhere.{}", (_ON, _OFF))
        options = ("seasons", "achievements", "everywhere")
        choose = build.command(
            "settings honours",
            self.choose,
            {name: f"option.honours.{name}" for name in options},
            private=True,
            choices={"seasons": seasons, "achievements": told, "everywhere": takes_part},
        )
        role = build.command(
            "settings role",
            self.role,
            {name: f"option.role.{name}" for name in ("role", "holder", "rating")},
            private=True,
            choices={"holder": choices_of("holder.{}", RoleHolder)},
        )
        return [choose, role]

    def loops(self) -> Sequence[Loop]:
        """Return the loops that tell of seasons, and keep roles."""
        return [self._seasons.loop, self.roles.loop]

    async def choose(
        self,
        interaction: Interaction,
        seasons: str | None = None,
        achievements: str | None = None,
        everywhere: str | None = None,
    ) -> None:
        """Change the choices that are given, and show all."""
        check_moderator(interaction, server_permissions(interaction))
        changes = NewHonourSettings()
        if seasons is not None:
            changes["season_channel"] = _season_channel(interaction, seasons)
        if achievements is not None:
            changes["tells_achievements"] = _is_on("achievements", achievements)
        if everywhere is not None:
            changes["everywhere"] = _is_on("everywhere", everywhere)
        await self._honours.change(server_of(interaction), changes)
        await self._show(interaction, changed=bool(changes))

    async def settings_line(self, server_id: ServerId, texts: OwnTexts) -> str:
        """Return a server's choices about honours, without a channel that was deleted."""
        settings = await self._store.settings(server_id)
        channel_id = settings.season_channel
        if channel_id and not await self._exists(channel_id):
            return honours_text(replace(settings, season_channel=None), [], texts)
        missing = self._known.missing(Place(server_id, channel_id)) if channel_id else None
        return honours_text(settings, missing or [], texts)

    async def role(
        self, interaction: Interaction, role: discord.Role, holder: str, rating: int | None = None
    ) -> None:
        """Choose for which result a role is given, and show all choices."""
        check_moderator(interaction, server_permissions(interaction))
        server_id, role_id = server_of(interaction), RoleId(role.id)
        guild, asker = interaction.guild, interaction.user
        chosen = read_choice("holder", holder, RoleHolder)
        if rating is not None and chosen is not RoleHolder.RATING:
            raise Refusal("refusal.role.holder")
        if guild is None or not isinstance(asker, discord.Member):
            raise Refusal("refusal.not_on_server")
        if not may_choose(asker, guild, role_id):
            raise Refusal("refusal.role.rank")
        if chosen is RoleHolder.NOBODY:
            if not await self._store.drop_rule(server_id, role_id):
                raise Refusal("refusal.role.unknown", role=role.name)
        elif (trouble := trouble_with(guild, role_id)) is not None:
            raise Refusal(f"honours.trouble.{trouble}", role=role.name)
        else:
            wanted = (rating or 0) if chosen is RoleHolder.RATING else None
            await self._honours.give(server_id, role_id, wanted)
        self.roles.note_change(server_id)
        await self._show(interaction, changed=True)

    async def _show(self, interaction: Interaction, *, changed: bool) -> None:
        """Show the asker all choices of the server."""
        texts = own_texts_of(interaction)
        shown = await self.settings_line(server_of(interaction), texts)
        view = view_of(saved(shown, texts) if changed else shown)
        await response_of(interaction).whisper(view)


def _season_channel(interaction: Interaction, word: str) -> ChannelId | None:
    """Return this channel for "here", None for "off"; raise OptionError.

    Raises Refusal if the bot may not post here.
    """
    if read_choice("seasons", word, (_HERE, _OFF)) == _OFF:
        return None
    channel_id = place_of(interaction).channel_id
    if missing := missing_permissions(interaction):
        raise Refusal("refusal.settings.unposted", channels=(channel_id,), permissions=missing)
    return channel_id


def _is_on(option: str, word: str) -> bool:
    """Return the value of a switch that was set; raise OptionError."""
    return read_choice(option, word, (_ON, _OFF)) == _ON
