"""The computer's advice to players: a hint, and a review of a match."""

import asyncio

from cachetools import LRUCache

from bot.analysis.model import ReviewedMove, positions_to_analyse, review
from bot.identity import ChannelId, MemberId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService, check_not_archived, check_seated, check_to_move
from bot.refusals import Refusal
from bot.workers.processes import ClosedError
from bot.workers.search_client import SearchClient, SearchFailedError
from core.engine.analysis import Analysis
from core.engine.levels import levels_of
from core.engine.player import Engine
from core.errors import MatchOver
from core.match import Match
from core.position import Position

# An interaction's token lives a quarter of an hour, longer than anybody waits.
_REVIEW_SECONDS = 300

# Positions whose analyses are remembered: asking again about the same match costs nothing.
_REMEMBERED = 2000


class AnalysisService:
    """Hints and reviews. `engine` makes quick analyses in this process, `searches` the others."""

    def __init__(self, matches: MatchService, engine: Engine, searches: SearchClient):
        self._matches = matches
        self._engine = engine
        self._searches = searches
        self._known: LRUCache[tuple[str, str], Analysis] = LRUCache(_REMEMBERED)
        # Reviews take long, and nobody's move waits for them: they share one search process.
        self._one_review = asyncio.Lock()

    async def hint(self, stored: StoredMatch, member_id: MemberId) -> Analysis:
        """Return the analysis for the member to move; the match is unrated from then on.

        Raises Refusal, and then changes nothing.
        """
        check_seated(stored, member_id)
        check_not_archived(stored)
        check_to_move(stored, member_id)
        match = stored.match
        strongest = levels_of(match.game, match.options)[-1]
        if self._engine.searches(match.position, strongest):
            try:
                analysis = await self._search(match, match.position)
            except SearchFailedError as error:
                raise Refusal("refusal.no_hint", stored) from error
        else:
            analysis = self._engine.analyse(match.position)
        if not await self._matches.store.note_hint(stored.id):
            raise Refusal(MatchOver(), stored)
        return analysis

    async def finished(self, channel_id: ChannelId) -> StoredMatch:
        """Return the newest match of a channel that is over; raise Refusal."""
        stored = await self._matches.store.finished(channel_id)
        if stored is None:
            raise Refusal("refusal.nothing_to_analyse")
        return stored

    async def review(self, stored: StoredMatch) -> tuple[ReviewedMove, ...]:
        """Return the moves of a match that is over, with their verdicts; raise Refusal.

        If a search fails or time runs out, the verdicts from there on are unknown.
        """
        check_over(stored)
        match, analyses = stored.match, list[Analysis]()
        clock = asyncio.get_running_loop().time
        until = clock() + _REVIEW_SECONDS
        async with self._one_review:
            for position in match.positions[: positions_to_analyse(match)]:
                if clock() > until:
                    break
                try:
                    analyses.append(await self._search(match, position))
                except SearchFailedError:
                    break
        return review(match, analyses)

    async def _search(self, match: Match, position: Position) -> Analysis:
        """Return the analysis of a position; raise SearchFailedError, Refusal."""
        key = (match.game.key, position.notation)
        if key not in self._known:
            try:
                found = await self._searches.analyse(match.game, position)
            except ClosedError as error:
                raise Refusal("refusal.closing") from error
            self._known[key] = found
        return self._known[key]


def check_over(stored: StoredMatch) -> None:
    """Raise Refusal for a match that is still being played: a review would be a hint."""
    if not stored.match.outcome:
        raise Refusal("refusal.still_played", stored)
