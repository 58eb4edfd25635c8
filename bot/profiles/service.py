"""Profiles and histories: the sums of a member's matches, and the matches page by page."""

from bot.identity import MemberId, ServerId
from bot.profiles.model import HistoryPage, Profile
from bot.profiles.store import HistoryStore
from bot.ratings.model import ALL_TIME, By, Listing
from bot.ratings.store import ScoreStore
from core.games import GAMES

HISTORY_PAGE = 10


class ProfileService:
    """Reads the matches of members on a server."""

    def __init__(self, histories: HistoryStore, scores: ScoreStore):
        self._histories = histories
        self._scores = scores

    async def history(self, server_id: ServerId, member_id: MemberId, number: int) -> HistoryPage:
        """Return a page of finished matches, the last one for a number beyond it."""
        count = await self._histories.count(server_id, member_id)
        last = max(0, -(-count // HISTORY_PAGE) - 1)
        shown = min(number, last)
        page = await self._histories.page(server_id, member_id, shown * HISTORY_PAGE, HISTORY_PAGE)
        return HistoryPage(page, shown, last + 1)

    async def profile(
        self, server_id: ServerId, member_id: MemberId, asker_id: MemberId
    ) -> Profile:
        """Return the profile of a member, as `asker_id` sees it."""
        standings = {}
        for game in GAMES:
            listing = Listing(server_id, game, ALL_TIME, By.RATING)
            if (standing := await self._scores.standing(listing, member_id)) is not None:
                standings[game] = standing
        rival_id = None if asker_id == member_id else asker_id
        return Profile(standings, await self._histories.career(server_id, member_id, rival_id))
