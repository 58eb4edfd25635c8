"""The order of moves by patterns: how urgent a square is to either side."""

from collections.abc import Sequence
from functools import partial

from core.engine.lines.patterns import (
    FIVE_MASK,
    FOUR_MASK,
    FOUR_UNIT,
    NEAR_MASK,
    SIDE_BITS,
    THREE_MASK,
    THREE_UNIT,
)
from core.engine.search import Memo

# Squares are ordered by one number each: its urgency and, in the bits below, its place. Places
# count down, so that the first of equally urgent squares is the greatest.
_PLACE_BITS = 10
_LAST = (1 << _PLACE_BITS) - 1
_PLACES = tuple(range(_LAST, -1, -1))
# A game on 10x10 meets fewer than 2,000 different fields; the rank of each takes about 150 bytes.
_MOST_RANKS = 10_000


def _urgency(
    field: int, *, double: int, mixed: int, threes: int, four: int, three: int, near: int
) -> int:
    """Return the urgency of a square by its 16 bits for one side."""
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
    return value


OWN = Memo[int, int](
    partial(_urgency, double=9_000, mixed=5_000, threes=2_000, four=180, three=240, near=6)
)
"""The urgency of a square by what the side to move could make on it."""
OTHERS = Memo[int, int](
    partial(_urgency, double=4_000, mixed=2_500, threes=1_000, four=100, three=160, near=5)
)
"""The urgency of a square by what the other side could make on it."""


def _rank(side: int, field: int) -> int:
    """Return the urgency of a square to `side`, to move, by its 32 bits.

    The bits below it are left for the square's place.
    """
    halves = field & (1 << SIDE_BITS) - 1, field >> SIDE_BITS
    return OWN[halves[side]] + OTHERS[halves[1 - side]] << _PLACE_BITS


_RANKS = tuple(Memo[int, int](partial(_rank, side), _MOST_RANKS) for side in (0, 1))


def by_urgency(fields: Sequence[int], side: int) -> list[int]:
    """Return the squares whose 32 bits aren't all 0, the most urgent to `side`, to move, first.

    Equally urgent ones stay in order.
    """
    ranks = _RANKS[side]
    ranked = [ranks[field] | place for field, place in zip(fields, _PLACES, strict=False) if field]
    ranked.sort(reverse=True)
    return [_LAST - (rank & _LAST) for rank in ranked]
