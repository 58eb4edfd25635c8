"""A knockout's bracket as a PNG: seeds, names and points from left to right, and no words.

With 16 players it is 662 pixels wide, so that it can be read on a phone. It is opaque, so that it
looks the same in dark and light themes.
"""

from functools import lru_cache

from PIL.Image import Image
from PIL.ImageDraw import ImageDraw

from bot.pictures.canvas import SCALE, drawn, fitting, panel, png, scaled, strike, width_of, write
from bot.pictures.colours import DIM, GOLD, RECENT, SQUARE, TEXT
from bot.pictures.model import Bracket, Side

# Pixels: the width of a tie, the height of each of its two lines, the gap below it, the gap before
# the next round, the margin of the picture.
_WIDTH = 148
_LINE = 26
_GAP = 12
_BETWEEN = 18
_EDGE = 8
# The letters of names and points, and those of seeds.
_LETTERS = 18
_SMALL = 12
# In a line: the room for the seed, the margin of texts, the width of the winner's bar.
_SEED = 30
_MARGIN = 4
_BAR = 4
# The strip at a side where something is left out.
_STRIP = 22
_MORE = "…"


def draw_bracket(bracket: Bracket) -> bytes:
    """Return a picture of a bracket, with an ellipsis wherever something was left out."""
    columns, ties = len(bracket.rounds), len(bracket.rounds[0])
    left, top = _EDGE + _STRIP * bracket.before, _EDGE + _STRIP * bracket.above
    right = left + columns * _WIDTH + (columns - 1) * _BETWEEN
    bottom = top + ties * (2 * _LINE + _GAP) - _GAP
    size = (right + _EDGE + _STRIP * bracket.after, bottom + _EDGE + _STRIP * bracket.below)
    picture = panel(size)
    for column, ties_of_round in enumerate(bracket.rounds):
        x = left + column * (_WIDTH + _BETWEEN)
        for number, sides in enumerate(ties_of_round):
            y = top + _middle(column, number)
            picture.paste(_tie(*sides), (x, y - _LINE))
            if column + 1 < columns:
                _connect(picture, x + _WIDTH, y, top + _middle(column + 1, number // 2))
    across, down = (left + right - _STRIP) // 2, (top + bottom - _STRIP) // 2
    for cut, corner in (
        (bracket.before, (0, down)),
        (bracket.after, (right + _EDGE, down)),
        (bracket.above, (across, 0)),
        (bracket.below, (across, bottom + _EDGE)),
    ):
        if cut:
            picture.paste(_ellipsis(), corner)
    return png(picture)


def _middle(column: int, number: int) -> int:
    """Return the distance of a tie's middle from the top, midway between the two ties before it."""
    step = (2 * _LINE + _GAP) << column
    return number * step + (step - _GAP) // 2


def _connect(picture: Image, x: int, y: int, to: int) -> None:
    """Draw the line from a tie to the next one."""
    half = _BETWEEN // 2
    picture.paste(panel((half, 2), DIM), (x, y - 1))
    picture.paste(panel((2, abs(to - y) + 2), DIM), (x + half - 1, min(y, to) - 1))
    picture.paste(panel((half, 2), DIM), (x + half, to - 1))


# A result changes only two ties: with the others cached, a bracket takes a third of the time.
@lru_cache(maxsize=256)
def _tie(first: Side, second: Side) -> Image:
    """Return the picture of a tie: the winner's line golden with a bar, the loser's dim."""

    def draw(pen: ImageDraw) -> None:
        end = (_WIDTH * SCALE - 1, 2 * _LINE * SCALE - 1)
        pen.rounded_rectangle((0, 0, *end), 5 * SCALE, SQUARE)
        pen.line([(0, _LINE * SCALE), (end[0], _LINE * SCALE)], RECENT, SCALE)
        for number, side in enumerate((first, second)):
            _side(pen, side, (number + 0.5) * _LINE)

    return drawn((_WIDTH, 2 * _LINE), draw)


def _side(pen: ImageDraw, side: Side, middle: float) -> None:
    colour = GOLD if side.won else TEXT if side.won is None else DIM
    if side.won:
        pen.rectangle(scaled(0, middle - _LINE / 2 + 4, _BAR, middle + _LINE / 2 - 4), GOLD)
    write(pen, side.seed, (_SEED - _MARGIN, middle), _SMALL, DIM, "rm")
    points = width_of(side.points, _LETTERS) + 3 * _MARGIN
    name = fitting(side.name, _WIDTH - _SEED - points, _LETTERS)
    write(pen, name, (_SEED, middle), _LETTERS, colour, "lm")
    write(pen, side.points, (_WIDTH - _MARGIN, middle), _LETTERS, colour, "rm")
    if side.gone:
        strike(pen, name, (_SEED, middle), _LETTERS)


def _ellipsis() -> Image:
    at = (_STRIP / 2, _STRIP / 2)
    return drawn((_STRIP, _STRIP), lambda pen: write(pen, _MORE, at, _LETTERS, TEXT))
