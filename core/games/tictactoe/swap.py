"""The pie rule of tic-tac-toe: after X's first mark, O may take X's side instead of answering.

A swap leaves the mark on the board. O is to move next, now played by the other seat.
"""

from enum import StrEnum

# The number of marks on the board when the second player may change sides.
_MARKS = 1


class Swap(StrEnum):
    """The state of the rule: not in use (any more), still possible, or used.

    After any other answer to the first mark it is not in use any more: the position then equals one
    without the rule.
    """

    NONE = ""
    ALLOWED = "swap"
    DONE = "swapped"

    @property
    def suffix(self) -> str:
        """The end of a position's notation."""
        return f" {self}" if self else ""

    def due(self, marks: int) -> bool:
        """Return whether the seat to move may change sides with this number of marks placed."""
        return self is Swap.ALLOWED and marks == _MARKS

    def after(self, marks: int) -> "Swap":
        """Return the state after a mark that brings their number to `marks`."""
        return Swap.NONE if self is Swap.ALLOWED and marks > _MARKS else self

    def possible(self, marks: int) -> bool:
        """Return whether a position with this number of marks can have this state."""
        if self is Swap.ALLOWED:
            return marks <= _MARKS
        return self is Swap.NONE or marks >= _MARKS
