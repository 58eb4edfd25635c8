"""The outcome of a match, for any number of seats: why it ended, and a rank for each seat."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from core.grid import Square


class Termination(StrEnum):
    """Why a match ended; `Outcome.ranks` says who won."""

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
    """The result of one seat."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


def result_of(ranks: Sequence[int], seat: int) -> Result:
    """Return the result of `seat`: first alone it wins, first with others it draws."""
    if ranks[seat] > 1:
        return Result.LOSS
    return Result.WIN if ranks.count(1) == 1 else Result.DRAW


@dataclass(frozen=True)
class Outcome:
    """Why a match ended, and one rank per seat: 1 is best, equal seats share a rank.

    `squares` are those that decided it, such as the completed line; the set may be empty.
    """

    termination: Termination
    ranks: tuple[int, ...]
    squares: frozenset[Square] = frozenset()

    @property
    def counts(self) -> bool:
        """Whether the match has a result; one that was called off has none."""
        return self.termination is not Termination.CALLED_OFF

    def result(self, seat: int) -> Result:
        """Return the result of `seat`: first alone it wins, first with others it draws."""
        return result_of(self.ranks, seat)

    @classmethod
    def won(
        cls, by: int, seats: int, termination: Termination, squares: frozenset[Square] = frozenset()
    ) -> Self:
        """Return the outcome in which seat `by` is first and the others share the second rank."""
        return cls(termination, tuple(1 if s == by else 2 for s in range(seats)), squares)

    @classmethod
    def lost(
        cls, by: int, seats: int, termination: Termination, squares: frozenset[Square] = frozenset()
    ) -> Self:
        """Return the outcome in which seat `by` is last and the others share the first rank."""
        return cls(termination, tuple(2 if s == by else 1 for s in range(seats)), squares)

    @classmethod
    def drawn(cls, seats: int, termination: Termination) -> Self:
        """Return the outcome in which all seats share the first rank."""
        return cls(termination, (1,) * seats)

    def behind(self, left: Sequence[int]) -> "Outcome":
        """Return this outcome with the seats that `left`, in order of time, ranked last.

        The first to leave is last of all; the seats that stayed keep their order.
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
    """How a match ended away from the board: `seat` lost it, None if no seat did."""

    termination: Termination
    seat: int | None = None

    def outcome(self, seats: int) -> Outcome:
        """Return the outcome for a match of `seats` players."""
        if self.seat is None:
            return Outcome.drawn(seats, self.termination)
        return Outcome.lost(self.seat, seats, self.termination)
