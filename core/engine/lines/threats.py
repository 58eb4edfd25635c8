"""Threat-space search: whether a set can be forced by threats alone.

Each move of the attacker threatens to complete a set and so leaves one reply (L. V. Allis, H. J.
van den Herik and M. P. H. Huntjens, *Go-Moku and Threat-Space Search*, 1993; Gomoku players call it
victory by continuous fours). Such moves are few, so the search is cheap, and its answer prunes
much: with such a win the side to move has won, and a quiet move must defend against the other
side's win.
"""

from collections.abc import Iterable

from core.engine.lines.geometry import Geometry
from core.engine.lines.zones import ForcedWin, fork, must_play
from core.engine.stop import NEVER, Stop

MOST_NODES = 50_000
"""The most positions that one search meets: half a second, three times what moves have taken.

A threat and its reply fill two squares, in either way or not at all, so each such pair triples the
number of positions: with a dozen there may be half a million.
"""


class ThreatSearch:
    """The search over one board, with the positions it has searched. `nodes` counts them.

    After `MOST_NODES` positions, or a `stop`, it finds no more wins; other searches only lose a
    short cut then.
    """

    def __init__(self, geometry: Geometry, stop: Stop = NEVER):
        self._stop = stop
        self.nodes = 0
        self._geometry = geometry
        self._table: dict[tuple[int, int], ForcedWin | None] = {}

    def wins(self, attacker: int, defender: int, blocks: int = 0) -> ForcedWin | None:
        """Return how the attacker, to move, forces a set by threats alone, None if none is found.

        `blocks` are the squares on which the defender threatens to complete a set. The attacker
        must not be able to complete one at once.
        """
        pairs = lacking_two(attacker, self._geometry.alive(defender))
        return self._search(attacker, defender, pairs, blocks)

    def defences(self, mine: int, theirs: int) -> int:
        """Return the free squares on which a quiet move of `mine` may hold; others lose to threats.

        They are all free squares if the other side has no win by threats alone that is found.
        Neither side must be able to complete a set at once.
        """
        win = self.wins(theirs, mine)
        if win is None:
            return self._geometry.full & ~(mine | theirs)
        return must_play(self._geometry, theirs, mine, win)

    def _search(
        self, attacker: int, defender: int, pairs: list[int], blocks: int
    ) -> ForcedWin | None:
        """Search a position; `pairs` is `lacking_two` of the attacker's sets."""
        key = (attacker, defender)
        if key not in self._table:
            if self.nodes >= MOST_NODES or self._stop.wanted:
                return None
            self.nodes += 1
            self._table[key] = self._expand(attacker, defender, pairs, blocks)
        return self._table[key]

    def _expand(
        self, attacker: int, defender: int, pairs: list[int], blocks: int
    ) -> ForcedWin | None:
        """Search a position that isn't in the table: a fork wins, other threats are searched on."""
        threats = forcing(pairs)
        if blocks:
            threats = {blocks: threats[blocks]} if blocks in threats else {}
        for bit, forced in threats.items():
            if forced & (forced - 1):
                return fork(bit, forced)
        for bit, reply in threats.items():
            mine, theirs = attacker | bit, defender | reply
            blocks = self._geometry.threats(reply, theirs, mine)
            if blocks & (blocks - 1):
                continue
            through = [mask for mask in self._geometry.through[bit] if not mask & theirs]
            left = [pair for pair in pairs if not pair & (bit | reply)]
            win = self._search(mine, theirs, left + lacking_two(mine, through), blocks)
            if win is not None:
                return win.after_threat(bit, reply)
        return None


def lacking_two(attacker: int, alive: Iterable[int]) -> list[int]:
    """Return the two squares lacking in each of the `alive` sets that lacks two."""
    free = ~attacker
    return [pair for mask in alive if (pair := mask & free).bit_count() == 2]


def forcing(pairs: list[int]) -> dict[int, int]:
    """Return the attacker's threats: the square of each, with the squares that it threatens."""
    threats: dict[int, int] = {}
    for pair in pairs:
        one = pair & -pair
        other = pair ^ one
        threats[one] = threats.get(one, 0) | other
        threats[other] = threats.get(other, 0) | one
    return threats
