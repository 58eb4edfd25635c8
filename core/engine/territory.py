"""Games in which any number of seats take squares from each other, and most squares win.

Nobody knows who is a person, and a seat is looked at only by what it owns: the computer's seats
have no common cause. Below the paranoid search everybody is expected to want most for themselves:
max^n (C. Luckhardt and K. Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986), where
most means squares, and of moves that take as many one is as likely as another.
"""

from collections.abc import Sequence

from core.engine.analysis import Findings
from core.engine.paranoid import Paranoid, bits_of
from core.engine.standing import chances, standings
from core.views import Territory, TerritoryRules, TerritoryView

# How many positions one move of the best level may meet, and how many fewer for each square of the
# board, since each takes longer on a larger one: some 50 ms on all of them.
_NODES, _FEWER = 4_000, 9
# How much of their worth choices have two plies ahead: less is weaker, so that best beats it more.
_CHOICE = 0.25


class TerritorySearch:
    """All levels on boards on which squares are taken."""

    def glance(self, view: TerritoryView, plies: int, *, eager: bool = False) -> list[int]:
        """Return the moves that take most, or if `eager` those that leave the mover best.

        Who sees one ply only runs into danger: of the moves that take most it makes the worst.
        """
        mover = view.state.mover or 0
        if eager:
            return _largest([at[mover] for at in _after_replies(view)])
        after = [view.rules.after(view.state, bit) for bit in bits_of(view.state.targets)]
        most = _largest([state.owned[mover].bit_count() for state in after])
        if plies > 1 or len(most) == 1:
            return most
        worst = _largest([-_replied(view.rules, after[number])[mover] for number in most])
        return [most[number] for number in worst]

    def best(self, view: TerritoryView) -> Findings:
        """Return the move that is best when everybody plays against the mover: an estimate."""
        nodes = _NODES - _FEWER * view.rules.open.bit_count()
        return Findings([Paranoid(view, nodes).best()], None)

    def outlook(self, view: TerritoryView, move: int) -> tuple[float, ...]:
        """Return how each seat stands, from 0 to 1, after the move of that number."""
        return chances(_after_replies(view)[move])


def _after_replies(view: TerritoryView) -> list[Sequence[float]]:
    """Return how all seats stand after each move and the replies to it that take most."""
    after = (view.rules.after(view.state, bit) for bit in bits_of(view.state.targets))
    return [_replied(view.rules, state) for state in after]


def _replied(rules: TerritoryRules, state: Territory) -> Sequence[float]:
    """Return how all seats stand, on the average, after what the mover is likely to do."""
    mover = state.mover
    if mover is None:
        return standings(rules, state)
    after = [rules.after(state, bit) for bit in bits_of(state.targets)]
    most = _largest([child.owned[mover].bit_count() for child in after])
    likely = [standings(rules, after[number], _CHOICE) for number in most]
    return [sum(values) / len(values) for values in zip(*likely, strict=True)]


def _largest(values: Sequence[float]) -> list[int]:
    best = max(values)
    return [number for number, value in enumerate(values) if value == best]
