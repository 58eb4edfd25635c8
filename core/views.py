"""How a position shows itself to the computer player, beyond its rules: one small protocol.

A game that wants a strong computer gives each position a `view`; the engine has one search per
kind of view, and knows no game. Squares and bitboards are numbered as in `core.grid`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from core.game import Position


@dataclass(frozen=True)
class LineBoard:
    """A board on which marks are put and stay, and owning one of `sets` whole ends the game.

    `sets` are bitboards; who owns one wins or, unless `owner_wins`, loses. `symmetries` are the
    permutations of the squares that map the sets onto themselves, the identity left out.
    """

    squares: int
    sets: tuple[int, ...] = field(repr=False)
    owner_wins: bool
    symmetries: tuple[tuple[int, ...], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LineView:
    """The marks of the seat to move and of the other one, as bitboards."""

    board: LineBoard
    mine: int
    theirs: int


class LoopRules(Protocol):
    """The rules of a game for two that can go in circles, over positions written as numbers.

    A number stands for the board and the seat to move. A finished position is lost for the seat to
    move.
    """

    def replies(self, code: int) -> Sequence[int]:
        """Return the position after each legal move, in their order; none when it is over."""

    def predecessors(self, code: int) -> Iterable[int]:
        """Return the positions from which one move leads here."""

    def finished(self) -> Iterable[int]:
        """Return every position in which the game is over."""


@dataclass(frozen=True, slots=True)
class LoopView:
    """A position of a game that is small enough to be solved as a whole; `rules` are hashable."""

    rules: LoopRules
    code: int


View: TypeAlias = LineView | LoopView


class Viewed(Position, Protocol):
    """A position that the computer player can think about."""

    @property
    def view(self) -> View:
        """How the engine sees the position; only asked while the game goes on."""
