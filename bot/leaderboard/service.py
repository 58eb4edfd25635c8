"""The service behind leaderboards: which list, which page of it, and where the asker stands."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.leaderboard.lists import By, Listing, Period, Standing
from bot.ratings.model import ALL_TIME, month_before, month_of, week_of
from bot.ratings.standings import ALL_GAMES
from bot.ratings.store import ScoreStore
from core.games import GAMES

PAGE_SIZE = 10
_CHAMPIONS = 3
# So many are looked at for one page, since some may have left; with the champions that is the most
# that Discord tells at once.
_CANDIDATES = 97

Gone = Callable[[Sequence[int]], Awaitable[set[int] | None]]


@dataclass(frozen=True)
class LeaderboardPage:
    """What a page shows: `own` is the asker's line, `champions` the last season's first three."""

    listing: Listing
    standings: Sequence[Standing]
    number: int
    pages: int
    own: Standing | None
    champions: Sequence[Standing]


class Leaderboards:
    """Pages of leaderboards; `clock` gives Unix seconds."""

    def __init__(self, scores: ScoreStore, clock: Callable[[], int]):
        self._scores = scores
        self._clock = clock

    def listing(self, guild_id: int, game: str, period: Period, by: By) -> Listing:
        """Return the list that is meant; an unknown game is all games.

        There are no ratings over all games, so those are ordered by wins.
        """
        known = game if game in GAMES else ALL_GAMES
        now = self._clock()
        named = {Period.ALL: ALL_TIME, Period.MONTH: month_of(now), Period.WEEK: week_of(now)}
        return Listing(guild_id, known, named[period], by if known else By.WINS)

    async def page(
        self, listing: Listing, number: int, asker_id: int, gone: Gone
    ) -> LeaderboardPage:
        """Return a page, the last one for a number beyond it.

        `gone` says who has left the server, and is asked once; they are on no list from then on.
        """
        count, shown, users = await self._stretch(listing, number)
        winners = await self._champions(listing)
        if left := await gone([*users, *(winner.user_id for winner in winners)]):
            await self._scores.note_presence(listing.guild_id, left, present=False)
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

    async def _stretch(self, listing: Listing, number: int) -> tuple[int, int, list[int]]:
        """Return how long a list is, which page of it is shown, and who is on it or comes next."""
        count = await self._scores.count(listing)
        shown = min(number, _last(count))
        users = await self._scores.users(listing, shown * PAGE_SIZE, _CANDIDATES, count)
        return count, shown, users

    async def _champions(self, listing: Listing) -> Sequence[Standing]:
        now = self._clock()
        if listing.period != month_of(now):
            return ()
        before = Listing(listing.guild_id, listing.game, month_before(now), listing.by)
        users = await self._scores.users(before, 0, _CHAMPIONS, _CHAMPIONS)
        first = await self._scores.lines(before, users, 0)
        return [standing for standing in first if standing.rank <= _CHAMPIONS]


def _last(count: int) -> int:
    """Return the number of the last page of a list."""
    return max(0, -(-count // PAGE_SIZE) - 1)
