"""The card of a season: its first three on a podium, as a PNG."""

from PIL.ImageDraw import ImageDraw

from bot.pictures.canvas import SCALE, drawn, fitting, png, scaled, write
from bot.pictures.colours import DIM, GOLD, INK, RECENT, SQUARE, TEXT
from bot.pictures.marks import star
from bot.pictures.model import Podium, PodiumStep

_SIZE = (600, 320)
# Pixels: the letters of each text, the width of a step, the gap beside it, the floor from the top.
_TITLE = 22
_NAME = 17
_LINE = 14
_RANK = 34
_STEP_WIDTH = 176
_GAP = 8
_FLOOR = 304
# By rank: the height of the step, and its colour. The winner's step is also the only one with a
# star, so that ranks differ by more than colour.
_STEPS = {1: (132, GOLD), 2: (100, RECENT), 3: (72, SQUARE)}
# The best stands in the middle, the second on the left.
_PLACES = (1, 0, 2)


def draw_podium(podium: Podium) -> bytes:
    """Return the picture of a podium."""

    def draw(pen: ImageDraw) -> None:
        shown = fitting(podium.title, _SIZE[0] - 40, _TITLE)
        write(pen, shown, (_SIZE[0] / 2, 26), _TITLE, TEXT)
        for place, step in zip(_PLACES, podium.steps, strict=False):
            _draw_step(pen, place, step)

    return png(drawn(_SIZE, draw))


def _draw_step(pen: ImageDraw, place: int, step: PodiumStep) -> None:
    height, colour = _STEPS[step.rank]
    left = (_SIZE[0] - 3 * _STEP_WIDTH - 2 * _GAP) / 2 + place * (_STEP_WIDTH + _GAP)
    top, middle = _FLOOR - height, left + _STEP_WIDTH / 2
    pen.rounded_rectangle(scaled(left, top, left + _STEP_WIDTH, _FLOOR), 8 * SCALE, colour)
    write(pen, str(step.rank), (middle, top + height / 2), _RANK, INK if step.rank == 1 else TEXT)
    write(pen, fitting(step.told, _STEP_WIDTH, _LINE), (middle, top - 18), _LINE, DIM)
    write(pen, fitting(step.name, _STEP_WIDTH, _NAME), (middle, top - 42), _NAME, TEXT)
    if step.rank == 1:
        star(pen, scaled(middle - 13, top - 86, middle + 13, top - 60))
