"""Can the seat to move force a set in so many moves? Exact search, one attacker, one defender.

Both sides win by owning a set whole. The attacker is asked for a win, the defender for anything
else, so a position is a yes or a no, and a draw is a no to both sides.

Threats come first: a set that lacks one square forces the reply (win in one, forced block). What
else is tried, and what need not be, `core.engine.prospects` says. A table keeps what has been
proved and refuted, by symmetry while there are few marks.
"""

from core.engine.geometry import Geometry
from core.engine.plans import FOREVER, NO_PLAN, Plan, completion, fork
from core.engine.prospects import Prospects
from core.engine.table import Table
from core.engine.threats import ThreatSearch

# With so few moves left a pass is tried first: most quiet moves threaten nothing, and fall to it.
_PASS_UP_TO = 3
# With so many it pays to know whether the defender wins by threats. Without a limit it doesn't:
# hardly a set is left where that is asked, and threats are rare.
_DEEP = range(_PASS_UP_TO + 1, FOREVER // 2)
_MIRRORED_UP_TO_MARKS = 9
_TABLE_SIZE = 400_000


class OutOfNodes(Exception):
    """The search met more positions than its budget allows."""


class Attack:
    """The search over one board, with its table; `limit` bounds `nodes`."""

    def __init__(self, geometry: Geometry):
        self.nodes = 0
        self.limit = 0
        self.prospects = Prospects(geometry)
        self._geometry = geometry
        self._mirrors = geometry.mirrors
        self._threats = ThreatSearch(self.prospects)
        self._proved: Table[tuple[int, int], tuple[int, Plan]] = Table(_TABLE_SIZE)
        self._refuted: Table[int | tuple[int, int], int] = Table(_TABLE_SIZE)

    def wins(self, attacker: int, defender: int, moves: int = FOREVER) -> Plan | None:
        """Return why the attacker, to move, owns a set after at most `moves` of its own moves.

        None where it can't force that. Raises OutOfNodes.
        """
        if moves < 1:
            return None
        now = self._geometry.completing(attacker, defender)
        if now:
            return completion(now)
        threats = self._geometry.completing(defender, attacker)
        alive = self._geometry.alive(defender)
        return self._search(attacker, defender, alive, threats, moves)

    def wins_with(self, attacker: int, defender: int, bit: int, moves: int) -> bool:
        """Return whether the attacker can do so by a mark on `bit`; raise OutOfNodes."""
        now = self._geometry.completing(attacker, defender)
        threats = self._geometry.completing(defender, attacker)
        if now or threats & ~bit or moves < 2:
            return bool(now & bit)
        alive = self._geometry.alive(defender)
        return self._put(attacker, defender, alive, bit, moves) is not None

    def _search(
        self, attacker: int, defender: int, alive: list[int], threats: int, moves: int
    ) -> Plan | None:
        """Search with the attacker to move, who can't win at once; `threats` are the defender's."""
        self.nodes += 1
        if self.nodes > self.limit:
            raise OutOfNodes
        if moves < 2 or threats & (threats - 1):
            return None
        if threats:
            return self._put(attacker, defender, alive, threats, moves)
        promising = self.prospects.attacks(attacker, defender, alive, moves)
        if not promising:
            return None
        key = (attacker, defender)
        proved = self._proved.get(key)
        if proved is not None and proved[0] <= moves:
            return proved[1]
        few = (attacker | defender).bit_count() <= _MIRRORED_UP_TO_MARKS
        mirrored = self._mirrors.canonical(attacker, defender) if few else key
        if self._refuted.get(mirrored, 0) >= moves:
            return None
        deep = moves in _DEEP
        useful = self._threats.spoiling(attacker, defender) if deep else self._geometry.full
        for bit in [bit for bit in promising if bit & useful]:
            plan = self._put(attacker, defender, alive, bit, moves)
            if plan is not None:
                self._proved.keep(key, (moves, plan))
                return plan
        self._refuted.keep(mirrored, moves)
        return None

    def _put(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> Plan | None:
        """Put the attacker's mark on `bit`, and let the defender answer."""
        attacker |= bit
        threats = self._geometry.threats(bit, attacker, defender)
        if threats & (threats - 1):
            return fork(bit, threats)
        if not threats:
            return self._put_quietly(attacker, defender, alive, bit, moves - 1)
        plan = self._reply(attacker, defender, alive, threats, moves - 1)
        return plan and plan.after(bit, threats)

    def _put_quietly(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> Plan | None:
        """Try every reply that could matter after the attacker's `bit`, which threatens nothing."""
        if moves < 2:
            return None
        weights = self.prospects.replies(attacker, alive, moves)
        if weights is None:
            return None
        found, untried = NO_PLAN, self._geometry.full & ~(attacker | defender)
        if moves in _DEEP and self._threats.wins(defender, attacker) is not None:
            return None
        if moves <= _PASS_UP_TO:
            passing = self._search(attacker, defender, alive, 0, moves)
            if passing is None:
                return None
            found = passing
            untried &= self.prospects.refuting(attacker, defender, passing)
        while untried:
            reply = next((bit for bit in weights if bit & untried), untried & -untried)
            plan = self._reply(attacker, defender, alive, reply, moves)
            if plan is None:
                return None
            found = found.against(reply, plan)
            # Where the same plan works without this reply, it answers all replies outside of it.
            untried &= self.prospects.refuting(attacker, defender | reply, plan) & ~reply
        return found.quietly(bit)

    def _reply(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> Plan | None:
        """Put the defender's mark on `bit`, and search on."""
        defender |= bit
        alive = [mask for mask in alive if not mask & bit]
        if not alive:
            return None
        threats = self._geometry.threats(bit, defender, attacker)
        return self._search(attacker, defender, alive, threats, moves)
