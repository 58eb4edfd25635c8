"""The feature: /achievements, what servers choose about honours, and the work behind them."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import app_commands

from bot.gateway.channels import Channels
from bot.gateway.commands import CommandBuilder, read_choice
from bot.gateway.components import text_view
from bot.gateway.feature import AnyCommand, Feature
from bot.gateway.limits import Kind, Limits
from bot.gateway.loops import Loop
from bot.gateway.permissions import check_moderator, server_permissions
from bot.gateway.responses import (
    CALL_FAILED,
    Interaction,
    Upload,
    asker_of,
    may_pass,
    missing_permissions,
    own_texts_of,
    person_of,
    place_of,
    response_of,
    server_of,
)
from bot.honours.model import DueSeason, Holder, Rule, Season
from bot.honours.roles import RoleKeeper, may_choose, trouble_with
from bot.honours.service import AchievementService, HonourService
from bot.honours.store import HonourStore
from bot.honours.view import (
    CARD,
    achievements_text,
    honours_text,
    podium,
    profile_line,
    season_view,
    told_view,
    trouble_text,
)
from bot.i18n import ChannelTexts, OwnTexts, channel_texts
from bot.identity import MemberId, Place, RoleId, ServerId, escape
from bot.pictures.client import NOT_DRAWN, PictureClient
from bot.ratings.store import ScoreStore
from bot.refusals import Refusal
from bot.workers.fair_queue import Ticket

log = logging.getLogger(__name__)

_LOOK_EVERY_SECONDS = 10.0
# A round that the loop cuts off counts as failed, and a busy bot isn't a failing one.
_ROUND_SECONDS = 300.0
_SEASONS_EVERY_SECONDS = 60.0
_ROLES_EVERY_SECONDS = 120.0
# Presses and owed moves come first at a start.
_FIRST_AFTER_SECONDS = 5.0

_HERE, _OFF, _ON = "here", "off", "on"


class Honours(Feature):
    """Achievements, the ends of seasons, and roles for results.

    `guild_of` finds a server that this process is connected to.
    """

    def __init__(
        self,
        achievements: AchievementService,
        honours: HonourService,
        store: HonourStore,
        scores: ScoreStore,
        channels: Channels,
        pictures: PictureClient,
        limits: Limits,
        guild_of: Callable[[ServerId], discord.Guild | None],
    ):
        self._achievements = achievements
        self._honours = honours
        self._channels = channels
        self._pictures = pictures
        self._limits = limits
        self._guild_of = guild_of
        self._roles = RoleKeeper(
            store, scores, channels, guild_of, lambda: honours.last_season, self._tell_trouble
        )
        self._looking = Loop(
            "looking for achievements",
            _LOOK_EVERY_SECONDS,
            self.look,
            first_after=_FIRST_AFTER_SECONDS,
        )

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /achievements."""
        member = {"member": "option.member"}
        return [
            build.command("achievements", self.achievements, member, private=True, on_servers=True)
        ]

    def settings_commands(
        self, build: CommandBuilder
    ) -> list[app_commands.Command[Any, ..., None]]:
        """Return /settings honours and /settings role."""
        seasons = [build.choice(f"honours.seasons.{word}", word) for word in (_HERE, _OFF)]
        told = [
            build.choice("honours.achievements.told", _ON),
            build.choice("honours.achievements.untold", _OFF),
        ]
        takes_part = [build.choice(f"honours.everywhere.{word}", word) for word in (_ON, _OFF)]
        options = ("seasons", "achievements", "everywhere")
        choose = build.command(
            "honours",
            self.choose,
            {name: f"option.honours.{name}" for name in options},
            described="command.settings.honours",
            private=True,
            choices={"seasons": seasons, "achievements": told, "everywhere": takes_part},
        )
        role = build.command(
            "role",
            self.role,
            {name: f"option.role.{name}" for name in ("role", "holder", "rating")},
            described="command.settings.role",
            private=True,
            choices={"holder": [build.choice(f"holder.{one}", one.value) for one in Holder]},
        )
        return [choose, role]

    def loops(self) -> Sequence[Loop]:
        """Return the loops that look at ended matches, tell of seasons, and keep roles."""
        after = _FIRST_AFTER_SECONDS
        return [
            self._looking,
            Loop("telling of seasons", _SEASONS_EVERY_SECONDS, self.tell, first_after=after),
            Loop("keeping roles", _ROLES_EVERY_SECONDS, self._roles.keep, first_after=after),
        ]

    async def line(
        self, server_id: ServerId, member_id: MemberId, texts: ChannelTexts
    ) -> str | None:
        """Return the line of a profile that names a member's achievements, None without any."""
        return profile_line(await self._achievements.earned(server_id, member_id), texts)

    async def achievements(
        self, interaction: Interaction, member: discord.User | discord.Member | None = None
    ) -> None:
        """Show a member's achievements, the asker's own if nobody is named, and the open ones."""
        self._limits.count(Kind.PAGE, asker_of(interaction))
        person = person_of(member or interaction.user)
        earned = await self._achievements.earned(server_of(interaction), person.id)
        text = achievements_text(earned, escape(person.name), own_texts_of(interaction))
        await response_of(interaction).whisper(text)

    async def choose(
        self,
        interaction: Interaction,
        seasons: str | None = None,
        achievements: str | None = None,
        everywhere: str | None = None,
    ) -> None:
        """Change the choices that are given, and show all."""
        check_moderator(interaction, server_permissions(interaction))
        if seasons is not None and read_choice("seasons", seasons, (_HERE, _OFF)) == _HERE:
            _check_posts(interaction)
        tells = _read_switch("achievements", achievements)
        takes_part = _read_switch("everywhere", everywhere)
        changed = await self._honours.change(
            server_of(interaction),
            seasons_in=place_of(interaction).channel_id if seasons == _HERE else None,
            no_seasons=seasons == _OFF,
            tells_achievements=tells,
            everywhere=takes_part,
        )
        text = honours_text(changed, own_texts_of(interaction))
        await response_of(interaction).whisper(text_view(text))

    async def settings_line(self, server_id: ServerId, texts: OwnTexts) -> str:
        """Return what a server has chosen about honours."""
        return honours_text(await self._honours.honours(server_id), texts)

    async def role(
        self,
        interaction: Interaction,
        role: discord.Role,
        holder: str,
        rating: int | None = None,
    ) -> None:
        """Say what a role is given for, and show all choices."""
        check_moderator(interaction, server_permissions(interaction))
        server_id, role_id = server_of(interaction), RoleId(role.id)
        guild, asker = interaction.guild, interaction.user
        chosen = read_choice("holder", holder, Holder)
        if guild is None or not isinstance(asker, discord.Member):
            raise Refusal("refusal.not_on_server")
        if not may_choose(asker, guild, role_id):
            raise Refusal("refusal.role.rank")
        texts = own_texts_of(interaction)
        if chosen is Holder.NOBODY:
            if not await self._honours.give_to_nobody(server_id, role_id):
                raise Refusal("refusal.role.unknown", role=role.name)
        elif (trouble := trouble_with(guild, role_id)) is not None:
            raise Refusal(f"honours.trouble.{trouble}", role=role.name)
        elif chosen is Holder.RATING:
            await self._honours.give_for_rating(server_id, role_id, rating or 0)
        else:
            await self._honours.give_to_leader(server_id, role_id)
        await response_of(interaction).whisper(
            text_view(await self.settings_line(server_id, texts))
        )

    async def look(self) -> None:
        """Write what ended matches have brought, and tell it where the server wants that.

        If searches take long, the rest is left to the next round.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + _ROUND_SECONDS
        for match_id in await self._achievements.due():
            honoured = await self._achievements.honour(match_id)
            if honoured is not None and honoured.told:
                self._channels.send_later(honoured.stored.place, told_view(honoured))
            if self._looking.stopping or clock() >= until:
                return

    async def tell(self) -> None:
        """Tell the ends of seasons that are due; one that fails leaves out none."""
        for due in await self._honours.due_seasons():
            guild = self._guild_of(due.server_id)
            if guild is not None and not guild.unavailable:
                await self._tell_season(due, guild)

    async def _tell_season(self, due: DueSeason, guild: discord.Guild) -> None:
        """Post the end of a season; if that failed for now, it stays due.

        A bot that is killed before it notes the message sends it again, and Discord makes one
        message of those with the same nonce.
        """
        season = await self._honours.season(due)
        if season.first:
            texts = channel_texts(due.language or str(guild.preferred_locale))
            place = Place(due.server_id, due.channel_id)
            card = await self._card(due, season, texts) if self._channels.may_attach(place) else []
            view = season_view(season, texts, drawn=bool(card))
            try:
                await self._channels.send(place, view, nonce=_nonce(due), uploads=card)
            except CALL_FAILED as error:
                log.warning("server %s isn't told of a season: %s", due.server_id, error)
                if may_pass(error):
                    return
        await self._honours.note_told(due)

    async def _card(self, due: DueSeason, season: Season, texts: ChannelTexts) -> list[Upload]:
        """Return the picture of the first three, none if it can't be drawn."""
        title = texts("season.card", season=season.period)
        try:
            card = await self._pictures.podium(Ticket(due.server_id), title, podium(season, texts))
        except NOT_DRAWN as error:
            log.warning("a season of server %s has no card: %r", due.server_id, error)
            return []
        return [Upload(CARD, card)]

    async def _tell_trouble(self, guild: discord.Guild, rule: Rule) -> None:
        """Tell the channel that hears of seasons why a role isn't given any more."""
        honours = await self._honours.honours(ServerId(guild.id))
        if honours.season_channel is None:
            return
        place = Place(ServerId(guild.id), honours.season_channel)
        text = trouble_text(rule, channel_texts(honours.language or str(guild.preferred_locale)))
        self._channels.send_later(place, text_view(text))


def _check_posts(interaction: Interaction) -> None:
    """Raise Refusal if the bot may not post here."""
    if missing := missing_permissions(interaction):
        here = (place_of(interaction).channel_id,)
        raise Refusal("refusal.settings.unposted", channels=here, permissions=missing)


def _nonce(due: DueSeason) -> int:
    """Return a number for the message, the same whenever it is sent."""
    told = f"{due.server_id}:{due.channel_id}:{due.period}".encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=7).digest()) or 1


def _read_switch(option: str, word: str | None) -> bool | None:
    """Return what a switch was set to, None if it wasn't; raise OptionError."""
    return None if word is None else read_choice(option, word, (_ON, _OFF)) == _ON
