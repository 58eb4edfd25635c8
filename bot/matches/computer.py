"""The computer at a seat: its answer to a member's move."""

import logging
from random import Random

from bot.workers.errors import ClosedError, WorkFailedError
from bot.workers.fair_queue import Ticket
from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from core.match import Match
from core.players import Computer
from core.position import Position

log = logging.getLogger(__name__)

# The levels that may move when a search has failed, the best first.
_FALLBACKS = (Level.HARD, Level.MEDIUM, Level.EASY)
_SEED_BITS = 64


class ComputerPlayer:
    """Plays for all computer seats; `rng` is its source of chance.

    `engine` chooses the quick moves in this process; `searches` are for those that take longer.
    """

    def __init__(self, engine: Engine, searches: SearchClient, rng: Random):
        self._engine = engine
        self._searches = searches
        self._rng = rng

    def quick_moves(self, match: Match) -> Match:
        """Return the match after the computer's moves, up to the first that takes a search.

        A failure of the computer must not cost the member's move. The match is then returned as it
        is, with the moves made so far. The database marks it as waiting for the computer, and a
        later attempt goes on.
        """
        try:
            while isinstance(player := match.next_player, Computer):
                if self._engine.searches(match.position, player.level):
                    break
                match = match.play(self._quick_move(match, player.level))
        except Exception:
            _log_failure(match)
        return match

    async def moves(self, match: Match, queue_id: int) -> Match:
        """Return the match after the computer's moves, if it is to move; it may fail as above.

        The searches come before those for which no match waits. `queue_id` is the id in the fair
        queue, in which all ids have a fair share of the processes.
        """
        ticket = Ticket(queue_id, urgent=True)
        try:
            while isinstance(player := match.next_player, Computer):
                match = match.play(await self._move(match, player.level, ticket))
        except ClosedError:
            pass  # the next start makes the move, at the computer's own level
        except Exception:
            _log_failure(match)
        return match

    async def _move(self, match: Match, level: Level, ticket: Ticket) -> Move:
        position = match.position
        if self._engine.searches(position, level):
            seed = self._rng.getrandbits(_SEED_BITS)
            try:
                return await self._searches.choose(ticket, position, level, seed, match.positions)
            except WorkFailedError:
                quick = self._quick_level(position)
                log.warning("%s plays on, as %s", level, quick)
                level = quick
        return self._quick_move(match, level)

    def _quick_move(self, match: Match, level: Level) -> Move:
        return self._engine.choose(match.position, level, self._rng, match.positions)

    def _quick_level(self, position: Position) -> Level:
        """Return the best level that takes milliseconds here."""
        quick = (level for level in _FALLBACKS if not self._engine.searches(position, level))
        return next(quick, Level.EASY)


def _log_failure(match: Match) -> None:
    log.exception("the computer found no move in %s", match.position.notation)
