"""The order of moves by patterns: how urgent a square is to either side."""

from core.engine.lines.patterns import (
    FIVE_MASK,
    FOUR_MASK,
    FOUR_UNIT,
    NEAR_MASK,
    THREE_MASK,
    THREE_UNIT,
)


class _Urgency(dict[int, int]):
    """The urgency of a square by its 16 bits for one side, made when it is first asked for."""

    def __init__(self, double: int, mixed: int, threes: int, four: int, three: int, near: int):
        super().__init__()
        self._weights = double, mixed, threes, four, three, near

    def __missing__(self, field: int) -> int:
        double, mixed, threes, four, three, near = self._weights
        value = near * (field & NEAR_MASK)
        fours, open_threes = (field & FOUR_MASK) // FOUR_UNIT, (field & THREE_MASK) // THREE_UNIT
        if field & FIVE_MASK or fours > 1:
            value += double
        elif fours and open_threes:
            value += mixed
        elif open_threes > 1:
            value += threes
        elif fours:
            value += four
        elif open_threes:
            value += three
        self[field] = value
        return value


OWN = _Urgency(double=9_000, mixed=5_000, threes=2_000, four=180, three=240, near=6)
"""The urgency of a square by what the side to move could make on it."""
OTHERS = _Urgency(double=4_000, mixed=2_500, threes=1_000, four=100, three=160, near=5)
"""The urgency of a square by what the other side could make on it."""
