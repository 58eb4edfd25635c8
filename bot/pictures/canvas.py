"""The canvas of all pictures: empty panels, lettering on them, and files, all in one palette.

Panels are drawn at four times their size and then reduced, which smooths their edges.
"""

from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path

from PIL import Image
from PIL.ImageColor import getrgb
from PIL.ImageDraw import Draw, ImageDraw
from PIL.ImageFont import FreeTypeFont, truetype

from bot.pictures.colours import DIM, GOLD, GREEN, INK, PANEL, RECENT, RED, SKY, SQUARE, TEXT
from bot.pictures.fonts import FONT, runs, writable
from bot.pictures.marks import Box

SCALE = 4
_STEPS = 6
_LONGEST = 48

_GROUNDS = (PANEL, SQUARE, RECENT, GOLD)
_FOREGROUNDS = (TEXT, DIM, INK, SKY, RED, GREEN)


@cache
def _palette() -> Image.Image:
    """Return an image whose palette has every colour, and steps from each ground to all others."""
    rgb = {
        tuple(
            round(a + (b - a) * step / _STEPS)
            for a, b in zip(getrgb(ground), getrgb(foreground), strict=True)
        )
        for ground in _GROUNDS
        for foreground in (*_GROUNDS, *_FOREGROUNDS)
        for step in range(_STEPS + 1)
    }
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in sorted(rgb) for part in colour])
    return image


def panel(size: tuple[int, int], colour: str = PANEL) -> Image.Image:
    """Return an empty panel of `size` pixels, on which drawn ones can be pasted."""
    return _reduced(Image.new("RGB", (1, 1), colour)).resize(size)


def png(picture: Image.Image) -> bytes:
    """Return the content of a PNG file, as small as it gets."""
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def drawn(size: tuple[int, int], draw: Callable[[ImageDraw], None]) -> Image.Image:
    """Return a panel of `size` pixels; `draw` draws on one that is `SCALE` times larger."""
    large = Image.new("RGB", (size[0] * SCALE, size[1] * SCALE), PANEL)
    draw(Draw(large))
    return _reduced(large.reduce(SCALE))


def scaled(left: float, top: float, right: float, bottom: float) -> Box:
    """Return a box, given in pixels of the reduced panel, on one that is being drawn."""
    return round(left * SCALE), round(top * SCALE), round(right * SCALE), round(bottom * SCALE)


def _reduced(image: Image.Image) -> Image.Image:
    """Return an image in the colours of the palette."""
    return image.quantize(palette=_palette(), dither=Image.Dither.NONE)


@cache
def _lettering(pixels: int, font: Path = FONT) -> FreeTypeFont:
    return truetype(font, pixels * SCALE)


def write(
    pen: ImageDraw,
    text: str,
    where: tuple[float, float],
    pixels: int,
    colour: str,
    anchor: str = "mm",
) -> None:
    """Write `text` in letters of `pixels`, on a panel that is being drawn.

    `where` is in pixels of the reduced panel, and is the centre of the text unless `anchor` (see
    Pillow's text anchors) says otherwise.
    """
    place = (where[0] * SCALE, where[1] * SCALE)
    parts = list(runs(text))
    if all(font == FONT for _, font in parts):
        pen.text(place, text, colour, _lettering(pixels), anchor)
        return
    left = place[0] - width_of(text, pixels) * SCALE * {"l": 0, "m": 0.5, "r": 1}[anchor[0]]
    above, below = _lettering(pixels).getmetrics()
    for part, font in parts:
        lettering = _lettering(pixels, font)
        pen.text((left, place[1] + (above - below) / 2), part, colour, lettering, "ls")
        left += lettering.getlength(part)


def width_of(text: str, pixels: int) -> float:
    """Return the width of `text` in pixels, in letters of `pixels`."""
    return sum(_lettering(pixels, font).getlength(part) for part, font in runs(text)) / SCALE


def strike(pen: ImageDraw, text: str, where: tuple[float, float], pixels: int) -> None:
    """Strike out `text`, which was written with the anchor "lm"."""
    left, middle = where
    ends = [(x * SCALE, middle * SCALE) for x in (left, left + width_of(text, pixels))]
    pen.line(ends, DIM, SCALE)


def fitting(text: str, room: float, pixels: int) -> str:
    """Return any text in characters that can be written, cut to be at most `room` pixels wide."""
    most = _LONGEST
    while width_of(shown := writable(text, most), pixels) > room:
        most = min(most, len(shown)) - 1
    return shown
