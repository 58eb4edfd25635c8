"""What a search of one position of a line game has found, with its moves as bits."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.outcome import Result


@dataclass(frozen=True, slots=True)
class Found:
    """The same as `Findings`, but `best` and `line` hold squares as bits, not indices of moves.

    Of moves that are symmetric to each other, `best` needs to have only one.
    """

    best: Sequence[int]
    result: Result | None
    plies: int | None = None
    outlook: float = 0.5
    line: Sequence[int] = ()
