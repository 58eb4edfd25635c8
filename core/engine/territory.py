"""Games in which any number of seats take squares from each other, and most squares win.

Nobody knows who is a person, and a seat is looked at only by what it owns: the computer's seats
have no common cause. Below the best level everybody is expected to want most for themselves.
"""

from core.engine.analysis import Findings
from core.engine.geometry import split
from core.engine.paranoid import Paranoid
from core.engine.replies import after_replies, farsighted, greedy, replied
from core.engine.standing import chances
from core.views import TerritoryView

# How many positions one move of the best level may meet, and how many fewer for each square of the
# board, since each takes longer on a larger one: some 45 ms on all of them.
_NODES, _FEWER = 3_200, 8


class TerritorySearch:
    """All levels on boards on which squares are taken."""

    def glance(self, view: TerritoryView, plies: int, *, eager: bool = False) -> list[int]:
        """Return the moves that take most, or if `eager` those that leave the mover best.

        Who sees one ply only runs into danger: of the moves that take most it makes the worst. Who
        sees nothing makes any other move.
        """
        rules, state, bits = view.rules, view.state, split(view.state.targets)
        chosen = farsighted(rules, state, rules.after) if eager else greedy(rules, state)
        if plies == 1 and len(chosen) > 1:
            chosen = _worst(view, chosen)
        elif plies == 0:
            chosen = [bit for bit in bits if bit not in chosen] or chosen
        return [bits.index(bit) for bit in chosen]

    def best(self, view: TerritoryView) -> Findings:
        """Return the move that is best by the paranoid search: an estimate."""
        nodes = _NODES - _FEWER * view.rules.open.bit_count()
        return Findings([Paranoid(view, nodes).best()], None)

    def outlook(self, view: TerritoryView, move: int) -> tuple[float, ...]:
        """Return how each seat stands, from 0 to 1, after the move of that number."""
        rules, state = view.rules, view.state
        return chances(list(after_replies(rules, state, rules.after).values())[move])


def _worst(view: TerritoryView, among: list[int]) -> list[int]:
    """Return those of `among` that leave the mover worst, once the next has moved."""
    rules, state = view.rules, view.state
    assert state.mover is not None, "only asked while the game goes on"
    left = {bit: replied(rules, rules.after(state, bit), rules.after)[state.mover] for bit in among}
    worst = min(left.values())
    return [bit for bit in among if left[bit] == worst]
