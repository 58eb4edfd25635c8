"""The service behind leaderboards: which list, which page of it, and where the asker stands."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.ratings import ALL_TIME, month_before, month_of, week_of
from bot.records import By, Listing, Period, Standing
from bot.standings import ALL_GAMES
from bot.storage.scores import ScoreStore
from core.games import GAMES

PAGE_SIZE = 10
_CHAMPIONS = 3
# So many are looked at for one page: some of them may turn out to have left.
_CANDIDATES = 100

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
        last = await self._last(listing)
        start = min(number, last) * PAGE_SIZE
        candidates = await self._scores.users(listing, start, _CANDIDATES)
        if left := await gone(candidates):
            await self._scores.note_presence(listing.guild_id, left, present=False)
            last = await self._last(listing)
        shown = min(number, last)
        return LeaderboardPage(
            listing,
            await self._scores.page(listing, shown * PAGE_SIZE, PAGE_SIZE),
            shown,
            last + 1,
            await self._scores.standing(listing, asker_id),
            await self._champions(listing),
        )

    async def _last(self, listing: Listing) -> int:
        return max(0, -(-await self._scores.count(listing) // PAGE_SIZE) - 1)

    async def _champions(self, listing: Listing) -> Sequence[Standing]:
        now = self._clock()
        if listing.period != month_of(now):
            return ()
        before = Listing(listing.guild_id, listing.game, month_before(now), listing.by)
        first = await self._scores.page(before, 0, _CHAMPIONS)
        return [standing for standing in first if standing.rank <= _CHAMPIONS]
