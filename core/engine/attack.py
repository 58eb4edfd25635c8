"""Can the seat to move force a set? Exact search for one attacker against one defender.

Both sides win by owning a set whole. The attacker is asked for a win, the defender for anything
else, so a position is a yes or a no, and a draw is a no to both sides.

What makes it fast, and why each is sound:

- Threats first: a set that lacks one square forces the reply (win in one, forced block).
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
- Zones: a proof of a win names the squares that it depends on, so that only replies on those (and
  those from which the defender could build a threat of its own in time) need to be tried.
- A table of what has been proved and refuted, by symmetry while there are few marks.
"""

from typing import NamedTuple, TypeVar

from core.engine.geometry import Geometry, split
from core.engine.parts import ONE, Parts, unpaired, weighed

FOREVER = 1_000
"""More moves than any board has: a win however long it takes."""

_HALF = ONE >> 1
# With so few moves left a pass is tried first: most quiet moves threaten nothing, and fall to it.
_PASS_UP_TO = 3
_MIRRORED_UP_TO_MARKS = 9
_TABLE_SIZE = 400_000


K = TypeVar("K")
V = TypeVar("V")


class OutOfNodes(Exception):
    """The search met more positions than its budget allows."""


class Proof(NamedTuple):
    """A plan that forces a win: its first `move`, and the squares on which it depends.

    `zone` are all of them, `answers` those on which the defender may have put marks meanwhile, and
    `quiet` counts the moves of the plan that leave the defender free to move anywhere.
    """

    move: int
    zone: int
    answers: int
    quiet: int


