"""What the computer player knows about a position."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.grid import Move
from core.outcome import Result


@dataclass(frozen=True, slots=True)
class Value:
    """What best play by everybody leads to: one rank per seat, `plies` from here.

    `plies` is None for a draw: nobody can force the end.
    """

    ranks: tuple[int, ...]
    plies: int | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The best moves of a position (at least one), and what they lead to.

    `value` is exact, or None where the position is too large to be searched to its end. `outlook`
    says for each seat how it stands, from 0 (lost) over 0.5 (even) to 1 (won): exactly that with a
    value, an estimate without one.
    """

    best: tuple[Move, ...]
    value: Value | None
    outlook: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search for two found: the best moves by their number among the legal ones.

    `result` is for the seat to move, and None where that isn't proved; `plies` is None for a draw;
    `outlook` is an estimate from 0 (lost) to 1 (won).
    """

    best: Sequence[int]
    result: Result | None
    plies: int | None = None
    outlook: float = 0.5
