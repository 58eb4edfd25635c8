"""A member's profile, and the matches behind it and those that go on, page by page."""

from math import ceil, inf

from bot.identity import MatchId, MemberId, Place
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.profiles.model import CurrentPage, HistoryPage, Profile
from bot.profiles.store import HistoryStore
from bot.ratings.model import ALL_TIME, By, Listing
from bot.ratings.store import ScoreStore
from core.games import GAMES
from core.players import Member

PAGE = 10


class ProfileService:
    """Reads the matches of members on a server, elsewhere those of a channel."""

    def __init__(self, histories: HistoryStore, scores: ScoreStore, matches: MatchStore):
        self._histories = histories
        self._scores = scores
        self._matches = matches

    async def history(self, place: Place, member_id: MemberId, number: int) -> HistoryPage:
        """Return a page of finished matches, the last one for a number beyond it."""
        count = await self._histories.count(place, member_id)
        shown, pages = _page(number, count)
        page = await self._histories.page(place, member_id, shown * PAGE, PAGE)
        return HistoryPage(page, shown, pages, on_server=place.server_id is not None)

    async def current(self, place: Place, member_id: MemberId, number: int) -> CurrentPage:
        """Return a page of the matches that a member plays, the last one for a number beyond it.

        They are those of the server, and elsewhere those of all places. First come those where it
        is their turn; of each kind, first those whose time runs out first. A member who has left a
        match no longer plays it. Matches that can't be read are left out.
        """
        found = await self._matches.load_all(await self._histories.current(place, member_id))
        member = Member(member_id)
        playing = [one for one in found if one.match.seat_of(member) in one.match.staying]
        playing.sort(key=lambda one: (one.match.next_player != member, *_urgency(one)))
        shown, pages = _page(number, len(playing))
        some = playing[shown * PAGE : (shown + 1) * PAGE]
        to_move = [one for one in some if one.match.next_player == member]
        return CurrentPage(to_move, some[len(to_move) :], shown, pages)

    async def profile(self, place: Place, member_id: MemberId, asker_id: MemberId) -> Profile:
        """Return the profile of a member, as `asker_id` sees it.

        Elsewhere than on a server it is that of the channel, and has no ratings.
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


def _page(number: int, count: int) -> tuple[int, int]:
    """Return the page to show of `count` entries, the last if `number` is beyond it, and all."""
    pages = max(1, ceil(count / PAGE))
    return min(number, pages - 1), pages


def _urgency(stored: StoredMatch) -> tuple[float, MatchId]:
    deadline = stored.timing.deadline
    return (inf if deadline is None else deadline), stored.id
