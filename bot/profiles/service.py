"""A member's matches: their sums, the finished ones page by page, those that are being played."""

import logging

from bot.identity import MemberId, Place
from bot.matches.occupancy import Occupancy
from bot.matches.returning import Returning
from bot.matches.store import MatchStore
from bot.pages import page_of
from bot.profiles.model import Current, HistoryPage, Profile
from bot.profiles.store import HistoryStore
from bot.ratings.model import ALL_TIME, By, Listing
from bot.ratings.store import ScoreStore
from core.games import GAMES
from core.players import Member

log = logging.getLogger(__name__)

_HISTORY_PAGE = 10


class ProfileService:
    """Reads the matches of members on a server, elsewhere those of a channel."""

    def __init__(
        self,
        match_store: MatchStore,
        histories: HistoryStore,
        scores: ScoreStore,
        occupancy: Occupancy,
        returning: Returning,
    ):
        self._match_store = match_store
        self._histories = histories
        self._scores = scores
        self._occupancy = occupancy
        self._returning = returning

    async def current(self, place: Place, member_id: MemberId) -> Current:
        """Return the matches that a member plays, and those that they can bring to a place."""
        found = await self._occupancy.playing(place, member_id)
        unreachable = await self._returning.unreachable(found, place, member_id)
        out = {stored.id for stored in unreachable}
        playing = [stored for stored in found if stored.id not in out]
        member = Member(member_id)
        return Current(
            to_move=[stored for stored in playing if stored.match.next_player == member],
            waiting=[stored for stored in playing if stored.match.next_player != member],
            archived=await self._occupancy.all_archived(place, member_id),
            unreachable=unreachable,
        )

    async def history(self, place: Place, member_id: MemberId, number: int) -> HistoryPage:
        """Return a page of finished matches, the last page if `number` is too great.

        A match that can't be read is logged and left out, so that it doesn't hide the others.
        """
        count = await self._histories.count(place, member_id)
        shown, pages = page_of(number, count, _HISTORY_PAGE)
        ids = await self._histories.page(place, member_id, shown * _HISTORY_PAGE, _HISTORY_PAGE)
        page = await self._match_store.load_all(ids)
        if unread := set(ids) - {stored.id for stored in page}:
            log.error("matches are missing on a page of a history: %s", unread)
        return HistoryPage(page[::-1], shown, pages, on_server=place.server_id is not None)

    async def profile(self, place: Place, member_id: MemberId, asker_id: MemberId) -> Profile:
        """Return the profile of a member, as `asker_id` sees it.

        Outside of servers it is the profile of a channel, and has no ratings.
        """
        standings = {}
        if place.server_id is not None:
            for game in GAMES:
                listing = Listing(place.server_id, game, ALL_TIME, By.RATING)
                if (standing := await self._scores.standing(listing, member_id)) is not None:
                    standings[game] = standing
        rival_id = None if asker_id == member_id else asker_id
        career = await self._histories.career(place, member_id, rival_id)
        return Profile(standings, career, on_server=place.server_id is not None)
