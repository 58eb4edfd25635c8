"""The content of a leaderboard: a page of its list, the asker's own line, the champions."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from cachetools import TTLCache

from bot.identity import MemberId, ServerId
from bot.leaderboard.model import LeaderboardPage, Period
from bot.leaderboard.store import EverywhereStore
from bot.pages import page_of
from bot.ratings.model import (
    ALL_GAMES,
    ALL_TIME,
    By,
    Gone,
    Leaders,
    Listing,
    Standing,
    month_before,
    month_of,
    week_of,
)
from bot.ratings.store import ScoreStore
from bot.refusals import Refusal
from core.games import GAMES

PAGE_SIZE = 10
_CHAMPIONS = 3
# More than a page holds, because some may have left: as many members as one request to Discord may
# name.
_CANDIDATES = 100

# The most lines of the leaderboard of all servers.
_MOST_EVERYWHERE = 100
# A list of all servers is made from all its rows, so it is kept for a while. Which members are
# still listed is asked each time.
_KEPT_LISTS, _KEPT_SECONDS = 100, 60


class LeaderboardService:
    """Pages of leaderboards. `gone` asks for members who have left; `now` gives Unix seconds."""

    def __init__(
        self, scores: ScoreStore, everywhere: EverywhereStore, gone: Gone, now: Callable[[], int]
    ):
        self._scores = scores
        self._everywhere = everywhere
        self._gone = gone
        self._now = now
        self._kept: TTLCache[tuple[str, str, By], list[Standing]]
        self._kept = TTLCache(_KEPT_LISTS, _KEPT_SECONDS, now)
        self._reading = asyncio.Lock()

    def listing(self, server_id: ServerId, game: str, period: Period, by: By) -> Listing:
        """Return the list of a game; an unknown game stands for all games.

        There are no ratings over all games, so those are ordered by wins.
        """
        known = game if game in GAMES else ALL_GAMES
        now = self._now()
        named = {Period.ALL: ALL_TIME, Period.MONTH: month_of(now), Period.WEEK: week_of(now)}
        return Listing(server_id, known, named[period], by if known else By.WINS)

    async def page(self, listing: Listing, number: int, asker_id: MemberId) -> LeaderboardPage:
        """Return a page, the last one if `number` is too great.

        The asker is there. Of the others, Discord is asked once who has left the server. Those
        members are noted as absent, so no list shows them any more.
        """
        await self._scores.note_seen(listing.server_id, asker_id, self._now())
        shown, pages, users = await self._stretch(listing, number)
        if left := await self._gone(listing.server_id, users):
            await self._scores.note_left(listing.server_id, left, month_before(self._now()))
            shown, pages, users = await self._stretch(listing, number)
        return LeaderboardPage(
            listing,
            standings=await self._scores.lines(listing, users[:PAGE_SIZE], shown * PAGE_SIZE),
            number=shown,
            pages=pages,
            own=await self._scores.standing(listing, asker_id),
            champions=await self._champions(listing),
        )

    async def note_seen(self, server_id: ServerId, member_id: MemberId, _joined_at: int) -> None:
        """List a member again who had left the server: a press shows that they are back."""
        await self._scores.note_seen(server_id, member_id, self._now())

    async def everywhere(
        self, listing: Listing, number: int, asker_id: MemberId
    ) -> LeaderboardPage:
        """Return a page of the leaderboard of all servers, for a member of the listing's server.

        The asker's own line is there only if they are among the best hundred. Raises Refusal if the
        server doesn't take part.
        """
        if not await self._everywhere.takes_part(listing.server_id):
            raise Refusal("refusal.not_everywhere")
        found = await self._lines_everywhere(listing)
        shown, pages = page_of(number, len(found), PAGE_SIZE)
        return LeaderboardPage(
            listing,
            standings=found[shown * PAGE_SIZE :][:PAGE_SIZE],
            number=shown,
            pages=pages,
            own=next((line for line in found if line.user_id == asker_id), None),
            champions=Leaders(),
        )

    async def _lines_everywhere(self, listing: Listing) -> list[Standing]:
        """Return the best of all servers as they were up to a minute ago, with their names."""
        key = listing.game, listing.period, listing.by
        async with self._reading:  # others wait for the same list
            if (found := self._kept.get(key)) is None:
                found = self._kept[key] = await self._everywhere.lines(listing, _MOST_EVERYWHERE)
        listed = await self._everywhere.listed([line.user_id for line in found])
        names = await self._everywhere.names(listing.server_id, listed)
        still = (line for line in found if line.user_id in listed)
        return [replace(line, name=names.get(line.user_id, "")) for line in still]

    async def _stretch(self, listing: Listing, number: int) -> tuple[int, int, Sequence[MemberId]]:
        """Return the page shown, the number of pages, and the members from that page on."""
        count = await self._scores.count(listing)
        shown, pages = page_of(number, count, PAGE_SIZE)
        users = await self._scores.users(listing, shown * PAGE_SIZE, _CANDIDATES)
        return shown, pages, users

    async def _champions(self, listing: Listing) -> Leaders:
        """Return the first three of the last season for a list of this month, else nobody.

        Wins at all games decide a season, whatever the list shows. Who leaves stays among them, as
        in the announcement of the season's end.
        """
        now = self._now()
        if listing.period != month_of(now):
            return Leaders()
        before = Listing(listing.server_id, ALL_GAMES, month_before(now), By.WINS)
        return await self._scores.leaders(before, _CHAMPIONS)
