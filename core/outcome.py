"""How a match ends, for any number of seats: why, and one rank for each seat."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from core.grid import Square


class Termination(StrEnum):
    """How a match ended; who won is another question (`Outcome.ranks`)."""

    LINE = "line"
    FULL = "full"
    BLOCKED = "blocked"
    REPETITION = "repetition"
    PLY_LIMIT = "ply_limit"
    EXHAUSTED = "exhausted"
    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    DEPARTURE = "departure"  # left the place where the match is played
    AGREEMENT = "agreement"
    CALLED_OFF = "called_off"


class Result(StrEnum):
    """What an outcome means for one seat."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


def result_of(ranks: Sequence[int], seat: int) -> Result:
    """Return what these ranks are for `seat`: the first place alone wins, shared it draws."""
    if ranks[seat] > 1:
        return Result.LOSS
    return Result.WIN if ranks.count(1) == 1 else Result.DRAW


@dataclass(frozen=True)
class Outcome:
    """How a match ended, with one rank per seat: 1 is best, equal seats share a rank.

    `squares` are those that decided it (the completed line), empty where there are none.
    """

    termination: Termination
    ranks: tuple[int, ...]
    squares: frozenset[Square] = frozenset()

    @property
    def counts(self) -> bool:
        """Whether this is a result at all: a match that was called off has none."""
        return self.termination is not Termination.CALLED_OFF

    def result(self, seat: int) -> Result:
        """Return what this outcome is for `seat`: the first place alone wins, shared it draws."""
        return result_of(self.ranks, seat)

    @classmethod
    def won(
        cls, by: int, seats: int, termination: Termination, squares: frozenset[Square] = frozenset()
    ) -> Self:
        """Return the outcome in which seat `by` is first and all the others share the next rank."""
        return cls(termination, tuple(1 if s == by else 2 for s in range(seats)), squares)

    @classmethod
    def lost(
        cls, by: int, seats: int, termination: Termination, squares: frozenset[Square] = frozenset()
    ) -> Self:
        """Return the outcome in which seat `by` is last and all the others share the first rank."""
        return cls(termination, tuple(2 if s == by else 1 for s in range(seats)), squares)

    @classmethod
    def drawn(cls, seats: int, termination: Termination) -> Self:
        """Return the outcome in which all seats share the first rank."""
        return cls(termination, (1,) * seats)

    def behind(self, left: Sequence[int]) -> "Outcome":
        """Return this outcome with the seats that `left`, the first to go first, ranked last.

        Whoever left first is last of all, and the others keep their order among themselves.
        """
        stayed = [rank for seat, rank in enumerate(self.ranks) if seat not in left]
        ranks = tuple(
            len(self.ranks) - left.index(seat)
            if seat in left
            else 1 + sum(r < rank for r in stayed)
            for seat, rank in enumerate(self.ranks)
        )
        return replace(self, ranks=ranks)


@dataclass(frozen=True)
class Ending:
    """How a match ended away from the board: `seat` is who lost it, None where nobody did."""

    termination: Termination
    seat: int | None = None

    def outcome(self, seats: int) -> Outcome:
        """Return the outcome for a match of `seats` players."""
        if self.seat is None:
            return Outcome.drawn(seats, self.termination)
        return Outcome.lost(self.seat, seats, self.termination)
