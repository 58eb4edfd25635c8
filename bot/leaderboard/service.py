"""The content of a leaderboard: a page of its list, the asker's own line, the champions."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from bot.identity import MemberId, ServerId
from bot.leaderboard.model import LeaderboardPage, Period
from bot.ratings.model import ALL_TIME, By, Listing, Standing, month_before, month_of, week_of
from bot.ratings.standings import ALL_GAMES
from bot.ratings.store import ScoreStore
from core.games import GAMES

PAGE_SIZE = 10
_CHAMPIONS = 3
# More than a page holds, because some may have left. With the champions, these are as many members
# as one request to Discord may name.
_CANDIDATES = 97

Gone: TypeAlias = Callable[[Sequence[MemberId]], Awaitable[set[MemberId] | None]]


class LeaderboardService:
    """Pages of leaderboards; `clock` gives Unix seconds."""

    def __init__(self, scores: ScoreStore, clock: Callable[[], int]):
        self._scores = scores
        self._clock = clock

    def listing(self, server_id: ServerId, game: str, period: Period, by: By) -> Listing:
        """Return the list of a game; an unknown game stands for all games.

        There are no ratings over all games, so those are ordered by wins.
        """
        known = game if game in GAMES else ALL_GAMES
        now = self._clock()
        named = {Period.ALL: ALL_TIME, Period.MONTH: month_of(now), Period.WEEK: week_of(now)}
        return Listing(server_id, known, named[period], by if known else By.WINS)

    async def page(
        self, listing: Listing, number: int, asker_id: MemberId, gone: Gone
    ) -> LeaderboardPage:
        """Return a page, the last one for a number beyond it.

        `gone` is called once. Members who have left the server are noted as absent, so that no list
        shows them from then on.
        """
        count, shown, users = await self._stretch(listing, number)
        winners = await self._champions(listing)
        if left := await gone([*users, *(winner.user_id for winner in winners)]):
            await self._scores.note_presence(listing.server_id, left, present=False)
            count, shown, users = await self._stretch(listing, number)
            winners = await self._champions(listing)
        return LeaderboardPage(
            listing,
            await self._scores.lines(listing, users[:PAGE_SIZE], shown * PAGE_SIZE),
            shown,
            _last(count) + 1,
            await self._scores.standing(listing, asker_id),
            winners,
        )

    async def _stretch(self, listing: Listing, number: int) -> tuple[int, int, list[MemberId]]:
        """Return the length of a list, the page shown, and the members from that page on."""
        count = await self._scores.count(listing)
        shown = min(number, _last(count))
        users = await self._scores.users(listing, shown * PAGE_SIZE, _CANDIDATES, count)
        return count, shown, users

    async def _champions(self, listing: Listing) -> Sequence[Standing]:
        now = self._clock()
        if listing.period != month_of(now):
            return ()
        before = Listing(listing.server_id, listing.game, month_before(now), listing.by)
        users = await self._scores.users(before, 0, _CHAMPIONS, _CHAMPIONS)
        first = await self._scores.lines(before, users, 0)
        return [standing for standing in first if standing.rank <= _CHAMPIONS]


def _last(count: int) -> int:
    """Return the number of the last page of a list."""
    return max(0, -(-count // PAGE_SIZE) - 1)
