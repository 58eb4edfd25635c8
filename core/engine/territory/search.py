"""Territory games: the moves of each level.

A search knows what each seat owns, but not which seats are people: the computer's seats have no
common cause.
"""

from core.engine.bitboards import split
from core.engine.levels import Greed
from core.engine.search import Findings
from core.engine.stop import NEVER, Stop
from core.engine.territory.evaluation import chances
from core.engine.territory.max_n import expected_leads, greedy, own_leads, two_ply
from core.engine.territory.paranoid import Paranoid
from core.views import TerritoryView

# How many nodes a move of the best level may meet, and how many fewer for each square of the board,
# since a node costs more on a larger one: some 45 ms on all of them.
_NODES, _FEWER_NODES_PER_SQUARE = 3_200, 8


class TerritorySearch:
    """The search of all boards on which squares are taken."""

    def __init__(self, stop: Stop = NEVER):
        self._stop = stop

    def quick_moves(self, view: TerritoryView, greed: Greed) -> list[int]:
        """Return the indices of the moves that are equally good to somebody who chooses like this.

        If all moves take most, all are careless.
        """
        rules, state = view.rules, view.state
        bits = split(state.targets)
        if greed is Greed.WARY:
            return [bits.index(bit) for bit in two_ply(rules, state, rules.after)]
        chosen = greedy(rules, state)
        if greed is Greed.RASH and len(chosen) > 1:
            chosen = _worst(view, chosen)
        elif greed is Greed.CARELESS:
            chosen = [bit for bit in bits if bit not in chosen] or chosen
        return [bits.index(bit) for bit in chosen]

    def best(self, view: TerritoryView) -> Findings:
        """Return the best move by paranoid search, an estimate."""
        nodes = _NODES - _FEWER_NODES_PER_SQUARE * view.rules.open.bit_count()
        return Findings([Paranoid(view, nodes, self._stop).best()], None)

    def outlook(self, view: TerritoryView, move: int) -> tuple[float, ...]:
        """Return the outlook of each seat, from 0 to 1, after the move of that index."""
        rules = view.rules
        bit = split(view.state.targets)[move]
        return chances(expected_leads(rules, rules.after(view.state, bit), rules.after))


def _worst(view: TerritoryView, among: list[int]) -> list[int]:
    """Return those of `among` that leave the mover worst off once the next seat has moved."""
    mine = own_leads(view.rules, view.state, among, view.rules.after)
    worst = min(mine.values())
    return [bit for bit in among if mine[bit] == worst]
