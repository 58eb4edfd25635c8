"""A position: the board and the seat to move, in any game.

A game overrides `scores` if its seats have points, `without` if a seat can leave, and `view` if the
engine has a search for it that does better than one by the rules alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias

from core.errors import MatchOver
from core.grid import Grid, Move, Square
from core.marks import Mark
from core.outcome import Outcome
from core.views import View


class Blank(Enum):
    """A square without a mark, by its `letter` in notation and on printed boards."""

    OPEN = "."
    CLOSED = "-"  # empty, and no move enters it again
    WALL = "#"  # belongs to nobody for the whole game

    def __init__(self, letter: str):
        self.letter = letter


Content: TypeAlias = int | Mark | Blank
"""The content of a square: the mark of a seat, a mark that is no seat's, or nothing."""


class Position(ABC):
    """The board and the seat to move, as an immutable value.

    Positions are hashable, can be pickled, and are equal if their notation is equal. Seats count
    from 0. ``str()`` draws the board for people; `notation` is the text for machines.

    In a subclass, `dataclass` would take a property of this class for the default of a field with
    the same name. So subclasses have `grid` and `marks` as class variables, or as properties that
    read a field with another name. ``dataclass(frozen=True, repr=False)`` keeps this class's repr.
    """

    @property
    @abstractmethod
    def grid(self) -> Grid:
        """The board's size."""

    @property
    @abstractmethod
    def marks(self) -> tuple[Mark, ...]:
        """The mark of each seat; seats may have changed sides since the start."""

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""

    @abstractmethod
    def content(self, square: Square) -> Content:
        """Return the seat whose mark is on `square`, or the kind of blank if there is no mark.

        If the mark is no seat's, such as one that both players put, return the mark itself.
        """

    def contents(self) -> Sequence[Content]:
        """Return the `content` of every square, in the order of the grid.

        Override it if a game can read all squares at once more quickly than one by one.
        """
        return [self.content(square) for square in self.grid.squares]

    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """Return every legal move, always in the same order; none when the game is over.

        All moves are of one kind: onto squares, into columns, or from one square to another. Only a
        swap may come beside them.
        """

    @abstractmethod
    def play(self, move: Move) -> "Position":
        """Return the position after `move`; raise IllegalMove or MatchOver."""

    def landing(self, move: Move) -> Square:
        """Return the square on which a legal move puts a mark or a man.

        Override it for moves that only name a column (`Move.into`).
        """
        return move.to

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the game ended on this board, None while it goes on."""

    def scores(self) -> tuple[int, ...] | None:
        """Return the points of each seat, more being better; None in a game without points."""
        return None

    def without(self, seat: int) -> "Position":
        """Return the position in which `seat` no longer moves, but keeps its squares.

        Games of more than two seats override it. The notation names the seats that are out. Raises
        ValueError if the seat can't leave, as when it is out already.
        """
        raise ValueError(f"seat {seat} can't leave {self.notation}")

    @property
    def view(self) -> View | None:
        """The position in the form that a search of the engine works on.

        With None, the engine has only the rules. It asks for views only while the game goes on.
        """
        return None

    @property
    @abstractmethod
    def notation(self) -> str:
        """The position in one line of text, which the game's `parse` reads back."""

    def rows(self) -> list[str]:
        """Return the board as one text per row, a letter per square, the top row first."""
        columns = self.grid.columns
        seats = [mark.letter for mark in self.marks]
        letters = [seats[c] if isinstance(c, int) else c.letter for c in self.contents()]
        starts = reversed(range(0, len(letters), columns))
        return ["".join(letters[start : start + columns]) for start in starts]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.notation}>"

    def __str__(self) -> str:
        numbers = reversed(range(1, self.grid.rows + 1))
        ranks = [
            f"{number:>2} {' '.join(row)}" for number, row in zip(numbers, self.rows(), strict=True)
        ]
        return "\n".join([*ranks, f"   {' '.join(self.grid.letters)}"])


def mover_of(position: Position) -> int:
    """Return the seat to move; raise MatchOver if the game is over."""
    if (seat := position.to_move) is None:
        raise MatchOver
    return seat


def falls(position: Position) -> bool:
    """Return whether the moves of a position are columns into which a piece falls."""
    return any(move.column is not None for move in position.legal_moves()[:1])
