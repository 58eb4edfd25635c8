"""What the computer can tell the players: a hint, and how a match went."""

import asyncio

from bot.analysis.model import Step, positions_to_analyse, review
from bot.matches.checks import check_turn
from bot.matches.model import StoredMatch
from bot.matches.service import Matches
from bot.refusals import Refusal
from bot.workers.processes import ClosedError
from bot.workers.search_client import SearchClient, SearchFailedError
from core.engine.analysis import Analysis
from core.engine.levels import levels_of
from core.engine.player import Engine
from core.errors import MatchOver
from core.match import Match
from core.position import Position

# Discord forgets an interaction after a quarter of an hour; nobody waits that long.
_REVIEW_SECONDS = 300

# Positions that were looked at lately; asking again for the same match then costs nothing.
_REMEMBERED = 2000


class Insight:
    """Hints and reviews. `engine` gives here what is a glance, `searches` the rest."""

    def __init__(self, matches: Matches, engine: Engine, searches: SearchClient):
        self._matches = matches
        self._engine = engine
        self._searches = searches
        self._known: dict[tuple[str, str], Analysis] = {}
        # Reviews take long, and nobody's move waits for them: they share one search process.
        self._one_review = asyncio.Lock()

    async def hint(self, stored: StoredMatch, member_id: int) -> Analysis:
        """Return what the member to move should know; the match is unrated from then on.

        Raises Refusal, after which it is what it was.
        """
        check_turn(stored, member_id)
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

    async def finished(self, channel_id: int) -> StoredMatch:
        """Return the newest match of a channel that is over; raise Refusal."""
        stored = await self._matches.store.finished(channel_id)
        if stored is None:
            raise Refusal("refusal.nothing_to_analyse")
        return stored

    def check_over(self, stored: StoredMatch) -> None:
        """Raise Refusal for a match that is still being played: a review would be a hint."""
        if not stored.match.outcome:
            raise Refusal("refusal.still_played", stored)

    async def review(self, stored: StoredMatch) -> tuple[Step, ...]:
        """Return the moves of a match that is over, with what each was worth; raise Refusal.

        Where a search fails, or time runs out, no more is known of the moves from there on.
        """
        self.check_over(stored)
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
        """Return what is known of a position; raise SearchFailedError, Refusal."""
        key = (match.game.key, position.notation)
        if key not in self._known:
            try:
                found = await self._searches.analyse(match.game, position)
            except ClosedError as error:
                raise Refusal("refusal.closing") from error
            while len(self._known) >= _REMEMBERED:
                del self._known[next(iter(self._known))]
            self._known[key] = found
        return self._known[key]
