"""The values that pictures are drawn from, beside the core's; they import no drawing library."""

from dataclasses import dataclass
from typing import NamedTuple


class Point(NamedTuple):
    """A rating after the match with this `number`, which ended at `moment` in Unix seconds."""

    number: int
    moment: float
    rating: float


@dataclass(frozen=True)
class Series:
    """One line of a chart: its name, and its points, oldest first."""

    name: str
    points: tuple[Point, ...]
