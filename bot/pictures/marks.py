"""The drawings of marks, one for each shape, and of blanks. They resemble `bot.render.emoji`."""

from collections.abc import Callable
from math import cos, pi, sin
from typing import NamedTuple, TypeAlias

from PIL.ImageDraw import ImageDraw

from bot.pictures.colours import DIM, GOLD, GREEN, PANEL, RED, SKY, SQUARE
from core.marks import Shape
from core.position import Blank

# Left, top, right and bottom, in pixels.
Box: TypeAlias = tuple[int, int, int, int]
# The distance of a star's inner corners from its middle, as a share of the distance of its points.
_WAIST = 0.42

Draw: TypeAlias = Callable[[ImageDraw, Box, str], None]


def inset(box: Box, share: float) -> Box:
    """Return `box` made smaller by a share of its width on each side."""
    by = round((box[2] - box[0]) * share)
    return box[0] + by, box[1] + by, box[2] - by, box[3] - by


def _cross(pen: ImageDraw, box: Box, colour: str) -> None:
    left, top, right, bottom = box
    width = (right - left) // 5
    for ends in (((left, top), (right, bottom)), ((left, bottom), (right, top))):
        pen.line(ends, colour, width)
        for x, y in ends:
            pen.circle((x, y), width / 2, colour)


def _disc(pen: ImageDraw, box: Box, colour: str) -> None:
    pen.ellipse(inset(box, -0.1), colour)


def _triangle(pen: ImageDraw, box: Box, colour: str) -> None:
    left, top, right, bottom = inset(box, -0.12)
    pen.polygon([((left + right) / 2, top), (right, bottom), (left, bottom)], colour)


def _heart(pen: ImageDraw, box: Box, colour: str) -> None:
    left, top, right, bottom = inset(box, -0.1)
    half = (right - left) / 2
    for x in (left, left + half):
        pen.ellipse((x, top, x + half, top + half), colour)
    below = top + 0.4 * half
    pen.polygon(
        [(left + 0.07 * half, below), (right - 0.07 * half, below), (left + half, bottom)], colour
    )


class Drawing(NamedTuple):
    """How to draw a shape, and its colour on a plain square."""

    draw: Draw
    colour: str


MARKS = {
    Shape.CROSS: Drawing(_cross, RED),
    Shape.DISC: Drawing(_disc, SKY),
    Shape.TRIANGLE: Drawing(_triangle, RED),
    Shape.HEART: Drawing(_heart, GREEN),
}


def star(pen: ImageDraw, box: Box) -> None:
    """Draw a golden star with five points: the target of a hint."""
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    radius = (box[2] - box[0]) / 2
    ends = [
        (distance * radius, pi * (number / 5 - 0.5))
        for number, distance in enumerate((1, _WAIST) * 5)
    ]
    pen.polygon([(middle[0] + r * cos(at), middle[1] + r * sin(at)) for r, at in ends], GOLD)


def diamond(pen: ImageDraw, box: Box) -> None:
    """Draw a golden diamond: the target of a legal move."""
    left, top, right, bottom = box
    across, down = (left + right) / 2, (top + bottom) / 2
    pen.polygon([(across, top), (right, down), (across, bottom), (left, down)], GOLD)


def plate(pen: ImageDraw, box: Box, ground: str) -> None:
    """Draw the square under a mark."""
    pen.rounded_rectangle(box, (box[2] - box[0]) // 10, ground)


def _open(pen: ImageDraw, box: Box) -> None:
    plate(pen, box, SQUARE)


def _closed(pen: ImageDraw, box: Box) -> None:
    side = box[2] - box[0]
    pen.rounded_rectangle(box, side // 10, PANEL, outline=SQUARE, width=side // 24)


def _hatched(pen: ImageDraw, box: Box) -> None:
    pen.rectangle(box, SQUARE)
    left, top, right, _ = inset(box, 0.08)
    side = right - left
    for shift in range(-side, side + 1, side // 3):
        # Both ends are clipped to the square.
        low, high = max(0, shift), min(side, side + shift)
        ends = ((left + low, top + low - shift), (left + high, top + high - shift))
        pen.line(ends, DIM, side // 10)
    pen.rectangle(box, outline=DIM, width=side // 10)


BLANKS = {Blank.OPEN: _open, Blank.CLOSED: _closed, Blank.WALL: _hatched}
