"""Reading pictures: their frames, their colours, and the squares of a board."""

from dataclasses import dataclass
from functools import reduce
from io import BytesIO

from PIL import Image, ImageChops
from PIL.ImageColor import getrgb

from core.grid import Grid, Square

Pixels = frozenset[tuple[int, int]]

# Pixels around a board: the margin, and the strip of coordinates.
_EDGE, _COORDINATES = 10, 24


@dataclass(frozen=True)
class Film:
    """The frames of a GIF and their durations."""

    frames: list[Image.Image]
    durations: list[int]
    loop: int


def opened(png: bytes) -> Image.Image:
    """Return the picture; fail if it is transparent anywhere."""
    with Image.open(BytesIO(png), formats=["PNG"]) as image:
        assert "transparency" not in image.info
        return image.convert("RGB")


def film(gif: bytes) -> Film:
    """Return the frames of a GIF as they appear, with their durations in milliseconds."""
    with Image.open(BytesIO(gif), formats=["GIF"]) as image:
        frames, durations = [], []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            durations.append(image.info["duration"])
            frames.append(image.convert("RGB"))
        return Film(frames, durations, image.info["loop"])


def coloured(image: Image.Image, colour: str) -> Pixels:
    """Return the pixels of `image` within a small distance of this colour."""
    bands = zip(image.split(), getrgb(colour), strict=True)
    near = (
        band.point([255 * (abs(level - wanted) < 12) for level in range(256)])
        for band, wanted in bands
    )
    return _pixels(reduce(ImageChops.darker, near))


def square(frame: Image.Image, at: Square, grid: Grid) -> Image.Image:
    """Return the part of a frame that shows a square."""
    side = (frame.width - 2 * _EDGE - _COORDINATES) // grid.columns
    left = _EDGE + _COORDINATES + at.column * side
    top = _EDGE + (grid.rows - 1 - at.row) * side
    return frame.crop((left, top, left + side, top + side))


def lit(image: Image.Image) -> Pixels:
    """Return the pixels of `image`, of any colour, that are much lighter than the panel."""
    return _pixels(image.convert("L").point([255 * (level > 90) for level in range(256)]))


def _pixels(mask: Image.Image) -> Pixels:
    """Return the pixels of a single-band image that are not black."""
    levels = enumerate(mask.tobytes() if mask.getbbox() else b"")
    return frozenset((at % mask.width, at // mask.width) for at, level in levels if level)
