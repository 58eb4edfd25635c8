"""Human play on large boards: moves by patterns alone, with an eye that misses things.

Nothing is searched. A player looks at what each square would make for both sides, and overlooks
some of it by chance, so weak levels lose as people do: by a three that they missed, or a fork.
"""

from random import Random

from core.engine.levels import Eye
from core.engine.lines.geometry import geometry
from core.engine.lines.patterns import (
    FIVE_MASK,
    FOUR_MASK,
    FOUR_UNIT,
    NEAR_MASK,
    THREE_MASK,
    PatternPosition,
    patterns,
)
from core.views import LineView

# What a square is worth for what a mark on it makes, and for own and others' marks near it.
_FOUR, _OPEN_FOUR, _THREE = 30, 240, 70
_OWN_NEAR, _OTHERS_NEAR = 6, 5


def casual_move(view: LineView, eye: Eye, rng: Random) -> int:
    """Return the index of a move among the legal ones, as a player with this `eye` makes it."""
    position = PatternPosition(patterns(view.board), view.mine, view.theirs)
    own, others = position.fields(position.start, 0)
    free = [square for square in range(view.board.squares) if view.free >> square & 1]
    for fields, missed in ((own, eye.win), (others, eye.block)):
        completing = [square for square in free if fields[square] & FIVE_MASK]
        if completing and rng.random() >= missed:
            return view.index(1 << rng.choice(completing))
    minds = rng.random() >= eye.attack
    worth = {
        square: _worth(own[square], _OWN_NEAR) + minds * _worth(others[square], _OTHERS_NEAR)
        for square in free
        if (own[square] | others[square]) & NEAR_MASK
    }
    if not worth:
        return view.index(_central(view, free, rng))
    taste = {square: value + rng.uniform(0, eye.variety) for square, value in worth.items()}
    return view.index(1 << max(taste, key=taste.__getitem__))


def _worth(field: int, near: int) -> int:
    """Return what a square is worth by the 16 bits of one side."""
    value = near * (field & NEAR_MASK)
    if field & FOUR_MASK >= 2 * FOUR_UNIT:
        value += _OPEN_FOUR
    elif field & FOUR_MASK:
        value += _FOUR
    if field & THREE_MASK:
        value += _THREE
    return value


def _central(view: LineView, free: list[int], rng: Random) -> int:
    """Return one of the squares in most sets, as a bit."""
    through = geometry(view.board).through
    counts = {1 << square: len(through[1 << square]) for square in free}
    most = max(counts.values())
    return rng.choice([bit for bit, count in counts.items() if count == most])
