"""The service behind /games and /endgame."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.leaderboard.lists import CalledOff, ListedMatch
from bot.matches.model import StoredMatch
from bot.matches.rows import CorruptRowError
from bot.matches.service import Matches
from bot.refusals import Refusal
from bot.servers.moderation_store import ModerationStore

PAGE_SIZE = 10


@dataclass(frozen=True)
class GamesPage:
    """Some of a server's live matches, the oldest first; `number` is from 0."""

    listed: Sequence[ListedMatch]
    number: int
    pages: int


class Moderation:
    """What moderators do beside choosing settings."""

    def __init__(self, store: ModerationStore, matches: Matches):
        self._store = store
        self._matches = matches

    async def games(self, guild_id: int, number: int) -> GamesPage:
        """Return a page of a server's live matches, the last one for a number beyond it."""
        pages = max(1, -(-await self._store.count_live(guild_id) // PAGE_SIZE))
        shown = min(number, pages - 1)
        listed = await self._store.live(guild_id, shown * PAGE_SIZE, PAGE_SIZE)
        newest = self._matches.boards.newest
        located = [replace(one, board_id=newest(one.id, one.board_id)) for one in listed]
        return GamesPage(located, shown, pages)

    async def call_off(self, channel_id: int) -> tuple[CalledOff, StoredMatch | None]:
        """End the live match and the open challenges of a channel, and return what that was.

        With it comes the match, None where there was none or it can't be read. Raises Refusal where
        there is nothing to end.
        """
        ended = await self._store.call_off(channel_id, self._matches.clock())
        match_id = ended.match_id
        if match_id is None:
            if not ended.challenges:
                raise Refusal("refusal.nothing_to_call_off")
            return ended, None
        ended = replace(ended, board_id=self._matches.boards.newest(match_id, ended.board_id))
        try:
            stored = await self._matches.store.load(match_id)
        except CorruptRowError:
            return ended, None
        return ended, stored and self._matches.boards.located(stored)
