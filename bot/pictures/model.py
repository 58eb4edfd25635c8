"""The values from which pictures are drawn, beside the core's; no drawing library is imported here.

All texts are plain, without escapes.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


class Point(NamedTuple):
    """A rating after the match with this `number`, which ended at `moment` in Unix seconds."""

    number: int
    moment: float
    rating: float


@dataclass(frozen=True)
class Line:
    """One line of a chart: its name, and its points, oldest first."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Chart:
    """Ratings by match, which begin at `start`; `label` names their axis."""

    title: str
    label: str
    lines: tuple[Line, ...]
    start: float


class Cell(NamedTuple):
    """A field of a cross-table: results such as 1½, and the number of the opponent's row."""

    results: str = ""
    against: str = ""


class Row(NamedTuple):
    """A line of a cross-table. A cell is None where a player would meet themselves.

    `gone` says that the player has left, `leads` that they have the first rank, perhaps with
    others.
    """

    number: str
    name: str
    cells: tuple[Cell | None, ...]
    points: str
    gone: bool = False
    leads: bool = False


@dataclass(frozen=True)
class Crosstable:
    """A cross-table: the heads of its columns, and its rows; `cut` if there are more of them."""

    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    cut: bool = False


class Side(NamedTuple):
    """A player in a tie of a bracket: seed, name and points, all empty if not known yet.

    `won` is None until the tie is decided; `gone` says that the player has left.
    """

    seed: str = ""
    name: str = ""
    points: str = ""
    won: bool | None = None
    gone: bool = False


@dataclass(frozen=True)
class Bracket:
    """Rounds of a knockout: each has half as many ties as the one before it.

    `before` and `after` say that rounds are left out there, `above` and `below` that ties are.
    """

    rounds: tuple[tuple[tuple[Side, Side], ...], ...]
    before: bool = False
    after: bool = False
    above: bool = False
    below: bool = False


class PodiumStep(NamedTuple):
    """A member on a podium: rank, name, and the result in words."""

    rank: int
    name: str
    told: str


@dataclass(frozen=True)
class Podium:
    """Up to three members on a podium, the best first."""

    title: str
    steps: tuple[PodiumStep, ...]


Drawing: TypeAlias = Bracket | Chart | Crosstable | Podium
"""The content of a picture, other than one of a match."""
