"""The lines below a board: who plays, who is to move, and how it ended."""

from dataclasses import dataclass
from functools import lru_cache

from PIL.Image import Image
from PIL.ImageDraw import ImageDraw

from bot.pictures.colours import DIM, GOLD, INK, TEXT
from bot.pictures.lettering import writable
from bot.pictures.marks import mark_named
from bot.pictures.tiles import SCALE, drawn, width_of, write
from core.game import Result

HEIGHT = 30

_LETTERS = 16
_LONGEST = 48
_POINTS = {Result.WIN: "1", Result.DRAW: "½", Result.LOSS: "0"}
# Pixels from the left: the arrow, the mark, the name; from the right: the points.
_ARROW, _MARK, _NAME, _SCORE = 4, 22, 46, 16
_SIDE = 14


@dataclass(frozen=True)
class Caption:
    """One line: a text, and of a player the mark, whether they are to move, and the result."""

    text: str
    mark: str | None = None
    to_move: bool = False
    result: Result | None = None


@lru_cache(maxsize=64)
def caption(line: Caption, width: int) -> Image:
    """Return the picture of a line; the winner's is a plate."""

    def draw(pen: ImageDraw) -> None:
        won = line.result is Result.WIN
        colour = INK if won else TEXT
        if won:
            box = (0, SCALE, width * SCALE - 1, (HEIGHT - 1) * SCALE - 1)
            pen.rounded_rectangle(box, HEIGHT * SCALE // 5, GOLD)
        if line.mark is not None:
            mark = mark_named(line.mark)
            left, top, side = _MARK * SCALE, (HEIGHT - _SIDE) // 2 * SCALE, _SIDE * SCALE
            square = (left, top, left + side, top + side)
            mark.shape(pen, square, INK if won else mark.colour)
        if line.to_move:
            middle = HEIGHT / 2
            corners = ((_ARROW, middle - 6), (_ARROW + 10, middle), (_ARROW, middle + 6))
            pen.polygon([(x * SCALE, y * SCALE) for x, y in corners], TEXT)
        room = width - _NAME - 2 * _SCORE
        text = _fitting(line.text, room)
        write(pen, text, (_NAME, HEIGHT / 2), _LETTERS, colour if line.mark else DIM, "lm")
        if line.result is not None:
            where = (width - _SCORE, HEIGHT / 2)
            write(pen, _POINTS[line.result], where, _LETTERS + 2, colour)

    return drawn((width, HEIGHT), draw)


def _fitting(text: str, room: int) -> str:
    """Return as much of `text` as is no wider than `room` pixels."""
    most = _LONGEST
    while width_of(shown := writable(text, most), _LETTERS) > room:
        most = min(most, len(shown)) - 1
    return shown
