"""The values that pictures are drawn from, beside the core's; they import no drawing library."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """One line of a chart: its name, and its points as (Unix seconds, rating), oldest first."""

    name: str
    points: tuple[tuple[float, float], ...]
