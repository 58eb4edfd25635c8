"""The computer's advice to players: a hint, and a review of a match."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from cachetools import LRUCache

from bot.analysis.model import BestLine, ReviewedMove, ReviewProgress, positions_to_analyse, review
from bot.identity import MatchId, MemberId
from bot.locks import LockKind, Locks
from bot.matches.model import StoredMatch
from bot.matches.service import check_to_move, may_count, seat_or_refuse
from bot.refusals import Refusal
from bot.workers.errors import ClosedError, TooLateError, WorkFailedError
from bot.workers.fair_queue import FairQueue, Ticket
from bot.workers.search_client import SearchClient
from bot.workers.search_worker import Found
from core.engine.analysis import Analysis
from core.engine.player import Engine
from core.grid import Move
from core.match import Match
from core.players import Member
from core.position import Position

# The most time for a review's searches, without queues. Other reviews may wait meanwhile.
_REVIEW_SECONDS = 300.0

# The most positions whose analyses and lines are remembered, and the most reviews: asking again
# about the same match, or turning a page, costs nothing.
_REMEMBERED, _REMEMBERED_REVIEWS = 2000, 200
# The most moves of a line of play, and of a hint's line: the move, the answer, the next move.
_LINE_PLIES, _HINT_PLIES = 12, 3


class RatedRefusal(Refusal):
    """A hint in a match that may still be rated."""

    board: StoredMatch

    def __init__(self, stored: StoredMatch, member_id: MemberId):
        match = stored.match
        me = Member(member_id)
        seats = (seat for seat in match.staying if match.players[seat] != me)
        others = (name for seat in seats if (name := stored.names[seat]))
        super().__init__("refusal.hint_rated", stored, opponents=tuple(others))


class AnalysisService:
    """Hints and reviews. `engine` makes quick analyses in this process, `searches` the others."""

    def __init__(self, engine: Engine, searches: SearchClient):
        self._engine = engine
        self._searches = searches
        self._known: LRUCache[tuple[str, str], Analysis] = LRUCache(_REMEMBERED)
        # By match and revision: a match that is over may be resumed, and end in another way.
        self._reviewed: LRUCache[tuple[MatchId, int], tuple[ReviewedMove, ...]]
        self._reviewed = LRUCache(_REMEMBERED_REVIEWS)
        self._lines: LRUCache[tuple[str, str, int], tuple[Move, ...]] = LRUCache(_REMEMBERED)
        # Requests for the same position at the same time wait for one search.
        self._locks = Locks[tuple[str, str]](LockKind.SEARCH)
        # Reviews take long, and nobody's move waits for them: they have half of the processes.
        self._reviews = FairQueue(max(1, searches.processes // 2))

    async def hint(self, stored: StoredMatch, member_id: MemberId, until: float) -> BestLine:
        """Return a short line for the member to move.

        A search has to begin by `until`, in the event loop's time. Raises Refusal, and RatedRefusal
        in a match that may still be rated: a hint would make it unrated for the others, too.
        """
        seat_or_refuse(stored, member_id)
        if not stored.match.outcome and member_id in stored.staying:
            # Checked first: in such a match, there is no hint even when it is the member's turn.
            _check_hints(stored, member_id)
        check_to_move(stored, member_id)
        match = stored.match
        if self._engine.analyses_quickly(match.position):
            analysis = self._engine.analyse(match.position)
            moves = self._engine.line(match.position, analysis, _HINT_PLIES)
            return await _in_match(match, analysis, moves)
        ticket = Ticket(stored.place.queue_id, until=until)
        with refusing("refusal.no_hint", stored):
            return await self._line(match, ticket, _HINT_PLIES)

    def known_review(self, stored: StoredMatch) -> tuple[ReviewedMove, ...] | None:
        """Return the remembered review of a match that is over, None if there is none."""
        return self._reviewed.get((stored.id, stored.revision))

    async def review(
        self, stored: StoredMatch, until: float, progress: ReviewProgress
    ) -> tuple[ReviewedMove, ...]:
        """Return the moves of a match that is over, with their verdicts; raise Refusal.

        Positions whose search fails have no verdict, nor have those for which there was no time. No
        search begins after `until`, in the event loop's time. `progress` is kept up to date.
        """
        ticket = Ticket(stored.place.queue_id, until=until)
        progress.total = positions_to_analyse(stored.match)
        with refusing("refusal.no_turn"):
            async with self._reviews.place(ticket):
                analyses = await self._analyses(stored.match, ticket, progress)
        steps = await asyncio.to_thread(review, stored.match, analyses)
        self._reviewed[stored.id, stored.revision] = steps
        return steps

    async def known_line(self, stored: StoredMatch, ply: int) -> BestLine | None:
        """Return the best line from the position after `ply` moves if it takes no search."""
        match = stored.match.at(ply)
        key = _key(match, match.position)
        analysis, moves = self._known.get(key), self._lines.get((*key, _LINE_PLIES))
        return await _in_match(match, analysis, moves) if analysis and moves else None

    async def line(self, stored: StoredMatch, ply: int, until: float) -> BestLine:
        """Return the best line from the position after `ply` moves of a match; raise Refusal.

        No search begins after `until`, in the event loop's time.
        """
        ticket = Ticket(stored.place.queue_id, until=until)
        with refusing("refusal.no_line"):
            return await self._line(stored.match.at(ply), ticket, _LINE_PLIES)

    async def _line(self, match: Match, ticket: Ticket, plies: int) -> BestLine:
        """Return a match's best line from here; raise the errors of `_search`."""
        position = match.position
        analysis, _ = await self._search(match, position, ticket)
        key = (*_key(match, position), plies)
        if (moves := self._lines.get(key)) is None:
            moves = await self._searches.line(ticket, position, analysis, plies)
            self._lines[key] = moves
        return await _in_match(match, analysis, moves)

    async def _analyses(
        self, match: Match, ticket: Ticket, progress: ReviewProgress
    ) -> list[Analysis | None]:
        """Return the analyses of the positions for which there is time; raise ClosedError.

        None stands for one that has failed.
        """
        analyses = list[Analysis | None]()
        time, worked = asyncio.get_running_loop().time, 0.0
        for position in match.positions[: progress.total]:
            if worked > _REVIEW_SECONDS:
                break
            begun = time()
            try:
                found = await self._search(match, position, ticket)
            except WorkFailedError:
                analyses.append(None)
                worked += time() - begun
            except TooLateError:
                break
            else:
                analyses.append(found.analysis)
                worked += found.seconds
            progress.done = len(analyses)
        return analyses

    async def _search(self, match: Match, position: Position, ticket: Ticket) -> Found:
        """Return the analysis of a position; raise NoResultError."""
        key = _key(match, position)
        async with self._locks.of(key):
            if (known := self._known.get(key)) is not None:
                return Found(known, 0)
            found = await self._searches.analyse(ticket, position)
            self._known[key] = found.analysis
            return found


@contextmanager
def refusing(failed: str, stored: StoredMatch | None = None) -> Iterator[None]:
    """Raise Refusal if a search or a drawing is too late, is cut off, or fails (key `failed`)."""
    try:
        yield
    except WorkFailedError as error:
        raise Refusal(failed, stored) from error
    except TooLateError as error:
        raise Refusal("refusal.no_turn", stored) from error
    except ClosedError as error:
        raise Refusal("refusal.closing") from error


async def _in_match(match: Match, analysis: Analysis, moves: tuple[Move, ...]) -> BestLine:
    """Return the line as far as the match goes.

    A thread checks the line, as it does a review: after repetitions in Nine Holes, checking a win
    in five plies may take a tenth of a second.
    """
    return await asyncio.to_thread(BestLine.in_match, match, analysis, moves)


def _key(match: Match, position: Position) -> tuple[str, str]:
    return match.game.key, position.notation


def _check_hints(stored: StoredMatch, member_id: MemberId) -> None:
    """Raise Refusal for a running match in which nobody gets hints."""
    if stored.tournament_id is not None:
        raise Refusal("refusal.tournament.match.hint", stored)
    if may_count(stored):
        raise RatedRefusal(stored, member_id)
