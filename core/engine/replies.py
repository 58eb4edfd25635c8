"""What a seat is likely to do where squares are taken, to those who look one or two plies ahead.

Everybody wants most for themselves: max^n (C. Luckhardt and K. Irani, *An Algorithmic Solution of
N-Person Games*, AAAI 1986), where most means squares, and of moves that take as many one is as
likely as another.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from core.engine.geometry import split
from core.engine.standing import standings
from core.views import Territory, TerritoryRules

After: TypeAlias = Callable[[Territory, int], Territory]
"""Makes a move on a bit, one of the state's targets."""

# How much of their worth choices have two plies ahead: less is weaker, so that best beats it more.
_CHOICE = 0.25


def greedy(rules: TerritoryRules, state: Territory) -> list[int]:
    """Return the targets on which the mover takes most, as bits."""
    assert state.mover is not None, "only asked while the game goes on"
    found, most = [0], 0
    for bit in split(state.targets):
        gain = rules.taken(state.owned, state.mover, bit).bit_count()
        if gain > most:
            found, most = [bit], gain
        elif gain == most:
            found.append(bit)
    return found


def farsighted(rules: TerritoryRules, state: Territory, after: After) -> list[int]:
    """Return the targets after which the mover stands best, once the next has moved, as bits."""
    assert state.mover is not None, "only asked while the game goes on"
    foreseen = {bit: at[state.mover] for bit, at in after_replies(rules, state, after).items()}
    best = max(foreseen.values())
    return [bit for bit, at in foreseen.items() if at == best]


def after_replies(
    rules: TerritoryRules, state: Territory, after: After
) -> dict[int, Sequence[float]]:
    """Return how all seats stand after each target of the mover, and a reply, by its bit."""
    return {bit: replied(rules, after(state, bit), after) for bit in split(state.targets)}


def replied(rules: TerritoryRules, state: Territory, after: After) -> Sequence[float]:
    """Return how all seats stand, on the average, after what the mover is likely to do."""
    if state.mover is None:
        return standings(rules, state)
    likely = [standings(rules, after(state, bit), _CHOICE) for bit in greedy(rules, state)]
    return [sum(values) / len(values) for values in zip(*likely, strict=True)]
