"""Pictures of matches and ratings, drawn in a process of its own.

Only texts and numbers go there, and bytes come back.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from bot import artist
from bot.processes import Processes, WorkFailedError
from core.match import Match
from core.match.record import write

_SECONDS = 20
# The process takes 65 to 115 MiB of memory, and pictures are seldom asked for.
_REST_SECONDS = 180

Points = Iterable[tuple[float, float]]


class DrawingFailedError(Exception):
    """A picture could not be drawn, took too long, or lost its process."""


class Studio:
    """Draws one picture at a time, of at most `seconds`; more wait their turn.

    The process starts when it is first needed, and ends when nobody needs it for `rest` seconds.
    """

    def __init__(self, seconds: float = _SECONDS, rest: float = _REST_SECONDS):
        self._processes = Processes(1, seconds, rest)

    async def animation(self, match: Match, names: Sequence[str]) -> bytes:
        """Return `match` as an animated GIF; raise DrawingFailedError, ClosedError.

        `names[seat]` says who plays, the computer too, as plain text: nothing in it is escaped.
        """
        return await self._draw(artist.animation, write(match), tuple(names))

    async def chart(self, title: str, label: str, series: Mapping[str, Points]) -> bytes:
        """Return ratings over time as a PNG; raise DrawingFailedError, ClosedError.

        `series` are points of Unix seconds and rating, in order of time, by what the legend calls
        them; `label` stands at the axis of ratings. All texts are plain.
        """
        lines = tuple((name, tuple(points)) for name, points in series.items())
        return await self._draw(artist.chart, title, label, lines)

    async def close(self) -> None:
        """End the process, in the middle of a picture too; whoever waits gets ClosedError."""
        await self._processes.close()

    async def _draw(self, work: Callable[..., bytes], *arguments: object) -> bytes:
        try:
            return await self._processes.run(work, *arguments)
        except WorkFailedError as error:
            raise DrawingFailedError(work.__name__) from error
