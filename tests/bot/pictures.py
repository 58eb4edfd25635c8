"""Looking at pictures: frames, colours, and where the squares of a board are."""

from dataclasses import dataclass
from io import BytesIO

from PIL import Image
from PIL.ImageColor import getrgb

from core.grid import Grid, Square

Pixels = frozenset[tuple[int, int]]

# Pixels beside a board: its edge, and the coordinates.
_EDGE, _COORDINATES = 10, 24


@dataclass(frozen=True)
class Film:
    """A GIF taken apart."""

    frames: list[Image.Image]
    durations: list[int]
    loop: int


def film(gif: bytes) -> Film:
    """Return the frames of a GIF as they are seen, and for how many milliseconds each is."""
    with Image.open(BytesIO(gif), formats=["GIF"]) as image:
        frames, durations = [], []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            durations.append(image.info["duration"])
            frames.append(image.convert("RGB"))
        return Film(frames, durations, image.info["loop"])


def coloured(image: Image.Image, colour: str) -> Pixels:
    """Return the pixels of `image` that have a colour, or nearly."""
    wanted = getrgb(colour)
    return frozenset(
        (x, y)
        for y in range(image.height)
        for x in range(image.width)
        if near(image.getpixel((x, y)), wanted)
    )


def near(one: object, other: tuple[int, ...]) -> bool:
    """Return whether two colours look the same."""
    assert isinstance(one, tuple)
    return all(abs(a - b) < 12 for a, b in zip(one, other, strict=True))


def square(frame: Image.Image, at: Square, grid: Grid) -> Image.Image:
    """Return the part of a frame that shows a square."""
    side = (frame.width - 2 * _EDGE - _COORDINATES) // grid.columns
    left = _EDGE + _COORDINATES + at.column * side
    top = _EDGE + (grid.rows - 1 - at.row) * side
    return frame.crop((left, top, left + side, top + side))


def lit(image: Image.Image) -> Pixels:
    """Return the pixels of `image` that are much lighter than a panel, in whatever colour."""
    grey = image.convert("L").point([255 * (level > 90) for level in range(256)])
    return frozenset(
        (x, y) for y in range(grey.height) for x in range(grey.width) if grey.getpixel((x, y))
    )
