"""One and two plies of max^n in territory games: the likely moves of any seat.

Every seat wants most for itself (C. Luckhardt and K. Irani, *An Algorithmic Solution of N-Person
Games*, AAAI 1986). A seat that looks one ply ahead takes the most squares; moves that take equally
many are equally likely. A seat that looks two plies ahead expects the next mover to look one ply
ahead.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from core.engine.bitboards import split
from core.engine.territory.evaluation import leads
from core.views import Territory, TerritoryRules

After: TypeAlias = Callable[[Territory, int], Territory]
"""Makes a move on a bit, one of the state's targets."""

# The share of its full weight with which mobility counts two plies ahead. The smaller the share,
# the worse the play, so the best level beats it more often.
_MOBILITY = 0.25


def greedy(rules: TerritoryRules, state: Territory) -> list[int]:
    """Return the targets on which the mover takes the most squares, as bits."""
    assert state.mover is not None, "only asked while the game goes on"
    found, most = [0], 0
    for bit in split(state.targets):
        gain = rules.taken(state.owned, state.mover, bit).bit_count()
        if gain > most:
            found, most = [bit], gain
        elif gain == most:
            found.append(bit)
    return found


def two_ply(rules: TerritoryRules, state: Territory, after: After) -> list[int]:
    """Return the targets after which the mover leads most once the next seat has moved, as bits."""
    mine = own_leads(rules, state, split(state.targets), after)
    best = max(mine.values())
    return [bit for bit, lead in mine.items() if lead == best]


def own_leads(
    rules: TerritoryRules, state: Territory, bits: Iterable[int], after: After
) -> dict[int, float]:
    """Return the mover's expected lead after each of `bits`, which are targets, and a reply."""
    mover = state.mover
    assert mover is not None, "only asked while the game goes on"
    return {bit: expected_leads(rules, after(state, bit), after)[mover] for bit in bits}


def expected_leads(rules: TerritoryRules, state: Territory, after: After) -> Sequence[float]:
    """Return each seat's mean lead after the greedy moves of the mover."""
    if state.mover is None:
        return leads(rules, state)
    likely = [leads(rules, after(state, bit), _MOBILITY) for bit in greedy(rules, state)]
    return [sum(values) / len(values) for values in zip(*likely, strict=True)]
