"""What the drawing process runs. The drawing libraries are imported there, and nowhere else."""

from collections.abc import Sequence
from typing import TypeAlias

from core.match.record import read

# A series: its name, and points of Unix seconds and rating.
Named: TypeAlias = tuple[str, tuple[tuple[float, float], ...]]


def animation(record: str, names: Sequence[str]) -> bytes:
    """Return the GIF of the match that `record` tells."""
    from bot.pictures.animation import animate

    return animate(read(record).match, names)


def chart(title: str, label: str, series: Sequence[Named]) -> bytes:
    """Return the PNG of ratings over time."""
    from bot.pictures.chart import Series, plot

    return plot(title, label, [Series(name, points) for name, points in series])
