"""The evaluation of territory games, in squares.

The weights are a linear fit of the final numbers of squares to the positions of Tribolo games, of
all sizes, played by greedy, random and deeper players, and rounded. Squares that can't be taken are
worth most, and squares beside empty ones least. The difference is largest at the start of a game.
"""

from collections.abc import Sequence
from functools import lru_cache

from core.views import Territory, TerritoryRules

# Weights in squares: at the end of the game, and the increase with all squares empty.
_SQUARE = (1.0, 0.8)
_SAFE = (0.3, 7.2)  # added for a square that can't be taken
_EDGE = (0.1, 1.0)  # added for a square that can be taken along one line only
_FRONTIER = (-0.7, -1.2)  # added for a square beside empty ones, if it can be taken
_MOBILITY = (1.3, -1.5)
_LEAST_MOBILITY = 0.75
# What the turn is worth to the mover.
_TEMPO = 2.0
# More than all the squares of a board: the winner of a finished game is ahead of every estimate.
_WON = 1000.0
# A lead of this many squares is an outlook of 0.75: of three seats, about two chances in three to
# win.
_LIKELY = 8.0


def chance(rules: TerritoryRules, state: Territory, seat: int) -> float:
    """Return the outlook of `seat`, from 0 (lost) over 0.5 (even) to 1 (won)."""
    return _chance(_lead(state, worths(rules, state), seat))


def leads(rules: TerritoryRules, state: Territory, mobility: float = 1.0) -> list[float]:
    """Return for each seat its lead over the mean of the others, in squares.

    The winner of a finished game leads by far more than there are squares. `mobility` scales the
    weight of having many moves.
    """
    values = worths(rules, state, mobility)
    return [_lead(state, values, seat) for seat in range(len(values))]


def chances(by_seat: Sequence[float]) -> tuple[float, ...]:
    """Return the outlook of each seat, from 0 (lost) over 0.5 (even) to 1 (won), by its lead."""
    return tuple(map(_chance, by_seat))


def _chance(lead: float) -> float:
    return 0.5 + 0.5 * lead / (_LIKELY + abs(lead))


def _lead(state: Territory, values: Sequence[float], seat: int) -> float:
    own = values[seat]
    lead = own - (sum(values) - own) / (len(values) - 1)
    if state.mover is None:
        staying = [value for other, value in enumerate(values) if other not in state.out]
        if seat in state.out or own < max(staying):  # seats that are out rank behind the others
            return lead - _WON
        return lead + _WON * (staying.count(own) == 1)
    return lead


@lru_cache(maxsize=1024)
def _weights(empty: float) -> tuple[float, float, float, float, float]:
    """Return the weights when the share `empty` of the squares, from 0 to 1, is empty."""
    square, safe, edge, frontier, mobility = (
        at_end + empty * more for at_end, more in (_SQUARE, _SAFE, _EDGE, _FRONTIER, _MOBILITY)
    )
    return square, safe, edge, frontier, max(_LEAST_MOBILITY, mobility)


def worths(rules: TerritoryRules, state: Territory, mobility: float = 1.0) -> list[float]:
    """Return the worth of each seat's squares: their number once the game is over.

    `mobility` scales the weight of having many moves.
    """
    owned, out = state.owned, state.out
    if state.mover is None:
        return [float(squares.bit_count()) for squares in owned]
    empty = rules.open
    for squares in owned:
        empty &= ~squares
    safe, edge = rules.exposed[:2]
    frontier = rules.near(empty) & ~safe
    share = empty.bit_count() / rules.open.bit_count()
    for_square, for_safe, for_edge, for_frontier, for_mobility = _weights(share)
    mobility *= for_mobility
    values = [
        for_square * own.bit_count()
        + for_safe * (own & safe).bit_count()
        + for_edge * (own & edge).bit_count()
        + for_frontier * (own & frontier).bit_count()
        for own in owned
    ]
    for seat in range(len(owned)):
        if seat not in out:
            targets = state.targets if seat == state.mover else rules.targets(owned, seat)
            values[seat] += mobility * targets.bit_count()
    values[state.mover] += _TEMPO
    return values
