"""How the seats stand on a board on which squares are taken: an estimate in squares.

The weights are a linear fit of the final squares to 28,000 playings of greedy and random players
(all sizes of Tribolo, rounded): what can't be taken is worth most, squares beside empty ones least.
"""

from core.views import Territory, TerritoryRules

# Each (at the end, more by this at the start): squares by how many lines they can be taken along.
_EXPOSED = ((1.2, 5.5), (1.05, 1.3), (1.0, 0.9), (1.0, 0.6), (1.0, 0.6))
_FRONTIER = (-0.7, -0.7)
_CHOICE = (0.8, -0.9)
_TO_MOVE = 2.0
_CHOICES_LAST = 0.35
# More than all the squares of a board: who has won the game is ahead of everybody who hasn't.
_WON = 1000.0


def standings(rules: TerritoryRules, state: Territory) -> tuple[float, ...]:
    """Return by how many squares each seat is ahead of the best other one."""
    worth = _worth(rules, state)
    return tuple(_ahead(worth, seat, over=state.mover is None) for seat in range(len(worth)))


def standing(rules: TerritoryRules, state: Territory, seat: int) -> float:
    """Return by how many squares `seat` is ahead of the best other one."""
    return _ahead(_worth(rules, state), seat, over=state.mover is None)


def _ahead(worth: list[float], seat: int, *, over: bool) -> float:
    ahead = worth[seat] - max(worth[:seat] + worth[seat + 1 :])
    if over and ahead:
        return ahead + (_WON if ahead > 0 else -_WON)
    return ahead


def _worth(rules: TerritoryRules, state: Territory) -> list[float]:
    """Return what each seat's squares are worth, exactly their number when it is over."""
    owned = state.owned
    if state.mover is None:
        return [float(squares.bit_count()) for squares in owned]
    empty = rules.open
    for squares in owned:
        empty &= ~squares
    early = empty.bit_count() / rules.open.bit_count()
    weights = [
        (at_end + early * more, layer) for (at_end, more), layer in zip(_EXPOSED, rules.exposed)
    ]
    frontier = rules.near(empty) & ~rules.exposed[0]
    beside = _FRONTIER[0] + early * _FRONTIER[1]
    choice = max(_CHOICES_LAST, _CHOICE[0] + early * _CHOICE[1])
    worth = []
    for seat, squares in enumerate(owned):
        own = beside * (squares & frontier).bit_count()
        for weight, layer in weights:
            own += weight * (squares & layer).bit_count()
        if seat not in state.out:
            own += choice * rules.targets(owned, seat).bit_count()
        worth.append(own)
    worth[state.mover] += _TO_MOVE
    return worth
