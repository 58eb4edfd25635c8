"""The swap rule of tic-tac-toe: after X's first mark, O may take X's side instead of answering.

The marks stay as they are and O is to move next, now played by the other seat.
"""

from enum import StrEnum

# So many marks are on the board when the second player may change sides.
_MARKS = 1


class Swap(StrEnum):
    """Whether sides may be changed, have been, or are what they are for good.

    An answer to the first mark settles it: from then on the position is any other.
    """

    NONE = ""
    ALLOWED = "swap"
    DONE = "swapped"

    @property
    def sides(self) -> tuple[int, int]:
        """The side that each seat plays."""
        return (1, 0) if self is Swap.DONE else (0, 1)

    @property
    def suffix(self) -> str:
        """What a position's text ends with."""
        return f" {self}" if self else ""

    def due(self, marks: int) -> bool:
        """Return whether the seat to move, with so many marks on the board, may change sides."""
        return self is Swap.ALLOWED and marks == _MARKS

    def after(self, marks: int) -> "Swap":
        """Return the rule once one more mark makes them so many."""
        return Swap.NONE if self is Swap.ALLOWED and marks > _MARKS else self

    def possible(self, marks: int) -> bool:
        """Return whether the rule can stand so with so many marks on the board."""
        if self is Swap.ALLOWED:
            return marks <= _MARKS
        return self is Swap.NONE or marks >= _MARKS
