"""From which match a puzzle comes, as far as those who see the puzzle may know it."""

from contextlib import suppress

from bot.db.errors import CorruptRowError
from bot.gateway.membership import Membership
from bot.i18n import Texts
from bot.identity import MatchId, MemberId, SeenAmong, ServerId, escape, is_former
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.puzzles.model import Given
from bot.render.words import player_name, versus
from core.players import Member


class Sources:
    """Tells from which match a puzzle comes."""

    def __init__(self, match_store: MatchStore, membership: Membership):
        self._match_store = match_store
        self._membership = membership

    async def of(self, given: Given, seen: SeenAmong, texts: Texts) -> str | None:
        """Return where a puzzle comes from, None for a shipped one.

        The players are named only to those who see the channel of their match, and only if none of
        them has left the server or was erased.
        """
        if given.match_id is None:
            return None
        stored = await self._read(given.match_id)
        if stored is None or not await self._may_name(given.server_id, stored, seen):
            return texts("puzzle.source.server")
        names = (
            player_name(player, name and escape(name), texts)
            for player, name in zip(stored.match.players, stored.names, strict=True)
        )
        return texts("puzzle.source", players=versus(names, texts))

    async def _read(self, match_id: MatchId) -> StoredMatch | None:
        """Return a match, None if it was erased or can't be read."""
        with suppress(CorruptRowError):
            return await self._match_store.load(match_id)
        return None

    async def _may_name(self, server_id: ServerId, stored: StoredMatch, seen: SeenAmong) -> bool:
        people = [MemberId(one.id) for one in stored.match.players if isinstance(one, Member)]
        if any(map(is_former, people)) or not await seen([stored.place.channel_id]):
            return False
        return await self._membership.gone(server_id, people) == set()
