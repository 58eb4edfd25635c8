"""Code that runs in the drawing processes, the only ones that import the drawing libraries."""

from collections.abc import Iterable, Sequence

from bot.pictures.model import Bracket, Chart, Crosstable, Drawing, Podium
from core.grid import Move
from core.match.record import read


def animation(record: str, names: Sequence[str]) -> bytes:
    """Return the match of a record as an animated GIF; `names` holds a name per seat."""
    from bot.pictures.frames import animate

    return animate(read(record).match, names)


def board(
    record: str, names: Sequence[str], hint: Move | None, gains: Iterable[tuple[Move, int | None]]
) -> bytes:
    """Return the match of a record as it stands, as a PNG; `names` holds a name per seat.

    `hint` and the items of `gains` are as for `core.match.diagram`.
    """
    from bot.pictures.frames import draw_board

    return draw_board(read(record).match, names, hint, dict(gains))


def picture(drawing: Drawing) -> bytes:
    """Return a drawing as a PNG."""
    match drawing:
        case Bracket():
            from bot.pictures.bracket import draw_bracket

            return draw_bracket(drawing)
        case Chart():
            from bot.pictures.chart import draw_chart

            return draw_chart(drawing)
        case Crosstable():
            from bot.pictures.crosstable import draw_crosstable

            return draw_crosstable(drawing)
        case Podium():
            from bot.pictures.podium import draw_podium

            return draw_podium(drawing)
