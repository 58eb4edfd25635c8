"""Pictures of matches, ratings and tournaments, drawn in child processes by `worker`.

The arguments are small values, the result is the content of a file.
"""

from collections.abc import Hashable, Sequence

from cachetools import LRUCache

from bot.pictures import worker
from bot.pictures.model import Drawing
from bot.workers.fair_queue import FairQueue, Ticket
from bot.workers.processes import ProcessPool
from core.grid import Move
from core.match import Match
from core.match.diagram import Gains
from core.match.record import write

# A busy machine once took 20 s to import matplotlib, which first lists the system's fonts.
_SECONDS = 60
# The process takes 65 to 115 MiB of memory, and pictures are seldom asked for.
_IDLE_SECONDS = 180
# Boards have a process of their own: a turn doesn't wait for an animation or for matplotlib.
_BOARD_SECONDS = 4
_BOARD_IDLE_SECONDS = 900
# The same board is sent again when a menu opens, at a rematch, or if Discord didn't take it.
_KEPT_BOARDS = 64


class PictureClient:
    """Has one board and one other picture drawn at a time, in at most `seconds` each; others wait.

    A ticket says for whom a picture is. A process starts with its first picture. The process for
    other pictures than boards ends after `idle_seconds` without one.
    """

    def __init__(self, seconds: float = _SECONDS, idle_seconds: float = _IDLE_SECONDS):
        self._pool = ProcessPool(1, seconds, idle_seconds)
        self._boards = ProcessPool(1, min(seconds, _BOARD_SECONDS), _BOARD_IDLE_SECONDS)
        self._kept: LRUCache[Hashable, bytes] = LRUCache(_KEPT_BOARDS)

    @property
    def queues(self) -> dict[str, FairQueue]:
        """The boards and the other pictures that wait and are being drawn."""
        return {"board": self._boards.queue, "picture": self._pool.queue}

    async def board(
        self,
        ticket: Ticket,
        match: Match,
        names: Sequence[str],
        hint: Move | None = None,
        gains: Gains | None = None,
    ) -> bytes:
        """Return `match` as it stands as a PNG; raise NoResultError.

        `names` is as for `animation`, `hint` and `gains` are as for `core.match.diagram`.
        """
        shown = (write(match), tuple(names), hint, tuple((gains or {}).items()))
        if shown not in self._kept:
            self._kept[shown] = await self._boards.run(ticket, worker.board, *shown)
        return self._kept[shown]

    async def animation(self, ticket: Ticket, match: Match, names: Sequence[str]) -> bytes:
        """Return `match` as an animated GIF; raise NoResultError.

        `names` holds a name per seat, the computer's too, as plain text without escapes.
        """
        return await self._pool.run(ticket, worker.animation, write(match), tuple(names))

    async def picture(self, ticket: Ticket, drawing: Drawing) -> bytes:
        """Return a drawing as a PNG; raise NoResultError."""
        return await self._pool.run(ticket, worker.picture, drawing)

    async def close(self) -> None:
        """End the processes, even in the middle of a picture, which then raises ClosedError."""
        await self._boards.close()
        await self._pool.close()
