"""The ends of seasons: each is told once, in the channel that a server has chosen.

Before the bot sends the message, it checks whether the channel has it: Discord's reply may have
been lost, or the bot killed before it noted the message. Where the bot can't read earlier messages,
Discord makes only one message of all with the same nonce, for some minutes.

Members who have left aren't named. Until Discord says who has, a season isn't told. All seasons end
at once, and the requests about members are shared with presses, so a round tells only some of them.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime

import discord

from bot.gateway.channels import Channels, nonce_of
from bot.gateway.components import Component, Upload, gallery
from bot.gateway.errors import CALL_FAILED, may_pass
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.honours.model import DueSeason, NewHonourSettings, Season
from bot.honours.store import HonourStore
from bot.honours.view import card_words, podium, season_title, season_view
from bot.i18n import ChannelTexts
from bot.identity import ServerId
from bot.matches.here import SettingsHere
from bot.pictures.client import PictureClient
from bot.ratings.model import ALL_GAMES, By, Gone, Listing, month_before
from bot.ratings.store import ScoreStore
from bot.workers.errors import NoResultError
from bot.workers.fair_queue import Ticket
from core.games import GAMES

log = logging.getLogger(__name__)

_EVERY_SECONDS = 60.0
# The most servers in one round; the others wait for the next round.
_SERVERS_A_ROUND = 30
_AT_ONCE = 2
_CARD = "podium.png"
_FIRST = 3
# After this day of the next month, the news would surprise.
_LAST_DAY = 7


class SeasonPosts:
    """Posts the ends of seasons.

    `gone` asks for members who have left, `guild_of` finds a server that this process is connected
    to and serves, and `now` gives Unix seconds.
    """

    def __init__(
        self,
        store: HonourStore,
        scores: ScoreStore,
        gone: Gone,
        channels: Channels,
        pictures: PictureClient,
        here: SettingsHere,
        guild_of: Callable[[ServerId], discord.Guild | None],
        now: Callable[[], int],
    ):
        self._store = store
        self._scores = scores
        self._gone = gone
        self._channels = channels
        self._pictures = pictures
        self._here = here
        self._guild_of = guild_of
        self._now = now
        self.loop = Loop(
            "telling of seasons", _EVERY_SECONDS, self.tell, first_after=AFTER_START_SECONDS
        )

    async def tell(self) -> None:
        """Tell the ends of seasons that are due, in the first days of the month after (UTC)."""
        now = self._now()
        if datetime.fromtimestamp(now, UTC).day > _LAST_DAY:
            return
        due = [one for one in await self._store.due(month_before(now)) if self._may_tell(one)]
        await self.loop.each(due[:_SERVERS_A_ROUND], self._tell, _AT_ONCE)

    def _may_tell(self, due: DueSeason) -> bool:
        """Return whether a server can be told now; this makes no request."""
        guild = self._guild_of(due.server_id)
        there = guild is not None and not guild.unavailable
        return there and not self._channels.known.missing(due.place)

    async def _tell(self, due: DueSeason) -> None:
        """Tell one server of its season; if that fails for now, it stays due."""
        if await self._post(due):
            await self._store.change(due.server_id, NewHonourSettings(season_told=due.period))

    async def _post(self, due: DueSeason) -> bool:
        """Post the end of a season if anybody has won; return False if that fails for now."""
        season = await self._season_of_present(due)
        if season is None:
            return False
        if not season.first.named:
            return True
        texts = await self._here.texts_of(due.server_id)
        view = season_view(season, texts, await self._card(due, season, texts))
        nonce = nonce_of("season", due.server_id, due.channel_id, due.period)
        try:
            if not await self._channels.has_said(due.place, season_title(due.period, texts)):
                await self._channels.send(due.place, view, nonce=nonce)
        except CALL_FAILED as error:
            log.warning("server %s isn't told of a season: %s", due.server_id, error)
            return not may_pass(error)
        return True

    async def _season_of_present(self, due: DueSeason) -> Season | None:
        """Return how a season ended among members who haven't left; None if Discord doesn't say."""
        while (season := await self._season(due)).first.named:
            left = await self._gone(due.server_id, season.named)
            if left is None:
                return None
            if not left:
                break
            await self._scores.note_left(due.server_id, left)
        return season

    async def _season(self, due: DueSeason) -> Season:
        """Return how a season ended, as far as is known who has left."""
        over_all = Listing(due.server_id, ALL_GAMES, due.period, By.WINS)
        best = {}
        for game in GAMES:
            rated = Listing(due.server_id, game, due.period, By.RATING)
            if (leaders := await self._scores.leaders(rated, 1)).named:
                best[game] = leaders
        return Season(due.period, await self._scores.leaders(over_all, _FIRST), best)

    async def _card(self, due: DueSeason, season: Season, texts: ChannelTexts) -> Component | None:
        """Return the picture of the first three; None if it can't be drawn or sent."""
        drawn = podium(season, texts)
        if drawn is None or not self._channels.known.may_attach(due.place):
            return None
        try:
            card = await self._pictures.picture(Ticket(due.server_id), drawn)
        except NoResultError as error:
            log.warning("a season of server %s has no card: %r", due.server_id, error)
            return None
        return gallery(Upload(_CARD, card), card_words(drawn, texts))
