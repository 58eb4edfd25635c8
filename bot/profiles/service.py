"""The service behind profiles and histories: what one member's matches add up to."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.leaderboard.lists import By, Listing
from bot.matches.model import StoredMatch
from bot.profiles.model import Profile, career
from bot.profiles.store import HistoryStore
from bot.ratings.model import ALL_TIME
from bot.ratings.store import ScoreStore
from core.games import GAMES

HISTORY_PAGE = 10


@dataclass(frozen=True)
class HistoryPage:
    """A page of a member's finished matches, the newest first."""

    matches: Sequence[StoredMatch]
    number: int
    pages: int


class Profiles:
    """What members have played on a server."""

    def __init__(self, histories: HistoryStore, scores: ScoreStore):
        self._histories = histories
        self._scores = scores

    async def history(self, guild_id: int, user_id: int, number: int) -> HistoryPage:
        """Return a page of finished matches, the last one for a number beyond it."""
        count = await self._histories.count(guild_id, user_id)
        last = max(0, -(-count // HISTORY_PAGE) - 1)
        shown = min(number, last)
        page = await self._histories.page(guild_id, user_id, shown * HISTORY_PAGE, HISTORY_PAGE)
        return HistoryPage(page, shown, last + 1)

    async def profile(self, guild_id: int, user_id: int, asker_id: int) -> Profile:
        """Return what a member's matches add up to."""
        played = await self._histories.results(guild_id, user_id)
        standings = {}
        for game in GAMES:
            listing = Listing(guild_id, game, ALL_TIME, By.RATING)
            if (standing := await self._scores.standing(listing, user_id)) is not None:
                standings[game] = standing
        return career(played, standings, None if asker_id == user_id else asker_id)
