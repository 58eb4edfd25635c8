"""What an attacker can hope for in a position, before any search: the moves worth one, the plans.

An attacker wants to own a set whole; the defender wins by a set of its own, and holds by anything
else than the attacker's win. Why each cut is sound:

- Dead sets: a set with a defender's mark never counts again; a set that lacks more squares than the
  attacker has moves left doesn't either.
- Sets within sets: who owns four of five in a row owns the first four of them as well, so of two
  sets that lack squares, one of them the other's and one more, only the smaller counts.
- Pairs: of two squares that lie in the same set and in no other, the defender always gets one, so
  the set is dead.
- The Erdős-Selfridge potential: with the attacker to move, sets that each lack e squares and sum
  2^-e below 1/2 can all be blocked (P. Erdős, J. Selfridge, *On a combinatorial game*, 1973). The
  defender's own wins and threats only help the defender, so the bound holds here as well. One move
  ahead: a move after which one reply pushes the sum below 1/2 need not be tried.
- Zones: a plan that wins names the squares that it depends on, so that only replies on those (and
  those from which the defender could build a threat of its own in time) need to be tried.
"""

from core.engine.geometry import Geometry, split
from core.engine.parts import ONE, Parts, unpaired, weighed
from core.engine.plans import FOREVER, Plan

_HALF = ONE >> 1


class Prospects:
    """The prospects on one board."""

    def __init__(self, geometry: Geometry):
        self.geometry = geometry
        self._parts = Parts()
        self._longest = max(mask.bit_count() for mask in geometry.sets)

    def hopes(self, attacker: int, defender: int) -> int:
        """Return the Erdős-Selfridge sum of all that the attacker could own, in units of 1/ONE."""
        lacking = self._lacking(attacker, self.geometry.alive(defender), FOREVER)
        return sum(self._parts[mask].weight for mask in lacking)

    def attacks(
        self, attacker: int, defender: int, alive: list[int], moves: int = FOREVER
    ) -> dict[int, int]:
        """Return the attacker's moves that are worth a search, with their weights, most first."""
        minimal = self._lacking(attacker, alive, moves)
        parts = [self._parts[mask] for mask in unpaired(minimal)]
        total = sum(weight for weight, _, _ in parts)
        if total < _HALF:
            return {}
        weights = _sorted(weighed(parts))
        best, second = (*weights.values(), 0)[:2]
        if total + best - second < _HALF:
            return {}
        least = _HALF + best - total
        if least > 0:
            heavy = {bit: w for bit, w in weights.items() if w >= least or w == best}
            # One of a pair makes its set weigh twice as much; where two squares are lacking it is a
            # threat, which has to be answered before anything else.
            enough = min(least, _HALF)
            pairs = [mask for mask in minimal if 2 * self._parts[mask].weight >= enough]
            others = self._exchanges(attacker, defender, pairs, moves)
        else:
            heavy = weights
            # Squares without a set of the attacker's can still be in the way of the defender's.
            others = split(self.geometry.full & ~(attacker | defender))
        return heavy | {bit: 0 for bit in others if bit not in weights}

    def _exchanges(self, attacker: int, defender: int, pairs: list[int], moves: int) -> list[int]:
        """Return the squares of sets with pairs on which a mark is in the way of the defender.

        Of a pair, the defender has to take the other one: that gains the attacker no set, but it is
        its turn again. What the defender can't come to threaten in time needs nothing in its way.
        """
        lacking = threatening = 0
        for mask in pairs:
            lacking |= mask
        for mask in self.geometry.sets:
            if not mask & attacker and (mask & ~defender).bit_count() < moves:
                threatening |= mask
        return split(lacking & threatening)

    def replies(
        self, attacker: int, alive: list[int], moves: int = FOREVER
    ) -> dict[int, int] | None:
        """Return the weight of each square for the defender to move, most first.

        None if one reply is enough to hold for ever. Other squares weigh nothing.
        """
        parts = [self._parts[mask] for mask in self._lacking(attacker, alive, moves)]
        total = sum(weight for weight, _, _ in parts)
        if total < _HALF:
            return None
        weights = _sorted(weighed(parts))
        return None if total - next(iter(weights.values())) < _HALF else weights

    def refuting(self, attacker: int, defender: int, plan: Plan) -> int:
        """Return the free squares on which the defender could spoil a plan by moving first."""
        free = self.geometry.full & ~(attacker | defender)
        return (plan.zone | self._meddling(attacker, defender, plan)) & free

    def _lacking(self, attacker: int, alive: list[int], moves: int) -> list[int]:
        """Return what the attacker's sets lack that can be owned in time, smallest ones alone."""
        free = ~attacker
        if moves >= self._longest:
            return self._parts.minimal([mask & free for mask in alive])
        lacking = [m for mask in alive if (m := mask & free).bit_count() <= moves]
        return self._parts.minimal(lacking)

    def _meddling(self, attacker: int, defender: int, plan: Plan) -> int:
        """Return the squares from which the defender could come to threaten something in time.

        One mark more than the plan reckons with can complete a threat together with the answers in
        the plan and with one further mark for each quiet move of it.
        """
        found, marks = 0, defender | plan.answers
        spare = 2 + plan.quiet
        for mask in self.geometry.sets:
            if not mask & attacker and (mask & ~marks).bit_count() <= spare:
                found |= mask
        return found


def _sorted(weights: dict[int, int]) -> dict[int, int]:
    bits = sorted(weights, key=weights.__getitem__, reverse=True)
    return {bit: weights[bit] for bit in bits}
