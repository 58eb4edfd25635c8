"""A server's live matches, and calling matches off."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.db.errors import CorruptRowError
from bot.identity import ChannelId, MemberId, Person, ServerId
from bot.matches.service import may_count
from bot.matches.store import MatchStore
from bot.moderation.model import CalledOff, GamesPage
from bot.moderation.store import ModerationStore
from bot.pages import page_of
from bot.ratings.model import fewest_plies
from bot.refusals import Refusal
from core.players import Member

_PAGE_SIZE = 10


class ModerationService:
    """Lists live matches, and calls them off. `now` gives Unix seconds."""

    def __init__(self, store: ModerationStore, match_store: MatchStore, now: Callable[[], int]):
        self._store = store
        self._match_store = match_store
        self._now = now

    async def games(self, server_id: ServerId, number: int) -> GamesPage:
        """Return a page of a server's live matches, the last page if `number` is too great."""
        count = await self._store.count_live(server_id)
        shown, pages = page_of(number, count, _PAGE_SIZE)
        listed = await self._store.live(server_id, shown * _PAGE_SIZE, _PAGE_SIZE)
        newest = self._match_store.board_ids.newest
        read = {one.id: one for one in await self._match_store.load_all([one.id for one in listed])}
        located = [
            replace(one, board_id=newest(one.id, one.board_id), stored=read.get(one.id))
            for one in listed
        ]
        return GamesPage(located, shown, pages)

    async def call_off(self, channel_id: ChannelId, by: Person) -> CalledOff:
        """End the live match and the open invitations of a channel for a moderator; return both.

        Raises Refusal if there is nothing to end, and if it is the moderator's own match and would
        be rated, or count in a tournament: otherwise they could keep a loss from counting.
        """
        await self._check_disinterested(channel_id, by.id)
        await self._match_store.board_ids.write()  # so that the end reads the newest board
        ended = await self._store.call_off(channel_id, by, self._now())
        if ended.match_id is not None:
            with suppress(CorruptRowError):
                ended = replace(ended, stored=await self._match_store.load_ended(ended.match_id))
        elif not ended.challenges:
            raise Refusal("refusal.nothing_to_call_off")
        return ended

    async def _check_disinterested(self, channel_id: ChannelId, member_id: MemberId) -> None:
        """Raise Refusal if a member plays in a channel's match, and its end would count.

        A match that can't be read never will be rated.
        """
        try:
            live = await self._match_store.live(channel_id)
        except CorruptRowError:
            return
        if live is None or Member(member_id) not in live.match.players:
            return
        if live.tournament_id is not None:
            raise Refusal("refusal.tournament.own_game")
        if may_count(live) and live.match.ply >= fewest_plies(live.match):
            raise Refusal("refusal.own_match", live)
