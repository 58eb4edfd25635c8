"""The squares that frames are composed of, each drawn once."""

from functools import lru_cache

from PIL.Image import Image
from PIL.ImageDraw import ImageDraw

from bot.pictures.canvas import SCALE, drawn, write
from bot.pictures.colours import DIM, GOLD, INK, RECENT, SQUARE, TEXT
from bot.pictures.marks import BLANKS, MARKS, Box, diamond, inset, plate, star
from core.marks import Mark
from core.match.diagram import Look
from core.position import Blank

_GROUND_OF = {
    Look.LAST: RECENT,
    Look.TAKEN: RECENT,
    Look.PICKED: RECENT,
    Look.DECIDING: GOLD,
}


# Boards are drawn again and again from few kinds of squares, which look the same everywhere.
@lru_cache(maxsize=256)
def tile(side: int, content: Mark | Blank, look: Look, gain: int | None) -> Image:
    """Return a square of `side` pixels with its mark, or its kind of blank."""

    def draw(pen: ImageDraw) -> None:
        box = inset((0, 0, side * SCALE - 1, side * SCALE - 1), 0.03)
        if isinstance(content, Blank):
            BLANKS[content](pen, box)
        else:
            drawing = MARKS[content.shape]
            plate(pen, box, _GROUND_OF.get(look, SQUARE))
            colour = INK if look is Look.DECIDING else drawing.colour
            drawing.draw(pen, inset(box, 0.25), colour)
        _frame(pen, box, look)
        if look is Look.HINTED:
            star(pen, inset(box, 0.2))
        elif look is Look.TARGET and gain is None:
            diamond(pen, inset(box, 0.3))
        elif look is Look.TARGET:
            write(pen, str(gain), (side / 2, side / 2), round(side * 0.55), GOLD)

    return drawn((side, side), draw)


def _frame(pen: ImageDraw, box: Box, look: Look) -> None:
    """Draw corners, a frame or a double frame, so that the looks differ without colour too."""
    width = (box[2] - box[0]) // 18
    radius = (box[2] - box[0]) // 10
    if look in (Look.LAST, Look.PICKED, Look.HINTED):
        pen.rounded_rectangle(box, radius, outline=TEXT, width=width)
    elif look is Look.DECIDING:
        for share in (0, 0.11):
            pen.rounded_rectangle(inset(box, share), radius, outline=INK, width=width)
        pen.rounded_rectangle(box, radius, outline=TEXT, width=width)
    elif look is Look.TAKEN:
        _corners(pen, inset(box, 0.02), width, TEXT)
    elif look is Look.CHANGED:
        _corners(pen, inset(box, 0.02), width, DIM)


def _corners(pen: ImageDraw, box: Box, width: int, colour: str) -> None:
    arm = (box[2] - box[0]) // 4
    for x, inwards in ((box[0], arm), (box[2], -arm)):
        for y, down in ((box[1], arm), (box[3], -arm)):
            pen.line([(x + inwards, y), (x, y), (x, y + down)], colour, width, joint="curve")
