"""How the seats stand on a board on which squares are taken: an estimate in squares.

The weights are a linear fit of final squares to the positions of playings of Tribolo, all sizes, by
greedy, random and deeper players, rounded: what can't be taken is worth most, what stands beside
empty squares least, and the more so the earlier it is.
"""

from collections.abc import Sequence
from functools import lru_cache

from core.views import Territory, TerritoryRules

# At the end, and by how much more with all squares empty.
_SQUARE = (1.0, 0.8)
_SAFE = (0.3, 7.2)  # a square that can't be taken, more than another
_EDGE = (0.1, 1.0)  # one that can be taken along one line only, more than another
_FRONTIER = (-0.7, -1.2)
_CHOICE = (1.3, -1.5)
_LEAST_CHOICE = 0.75
_TO_MOVE = 2.0
# More than all the squares of a board: who is first when it is over is ahead of all estimates.
_WON = 1000.0
# So many squares ahead of the others are about two chances of three.
_LIKELY = 8.0


def chance(rules: TerritoryRules, state: Territory, seat: int) -> float:
    """Return how `seat` stands, from 0 (lost) over 0.5 (even) to 1 (won)."""
    return _chance(_ahead(worth(rules, state), seat, over=state.mover is None))


def standings(rules: TerritoryRules, state: Territory, choice: float = 1.0) -> list[float]:
    """Return by how many squares each seat is ahead of the others' mean; much more if it has won.

    `choice` is how much having many moves counts.
    """
    values = worth(rules, state, choice)
    return [_ahead(values, seat, over=state.mover is None) for seat in range(len(values))]


def chances(standings: Sequence[float]) -> tuple[float, ...]:
    """Return from `standings` how each seat stands, from 0 (lost) over 0.5 (even) to 1 (won)."""
    return tuple(map(_chance, standings))


def _chance(ahead: float) -> float:
    return 0.5 + 0.5 * ahead / (_LIKELY + abs(ahead))


def _ahead(values: Sequence[float], seat: int, *, over: bool) -> float:
    own = values[seat]
    ahead = own - (sum(values) - own) / (len(values) - 1)
    if over:
        best = max(values)
        return ahead + (_WON if own == best and values.count(best) == 1 else -_WON * (own < best))
    return ahead


@lru_cache(maxsize=1024)
def _weights(early: float) -> tuple[float, float, float, float, float]:
    """Return what counts, when that share of the squares is empty."""
    square, safe, edge, beside, choice = (
        at_end + early * more for at_end, more in (_SQUARE, _SAFE, _EDGE, _FRONTIER, _CHOICE)
    )
    return square, safe, edge, beside, max(_LEAST_CHOICE, choice)


def worth(rules: TerritoryRules, state: Territory, choice: float = 1.0) -> list[float]:
    """Return what each seat's squares are worth: their number when it is over.

    Moves to choose from count `choice` times what they do.
    """
    owned, out = state.owned, state.out
    if state.mover is None:
        return [float(squares.bit_count()) for squares in owned]
    empty = rules.open
    for squares in owned:
        empty &= ~squares
    safe, edge = rules.exposed[:2]
    frontier = rules.near(empty) & ~safe
    early = empty.bit_count() / rules.open.bit_count()
    square, for_safe, for_edge, beside, for_choice = _weights(early)
    choice *= for_choice
    values = [
        square * own.bit_count()
        + for_safe * (own & safe).bit_count()
        + for_edge * (own & edge).bit_count()
        + beside * (own & frontier).bit_count()
        for own in owned
    ]
    for seat in range(len(owned)):
        if seat not in out:
            known = state.targets if seat == state.mover else rules.targets(owned, seat)
            values[seat] += choice * known.bit_count()
    values[state.mover] += _TO_MOVE
    return values
