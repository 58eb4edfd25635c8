"""What the computer player tells of a position."""

from dataclasses import dataclass

from core.grid import Move


@dataclass(frozen=True, slots=True)
class Value:
    """What best play by everybody leads to: one rank per seat, in `plies` plies from here.

    `plies` is None for a draw, whose end nobody can force, and for an unknown distance.
    """

    ranks: tuple[int, ...]
    plies: int | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The best moves of a position (at least one), and what they lead to.

    `value` is exact, or None if the position is too large to be searched to its end. `outlook` has
    a number for each seat, from 0 (lost) over 0.5 (even) to 1 (won): that of the value if there is
    one, otherwise an estimate.
    """

    best: tuple[Move, ...]
    value: Value | None
    outlook: tuple[float, ...]
