"""Games in which any number of seats take squares from each other, and most squares win.

Nobody knows who is a person, and a seat is looked at only by what it owns: the computer's seats
have no common cause. Below the paranoid search everybody is expected to want most for themselves:
max^n (C. Luckhardt and K. Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986).
"""

from collections.abc import Sequence

from core.engine.analysis import Findings
from core.engine.paranoid import Paranoid, bits_of
from core.engine.standing import chances, standings
from core.views import Territory, TerritoryRules, TerritoryView

# The most positions that one move of the best level may meet: 25 to 100 ms, by the board's size.
NODES = 3_000
# How many plies who has an eye for good squares looks ahead.
_PLIES = 2


class TerritorySearch:
    """All levels on boards on which squares are taken; `nodes` bounds what the best one meets."""

    def __init__(self, nodes: int = NODES):
        self._nodes = nodes

    def glance(self, view: TerritoryView, plies: int, *, eager: bool = False) -> list[int]:
        """Return the moves that take most, or if `eager` those that leave the mover best."""
        if not eager:
            return _largest(_owned_after(view))
        mover = view.state.mover or 0
        return _largest([at[mover] for at in _after_replies(view)])

    def best(self, view: TerritoryView) -> Findings:
        """Return the move that is best when everybody plays against the mover: an estimate."""
        return Findings([Paranoid(view, self._nodes).best()], None)

    def outlook(self, view: TerritoryView, move: int) -> tuple[float, ...]:
        """Return how each seat stands, from 0 to 1, after the move of that number."""
        return chances(_after_replies(view)[move])


def _owned_after(view: TerritoryView) -> list[int]:
    """Return how many squares the mover owns after each move."""
    rules, state = view.rules, view.state
    mover = state.mover or 0
    return [rules.after(state, bit).owned[mover].bit_count() for bit in bits_of(state.targets)]


def _after_replies(view: TerritoryView) -> list[Sequence[float]]:
    """Return how all seats stand after each move and the best replies to it."""
    after = (view.rules.after(view.state, bit) for bit in bits_of(view.state.targets))
    return [_max_n(view.rules, state, _PLIES - 1) for state in after]


def _max_n(rules: TerritoryRules, state: Territory, depth: int) -> Sequence[float]:
    """Return how all seats stand when each mover wants most for itself, so many plies on."""
    mover = state.mover
    if depth == 0 or mover is None:
        return standings(rules, state)
    after = (rules.after(state, bit) for bit in bits_of(state.targets))
    return max((_max_n(rules, child, depth - 1) for child in after), key=lambda at: at[mover])


def _largest(values: Sequence[float]) -> list[int]:
    best = max(values)
    return [number for number, value in enumerate(values) if value == best]
