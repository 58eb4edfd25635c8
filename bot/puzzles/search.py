"""Looking for puzzles in a server's own matches, in the background.

Each position is a piece of work of its own, which begins only while nobody waits for a search. So a
member waits for at most one such piece.
"""

import asyncio
import logging
from collections.abc import Callable

from bot.db.errors import CorruptRowError
from bot.gateway.loops import LONGEST_WORK_SECONDS, Loop
from bot.identity import ServerId
from bot.matches.service import MatchService
from bot.puzzles.store import SearchedStore
from bot.refusals import Refusal
from bot.workers.errors import ClosedError, TooLateError, WorkFailedError
from bot.workers.fair_queue import Ticket
from bot.workers.search_client import SearchClient
from core.match import Match
from core.puzzles import GamePuzzle
from core.puzzles.finding import Puzzle

log = logging.getLogger(__name__)

_EVERY_SECONDS = 60.0
# The most matches to search in a round, each of another server, and puzzles to keep of a match.
_MOST_MATCHES, _MOST_PUZZLES = 5, 2
_MOST_POSITIONS = 60


class PuzzleSearch:
    """Searches finished matches for puzzles. `now` gives Unix seconds."""

    def __init__(
        self,
        store: SearchedStore,
        matches: MatchService,
        searches: SearchClient,
        now: Callable[[], int],
    ):
        self._store = store
        self._matches = matches
        self._searches = searches
        self._now = now
        self._last = ServerId(0)
        self.loop = Loop(
            "searching matches for puzzles", _EVERY_SECONDS, self.search, first_after=_EVERY_SECONDS
        )

    async def search(self) -> None:
        """Search one match of each of a few servers that have few puzzles left; servers take turns.

        A round ends early if others keep the processes busy, or the bot closes.
        """
        until = asyncio.get_running_loop().time() + LONGEST_WORK_SECONDS
        now = self._now()
        for server_id in await self._store.to_search(self._last, _MOST_MATCHES, now):
            if self.loop.stopping:
                return
            self._last = server_id
            try:
                await self._search(server_id, until)
            except (TooLateError, ClosedError):
                return

    async def _search(self, server_id: ServerId, until: float) -> None:
        """Search the next match of a server; leave it out if it can't be read or searched.

        Raises TooLateError after `until` (the event loop's time), and ClosedError.
        """
        following = await self._store.unsearched(server_id, self._now())
        if following is None:
            return
        match_id, ended_at = following
        found: list[GamePuzzle] = []
        try:
            match = (await self._matches.get(match_id)).match
            found = await self._found(match, Ticket(server_id, until=until, idle=True))
        except (Refusal, CorruptRowError, WorkFailedError) as error:
            log.info("match %s isn't searched for puzzles: %s", match_id, error)
        await self._store.note_searched(server_id, match_id, ended_at, found)

    async def _found(self, match: Match, ticket: Ticket) -> list[GamePuzzle]:
        """Return the last puzzles of a match, of which none begins on the line of another."""
        found: list[Puzzle] = []
        passed: set[str] = set()
        for position in match.positions[:_MOST_POSITIONS]:
            if position.notation in passed or position.to_move is None:
                continue
            puzzle = await self._searches.puzzle(ticket, position)
            await asyncio.sleep(0)
            if puzzle is not None:
                found.append(puzzle)
                passed |= _on_line(puzzle)
        return [GamePuzzle(match.game, match.options, one) for one in found[-_MOST_PUZZLES:]]


def _on_line(puzzle: Puzzle) -> set[str]:
    """Return the positions of the main line."""
    position = puzzle.start
    passed = set[str]()
    for move in puzzle.line:
        position = position.play(move)
        passed.add(position.notation)
    return passed