class Attack:
    """The search over one board, with its table; `limit` bounds `nodes`."""

    def __init__(self, geometry: Geometry):
        self.nodes = 0
        self.limit = 0
        self._geometry = geometry
        self._through = geometry.through
        self._parts = Parts()
        self._proved: dict[tuple[int, int], tuple[int, Proof]] = {}
        self._refuted: dict[int | tuple[int, int], int] = {}

    def wins(self, attacker: int, defender: int, moves: int = FOREVER) -> Proof | None:
        """Return why the attacker, to move, owns a set after at most `moves` of its own moves.

        None where it can't force that. Raises OutOfNodes.
        """
        if moves < 1:
            return None
        now = self._geometry.completing(attacker, defender)
        if now:
            return Proof(now & -now, now & -now, 0, 0)
        threats = self._geometry.completing(defender, attacker)
        alive = [mask for mask in self._geometry.sets if not mask & defender]
        return self._search(attacker, defender, alive, threats, moves)

    def wins_with(self, attacker: int, defender: int, bit: int, moves: int) -> bool:
        """Return whether the attacker can do so by a mark on `bit`; raise OutOfNodes."""
        now = self._geometry.completing(attacker, defender)
        threats = self._geometry.completing(defender, attacker)
        if now or threats & ~bit or moves < 2:
            return bool(now & bit)
        alive = [mask for mask in self._geometry.sets if not mask & defender]
        return self._put(attacker, defender, alive, bit, moves) is not None

    def refuting(self, attacker: int, defender: int, proof: Proof) -> int:
        """Return the free squares on which the defender could spoil a plan by moving first."""
        free = self._geometry.full & ~(attacker | defender)
        return (proof.zone | self._meddling(attacker, defender, proof)) & free

    def _search(
        self, attacker: int, defender: int, alive: list[int], threats: int, moves: int
    ) -> Proof | None:
        """Search with the attacker to move, who can't win at once; `threats` are the defender's."""
        self.nodes += 1
        if self.nodes > self.limit:
            raise OutOfNodes
        if moves < 2 or threats & (threats - 1):
            return None
        if threats:
            return self._put(attacker, defender, alive, threats, moves)
        promising = self._promising(attacker, defender, alive, moves)
        if not promising:
            return None
        key = (attacker, defender)
        proved = self._proved.get(key)
        if proved is not None and proved[0] <= moves:
            return proved[1]
        few = (attacker | defender).bit_count() <= _MIRRORED_UP_TO_MARKS
        mirrored = self._geometry.canonical(attacker, defender) if few else key
        if self._refuted.get(mirrored, 0) >= moves:
            return None
        for bit in promising:
            proof = self._put(attacker, defender, alive, bit, moves)
            if proof is not None:
                _keep(self._proved, key, (moves, proof))
                return proof
        _keep(self._refuted, mirrored, moves)
        return None

    def _promising(self, attacker: int, defender: int, alive: list[int], moves: int) -> list[int]:
        """Return the attacker's moves that are worth a search, most weight first."""
        lacking = [m for mask in alive if (m := mask & ~attacker).bit_count() <= moves]
        parts = [self._parts[mask] for mask in unpaired(self._parts.minimal(lacking))]
        total = sum(weight for weight, _, _ in parts)
        if total < _HALF:
            return []
        weights = weighed(parts)
        bits = sorted(weights, key=weights.__getitem__, reverse=True)
        best, second = weights[bits[0]], weights[bits[1]]
        if total + best - second < _HALF:
            return []
        least = _HALF + best - total
        if least > 0:
            return [bit for bit in bits if weights[bit] >= least or weights[bit] == best]
        # Squares without a set of the attacker's can still be in the way of the defender's threats.
        elsewhere = self._geometry.full & ~(attacker | defender)
        return bits + [bit for bit in split(elsewhere) if bit not in weights]

    def _put(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> Proof | None:
        """Put the attacker's mark on `bit`, and let the defender answer."""
        attacker |= bit
        threats = self._threats(bit, attacker, defender)
        if threats & (threats - 1):
            two = (threats & -threats) | (rest := threats & (threats - 1)) & -rest
            return Proof(bit, bit | two, two, 0)
        if not threats:
            return self._put_quietly(attacker, defender, alive, bit, moves - 1)
        proof = self._reply(attacker, defender, alive, threats, moves - 1)
        if proof is None:
            return None
        return Proof(bit, proof.zone | bit | threats, proof.answers | threats, proof.quiet)

    def _put_quietly(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> Proof | None:
        """Try every reply that could matter after the attacker's `bit`, which threatens nothing."""
        if moves < 2:
            return None
        lacking = [m for mask in alive if (m := mask & ~attacker).bit_count() <= moves]
        parts = [self._parts[mask] for mask in self._parts.minimal(lacking)]
        total = sum(weight for weight, _, _ in parts)
        if total < _HALF:
            return None
        weights = weighed(parts)
        if total - max(weights.values()) < _HALF:
            return None
        zone = answers = quiet = 0
        untried = self._geometry.full & ~(attacker | defender)
        if moves <= _PASS_UP_TO:
            proof = self._search(attacker, defender, alive, 0, moves)
            if proof is None:
                return None
            _, zone, answers, quiet = proof
            untried &= self.refuting(attacker, defender, proof)
        order = sorted(weights, key=weights.__getitem__, reverse=True)
        tried = 0
        while untried:
            reply = next((bit for bit in order if bit & untried), untried & -untried)
            proof = self._reply(attacker, defender, alive, reply, moves)
            if proof is None:
                return None
            tried |= reply
            zone, answers, quiet = (
                zone | proof.zone,
                answers | proof.answers,
                max(quiet, proof.quiet),
            )
            # Where the same plan works without this reply, it answers all replies outside of it.
            untried &= self.refuting(attacker, defender | reply, proof) & ~tried
        return Proof(bit, zone | bit | tried, answers | tried, quiet + 1)

    def _reply(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> Proof | None:
        """Put the defender's mark on `bit`, and search on."""
        defender |= bit
        alive = [mask for mask in alive if not mask & bit]
        if not alive:
            return None
        threats = self._threats(bit, defender, attacker)
        return self._search(attacker, defender, alive, threats, moves)

    def _threats(self, bit: int, mine: int, theirs: int) -> int:
        """Return the squares on which sets through `bit`, of `mine`, lack one mark."""
        threats = 0
        for mask in self._through[bit]:
            if not mask & theirs:
                missing = mask & ~mine
                if not missing & (missing - 1):
                    threats |= missing
        return threats

    def _meddling(self, attacker: int, defender: int, proof: Proof) -> int:
        """Return the squares from which the defender could come to threaten something in time.

        One mark more than the plan reckons with can complete a threat together with the answers in
        the plan and with one further mark for each quiet move of it.
        """
        found, marks = 0, defender | proof.answers
        spare = 2 + proof.quiet
        for mask in self._geometry.sets:
            if not mask & attacker and (mask & ~marks).bit_count() <= spare:
                found |= mask
        return found


def _keep(table: dict[K, V], key: K, value: V) -> None:
    if len(table) >= _TABLE_SIZE:
        table.clear()
    table[key] = value
