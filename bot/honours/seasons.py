"""The ends of seasons: each is told once, in the channel that a server has chosen.

A bot that is killed before it notes the message sends it again, and Discord makes one message of
those with the same nonce.
"""

import logging
from collections.abc import Callable

import discord

from bot.gateway.channels import Channels, nonce_of
from bot.gateway.components import Upload
from bot.gateway.errors import CALL_FAILED, may_pass
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.honours.model import DueSeason, Season
from bot.honours.service import HonourService
from bot.honours.view import podium, season_view
from bot.i18n import ChannelTexts
from bot.identity import Place, ServerId
from bot.matches.here import SettingsHere
from bot.pictures.client import NOT_DRAWN, PictureClient
from bot.workers.fair_queue import Ticket

log = logging.getLogger(__name__)

_EVERY_SECONDS = 60.0
_AT_ONCE = 10
_CARD = "podium.png"


class SeasonPosts:
    """Posts the ends of seasons; `guild_of` finds a server that this process is connected to."""

    def __init__(
        self,
        honours: HonourService,
        channels: Channels,
        pictures: PictureClient,
        here: SettingsHere,
        guild_of: Callable[[ServerId], discord.Guild | None],
    ):
        self._honours = honours
        self._channels = channels
        self._pictures = pictures
        self._here = here
        self._guild_of = guild_of
        self.loop = Loop(
            "telling of seasons", _EVERY_SECONDS, self.tell, first_after=AFTER_START_SECONDS
        )

    async def tell(self) -> None:
        """Tell the ends of seasons that are due."""
        await self.loop.each(await self._honours.due_seasons(), self._tell_if_there, _AT_ONCE)

    async def _tell_if_there(self, due: DueSeason) -> None:
        guild = self._guild_of(due.server_id)
        if guild is not None and not guild.unavailable:
            await self._tell(due)

    async def _tell(self, due: DueSeason) -> None:
        """Post the end of a season; if that failed for now, it stays due."""
        season = await self._honours.season(due)
        if season.first:
            texts = await self._here.texts_of(due.server_id)
            place = Place(due.server_id, due.channel_id)
            may_attach = self._channels.may_attach(place)
            card = await self._card(due, season, texts) if may_attach else None
            view = season_view(season, texts, card)
            nonce = nonce_of("season", due.server_id, due.channel_id, due.period)
            try:
                await self._channels.send(place, view, nonce=nonce)
            except CALL_FAILED as error:
                log.warning("server %s isn't told of a season: %s", due.server_id, error)
                if may_pass(error):
                    return
        await self._honours.note_told(due)

    async def _card(self, due: DueSeason, season: Season, texts: ChannelTexts) -> Upload | None:
        """Return the picture of the first three, None if it can't be drawn."""
        try:
            card = await self._pictures.picture(Ticket(due.server_id), podium(season, texts))
        except NOT_DRAWN as error:
            log.warning("a season of server %s has no card: %r", due.server_id, error)
            return None
        return Upload(_CARD, card)
