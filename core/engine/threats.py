"""Can a set be forced by threats alone? Each move of the attacker leaves one reply.

Gomoku players call it victory by continuous fours (L. V. Allis, H. J. van den Herik, M. P. H.
Huntjens, *Go-Moku and threat-space search*, 1993). There are few such moves, so it is soon told,
and it tells much: who is to move and has one wins, and who moves quietly must be in the way of the
other's.
"""

from collections.abc import Iterable

from core.engine.plans import Plan, fork
from core.engine.prospects import Prospects
from core.engine.table import Table

_TABLE_SIZE = 100_000


class ThreatSearch:
    """The search over one board, with the answers that it has given."""

    def __init__(self, prospects: Prospects):
        self._prospects = prospects
        self._geometry = prospects.geometry
        self._told: Table[tuple[int, int], Plan | None] = Table(_TABLE_SIZE)

    def wins(self, attacker: int, defender: int, blocks: int = 0) -> Plan | None:
        """Return how the attacker, to move, owns a set by threats alone; None where it can't.

        Nobody may be able to complete a set at once, but the defender on the squares of `blocks`.
        """
        pairs = lacking_two(attacker, self._geometry.alive(defender))
        return self._search(attacker, defender, pairs, blocks)

    def spoiling(self, mine: int, theirs: int) -> int:
        """Return the free squares that a quiet move of `mine` must be on not to lose to threats.

        Nobody may be able to complete a set at once.
        """
        plan = self.wins(theirs, mine)
        if plan is None:
            return self._geometry.full & ~(mine | theirs)
        return self._prospects.refuting(theirs, mine, plan)

    def _search(self, attacker: int, defender: int, pairs: list[int], blocks: int) -> Plan | None:
        """Search where `pairs` are what the attacker's sets lack that lack two squares."""
        key = (attacker, defender)
        if key in self._told:
            return self._told[key]
        return self._told.keep(key, self._find(attacker, defender, pairs, blocks))

    def _find(self, attacker: int, defender: int, pairs: list[int], blocks: int) -> Plan | None:
        forced = forcing(pairs)
        if blocks:
            forced = {blocks: forced[blocks]} if blocks in forced else {}
        for bit, threats in forced.items():
            if threats & (threats - 1):
                return fork(bit, threats)
        for bit, threat in forced.items():
            left = [pair for pair in pairs if not pair & (bit | threat)]
            plan = self._after(attacker | bit, defender | threat, left, bit, threat)
            if plan is not None:
                return plan.after(bit, threat)
        return None

    def _after(
        self, attacker: int, defender: int, pairs: list[int], bit: int, reply: int
    ) -> Plan | None:
        """Search on after a mark on `bit` and the reply; `pairs` are those with neither."""
        blocks = self._geometry.threats(reply, defender, attacker)
        if blocks & (blocks - 1):
            return None
        through = [mask for mask in self._geometry.through[bit] if not mask & defender]
        pairs = pairs + lacking_two(attacker, through)
        return self._search(attacker, defender, pairs, blocks)


def lacking_two(attacker: int, alive: Iterable[int]) -> list[int]:
    """Return the two squares that each of the `alive` sets lacks that lacks two."""
    free = ~attacker
    return [pair for mask in alive if (pair := mask & free).bit_count() == 2]


def forcing(pairs: list[int]) -> dict[int, int]:
    """Return on which squares the defender must answer, by the attacker's move."""
    forced: dict[int, int] = {}
    for pair in pairs:
        one = pair & -pair
        other = pair ^ one
        forced[one] = forced.get(one, 0) | other
        forced[other] = forced.get(other, 0) | one
    return forced
