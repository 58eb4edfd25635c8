"""The lines below a board: the players, who is to move, and the result."""

from dataclasses import dataclass
from functools import lru_cache

from PIL.Image import Image
from PIL.ImageDraw import ImageDraw

from bot.pictures.canvas import SCALE, drawn, fitting, scaled, strike, write
from bot.pictures.colours import DIM, GOLD, INK, TEXT
from bot.pictures.marks import MARKS
from core.marks import Mark

HEIGHT = 30

_LETTERS = 16
# Pixels from the left: the arrow, the mark, the name; from the right: the points.
_ARROW, _MARK, _NAME, _POINTS = 4, 22, 46, 16
_SIDE = 14


@dataclass(frozen=True)
class Caption:
    """One line: its text, and for a player also the mark, the points to show, and the status."""

    text: str
    mark: Mark | None = None
    points: str = ""
    to_move: bool = False
    left: bool = False
    won: bool = False


@lru_cache(maxsize=64)
def caption(line: Caption, width: int) -> Image:
    """Return the picture of a line: golden for a winner, struck out for a player who has left."""

    def draw(pen: ImageDraw) -> None:
        colour = INK if line.won else DIM if line.left or line.mark is None else TEXT
        if line.won:
            box = (0, SCALE, width * SCALE - 1, (HEIGHT - 1) * SCALE - 1)
            pen.rounded_rectangle(box, HEIGHT * SCALE // 5, GOLD)
        if line.mark is not None:
            drawing = MARKS[line.mark.shape]
            top = (HEIGHT - _SIDE) // 2
            square = scaled(_MARK, top, _MARK + _SIDE, top + _SIDE)
            drawing.draw(pen, square, INK if line.won else drawing.colour)
        if line.to_move:
            _arrow(pen)
        text = fitting(line.text, width - _NAME - 3 * _POINTS, _LETTERS)
        write(pen, text, (_NAME, HEIGHT / 2), _LETTERS, colour, "lm")
        write(pen, line.points, (width - _POINTS, HEIGHT / 2), _LETTERS + 2, colour)
        if line.left:
            strike(pen, text, (_NAME, HEIGHT / 2), _LETTERS)

    return drawn((width, HEIGHT), draw)


def _arrow(pen: ImageDraw) -> None:
    middle = HEIGHT / 2
    corners = ((_ARROW, middle - 6), (_ARROW + 10, middle), (_ARROW, middle + 6))
    pen.polygon([(x * SCALE, y * SCALE) for x, y in corners], TEXT)
