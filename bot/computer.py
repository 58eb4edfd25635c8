"""The computer at a seat: its answer to a member's move."""

import asyncio
import logging
from random import Random

from core.engine.levels import Engine, Level
from core.game import Position
from core.grid import Move
from core.match import Computer, Match

log = logging.getLogger(__name__)


class ComputerPlayer:
    """Plays for all computer seats; `rng` is its source of chance."""

    def __init__(self, engine: Engine, rng: Random):
        self._engine = engine
        self._rng = rng

    async def answer(self, match: Match) -> Match:
        """Return the match after the computer's moves, if it is to move.

        A computer player that fails must not cost the member's move: the match is returned as it
        is, marked in the database as waiting for the computer, and taken up again by
        `Matches.resume`.
        """
        while isinstance(player := match.next_player, Computer):
            try:
                move = await self._choose(match.position, player.level)
            except Exception:
                log.exception("the computer found no move in %s", match.position)
                return match
            match = match.play(player, move)
        return match

    async def _choose(self, position: Position, level: Level) -> Move:
        """Return the computer's move; a search happens off the event loop."""
        choose = self._engine.choose
        if self._engine.searches(position, level):
            return await asyncio.to_thread(choose, position, level, self._rng)
        return choose(position, level, self._rng)
