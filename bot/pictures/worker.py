"""Code that runs in the drawing processes, the only ones that import the drawing libraries."""

from collections.abc import Sequence

from bot.pictures.model import Bracket, Crosstable, PodiumStep, Series
from core.grid import Move
from core.match.record import read


def animation(record: str, names: Sequence[str]) -> bytes:
    """Return the match of a record as an animated GIF; `names` holds a name per seat."""
    from bot.pictures.frames import animate

    return animate(read(record).match, names)


def board(
    record: str, names: Sequence[str], hint: str | None, gains: Sequence[tuple[str, int | None]]
) -> bytes:
    """Return the match of a record as it stands, as a PNG; `names` holds a name per seat.

    `hint` and `gains` are as for `core.match.diagram`, with the moves in notation.
    """
    from bot.pictures.frames import draw_board

    marked = {Move.parse(move): points for move, points in gains}
    return draw_board(read(record).match, names, Move.parse(hint) if hint else None, marked)


def chart(title: str, label: str, series: Sequence[Series], start: float) -> bytes:
    """Return ratings by match as a PNG, from `start` on; `label` names the axis of ratings."""
    from bot.pictures.chart import plot

    return plot(title, label, series, start)


def crosstable(table: Crosstable) -> bytes:
    """Return a cross-table as a PNG."""
    from bot.pictures.crosstable import draw_crosstable

    return draw_crosstable(table)


def bracket(shown: Bracket) -> bytes:
    """Return a bracket as a PNG."""
    from bot.pictures.bracket import draw_bracket

    return draw_bracket(shown)


def podium(title: str, steps: Sequence[PodiumStep]) -> bytes:
    """Return up to three members on a podium as a PNG."""
    from bot.pictures.podium import draw_podium

    return draw_podium(title, steps)
