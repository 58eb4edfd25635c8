"""The outcome of a match, for any number of seats: why it ended, and a rank for each seat."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from core.grid import Square


class Termination(StrEnum):
    """Why a match ended; `Outcome.winner` says who won."""

    LINE = "line"
    FULL = "full"
    BLOCKED = "blocked"  # the seat to move has no move
    REPETITION = "repetition"
    PLY_LIMIT = "ply_limit"
    EXHAUSTED = "exhausted"  # nobody can move, and squares are counted
    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    DEPARTURE = "departure"  # left the place where the match is played
    DROPPED = "dropped"  # taken out of the tournament
    AGREEMENT = "agreement"
    ADJUDICATION = "adjudication"  # decided by the tournament's organiser
    VOIDED = "voided"  # decided by the organiser as well: nobody has won or drawn
    CALLED_OFF = "called_off"  # by a moderator
    STRANDED = "stranded"  # its players can no longer reach it
    ABANDONED = "abandoned"  # all players had left when somebody asked
    RESTARTED = "restarted"  # the players began a new match instead


NO_RESULT = frozenset(
    {
        Termination.VOIDED,
        Termination.CALLED_OFF,
        Termination.STRANDED,
        Termination.ABANDONED,
        Termination.RESTARTED,
    }
)
"""The terminations by which nobody wins or draws."""

UNCOUNTED = NO_RESULT | {Termination.ADJUDICATION, Termination.DROPPED}
"""The terminations after which a match counts for no player, except in its tournament."""

LEAVING = frozenset(
    {Termination.RESIGNATION, Termination.TIMEOUT, Termination.DEPARTURE, Termination.DROPPED}
)
"""The terminations by which a seat leaves: with two, it loses; with more, the others play on."""


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
    def has_result(self) -> bool:
        """Whether anybody has won or drawn: whether the ranks mean anything."""
        return self.termination not in NO_RESULT

    @property
    def counts(self) -> bool:
        """Whether the result counts for the players, and not only in a tournament."""
        return self.termination not in UNCOUNTED

    @property
    def winner(self) -> int | None:
        """The seat that won, None if nobody did, as in a draw."""
        return self.ranks.index(1) if self.ranks.count(1) == 1 else None

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

    def behind(self, left: Sequence[Collection[int]]) -> "Outcome":
        """Return this outcome with the seats in `left` ranked behind the seats that stayed.

        `left` is in order of time; each item holds seats that left together. The first to leave are
        last of all, seats that left together share a rank, and the others keep their order.
        """
        gone = {seat for together in left for seat in together}
        stayed = [rank for seat, rank in enumerate(self.ranks) if seat not in gone]
        ranks = {
            seat: 1 + sum(other < rank for other in stayed) for seat, rank in enumerate(self.ranks)
        }
        better = len(stayed)
        for together in reversed(left):
            ranks |= dict.fromkeys(together, better + 1)
            better += len(together)
        return replace(self, ranks=tuple(ranks[seat] for seat in range(len(self.ranks))))


@dataclass(frozen=True)
class Ending:
    """How a match ended away from the board: `seat` lost it, None if no seat did."""

    termination: Termination
    seat: int | None = None

    def unmoved(self, plies: int) -> int | None:
        """Return the seat, of two, that ran out of time before its first move; None for neither.

        `plies` is the number of moves made.
        """
        return self.seat if self.termination is Termination.TIMEOUT and plies < 2 else None

    def outcome(self, seats: int) -> Outcome:
        """Return the outcome for a match of `seats` players."""
        if self.seat is None:
            return Outcome.drawn(seats, self.termination)
        return Outcome.lost(self.seat, seats, self.termination)
