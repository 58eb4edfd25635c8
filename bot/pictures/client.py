"""Pictures of matches and ratings, drawn in a child process by `worker`.

The arguments are texts and numbers, the result is the content of a file.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVarTuple

from bot.pictures import worker
from bot.pictures.model import Series
from bot.workers.processes import ProcessPool, WorkFailedError
from core.match import Match
from core.match.record import write

Ts = TypeVarTuple("Ts")

Points: TypeAlias = Iterable[tuple[float, float]]
"""Points of a rating as (Unix seconds, rating), oldest first."""

_SECONDS = 20
# The process takes 65 to 115 MiB of memory, and pictures are seldom asked for.
_IDLE_SECONDS = 180


class DrawingFailedError(Exception):
    """Drawing a picture raised, took too long, or lost its process."""


class PictureClient:
    """Has one picture drawn at a time, in `seconds` at most; more wait in a queue.

    The process starts with the first picture, and ends after `idle_seconds` without one.
    """

    def __init__(self, seconds: float = _SECONDS, idle_seconds: float = _IDLE_SECONDS):
        self._pool = ProcessPool(1, seconds, idle_seconds)

    async def animation(self, match: Match, names: Sequence[str]) -> bytes:
        """Return `match` as an animated GIF; raise DrawingFailedError, ClosedError.

        `names` holds a name per seat, the computer's too, as plain text without escapes.
        """
        return await self._draw(worker.animation, write(match), tuple(names))

    async def chart(self, title: str, label: str, series: Mapping[str, Points]) -> bytes:
        """Return ratings over time as a PNG; raise DrawingFailedError, ClosedError.

        `series` maps names in the legend to points; `label` names the axis of ratings. All texts
        are plain, without escapes.
        """
        lines = tuple(Series(name, tuple(points)) for name, points in series.items())
        return await self._draw(worker.chart, title, label, lines)

    async def close(self) -> None:
        """End the process, even in the middle of a picture, which then raises ClosedError."""
        await self._pool.close()

    async def _draw(self, work: Callable[[*Ts], bytes], *arguments: *Ts) -> bytes:
        try:
            return await self._pool.run(work, *arguments)
        except WorkFailedError as error:
            raise DrawingFailedError(work.__name__) from error
