"""The ends of seasons: each is told once, in the channel that a server has chosen.

If the bot is killed before it notes the message, it sends it again with the same nonce, and Discord
makes only one message. If it can't note the message, as on a full disk, it only tries to note it.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime

import discord

from bot.gateway.channels import Channels, nonce_of
from bot.gateway.components import Upload
from bot.gateway.errors import CALL_FAILED, may_pass
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.honours.model import DueSeason, NewHonourSettings, Season
from bot.honours.store import HonourStore
from bot.honours.view import podium, season_view
from bot.i18n import ChannelTexts
from bot.identity import Place, ServerId
from bot.matches.here import SettingsHere
from bot.pictures.client import PictureClient
from bot.ratings.model import ALL_GAMES, By, Gone, Listing, Standing, month_before
from bot.ratings.store import ScoreStore
from bot.workers.errors import NoResultError
from bot.workers.fair_queue import Ticket
from core.games import GAMES

log = logging.getLogger(__name__)

_EVERY_SECONDS = 60.0
_AT_ONCE = 10
_CARD = "podium.png"
_FIRST = 3
# After this day of the next month, the news would surprise.
_LAST_DAY = 7


class SeasonPosts:
    """Posts the ends of seasons.

    `gone` asks for members who have left, `guild_of` finds a server that this process is connected
    to, and `now` gives Unix seconds.
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
        self._sent = set[DueSeason]()  # those that are to be noted
        self.loop = Loop(
            "telling of seasons", _EVERY_SECONDS, self.tell, first_after=AFTER_START_SECONDS
        )

    async def tell(self) -> None:
        """Tell the ends of seasons that are due, in the first days of the month after (UTC)."""
        now = self._now()
        if datetime.fromtimestamp(now, UTC).day <= _LAST_DAY:
            due = await self._store.due(month_before(now))
            await self.loop.each(due, self._tell, _AT_ONCE)

    async def _tell(self, due: DueSeason) -> None:
        """Post the end of a season; if that fails for now, or the server is away, it stays due."""
        guild = self._guild_of(due.server_id)
        if guild is None or guild.unavailable:
            return
        if due not in self._sent and not await self._post(due):
            return
        self._sent.add(due)
        await self._store.change(due.server_id, NewHonourSettings(season_told=due.period))
        self._sent.remove(due)

    async def _post(self, due: DueSeason) -> bool:
        """Post the end of a season if there is one; return False if that fails for now."""
        season = await self._season(due)
        members = [one.user_id for one in (*season.first, *season.best.values())]
        if members and (left := await self._gone(due.server_id, members)):
            await self._scores.note_left(due.server_id, left)
            season = await self._season(due)
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
                return not may_pass(error)
        return True

    async def _season(self, due: DueSeason) -> Season:
        best = dict[str, Standing]()
        for game in GAMES:
            listing = Listing(due.server_id, game, due.period, By.RATING)
            if found := await self._scores.first(listing, 1):
                best[game] = found[0]
        everything = Listing(due.server_id, ALL_GAMES, due.period, By.WINS)
        first = await self._scores.first(everything, _FIRST)
        return Season(due.period, [one for one in first if one.wins], best)

    async def _card(self, due: DueSeason, season: Season, texts: ChannelTexts) -> Upload | None:
        """Return the picture of the first three, None if it can't be drawn."""
        try:
            card = await self._pictures.picture(Ticket(due.server_id), podium(season, texts))
        except NoResultError as error:
            log.warning("a season of server %s has no card: %r", due.server_id, error)
            return None
        return Upload(_CARD, card)
