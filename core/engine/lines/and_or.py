"""Depth-limited AND/OR search: whether a set can be forced within a number of moves.

Either side wins by owning a set whole. The search asks whether one side, the attacker, can force a
set; the defender is content with anything else. So a position is won or not, and it is drawn if
neither side can force a set.

A set that lacks one square forces the reply. `core.engine.lines.bounds` tells which other moves
have to be searched, `core.engine.lines.zones` which replies. The transposition table holds what has
been proved and refuted, symmetric positions together as long as there are few marks.
"""

from collections.abc import Iterable

from core.engine.lines.bounds import Bounds
from core.engine.lines.threats import ThreatSearch
from core.engine.lines.zones import UNANSWERED, UNLIMITED, ForcedWin, completion, fork, must_play
from core.engine.search import OutOfNodes, TranspositionTable
from core.engine.stop import NEVER, Stop

# Up to this number of moves left the defender's null move is tried first: most quiet moves threaten
# nothing, and are refuted by it.
_NULL_MOVE_UP_TO_MOVES = 3
# With these numbers of moves left the defender's own threats are searched. In a search without a
# limit they aren't: few sets are left then, and threats are rare.
_DEFENDERS_THREATS_AT_MOVES = range(_NULL_MOVE_UP_TO_MOVES + 1, UNLIMITED // 2)
_SYMMETRY_UP_TO_MARKS = 9
_TABLE_SIZE = 400_000


class AndOrSearch:
    """The search over one board, with its transposition tables.

    `nodes` counts the positions met. Each public method takes the number that it may meet, and
    raises OutOfNodes beyond it.
    """

    def __init__(self, bounds: Bounds, stop: Stop = NEVER):
        self._stop = stop
        self.nodes = 0
        self._limit = 0
        self._bounds = bounds
        self._geometry = bounds.geometry
        self._canonical = bounds.geometry.symmetry.canonical
        self._threats = ThreatSearch(bounds.geometry, stop)
        self._proved = TranspositionTable[tuple[int, int], tuple[int, ForcedWin]](_TABLE_SIZE)
        self._refuted = TranspositionTable[int | tuple[int, int], int](_TABLE_SIZE)

    def wins(
        self, attacker: int, defender: int, moves: int = UNLIMITED, *, nodes: int
    ) -> ForcedWin | None:
        """Return how the attacker, to move, forces a set by its `moves`-th move at the latest.

        Return None if it can't.
        """
        self._limit = self.nodes + nodes
        if moves < 1:
            return None
        now = self._geometry.completing(attacker, defender)
        if now:
            return completion(now)
        threats = self._geometry.completing(defender, attacker)
        alive = self._geometry.alive(defender)
        return self._search(attacker, defender, alive, threats, moves)

    def move_wins(self, attacker: int, defender: int, bit: int, moves: int, *, nodes: int) -> bool:
        """Return whether a mark on `bit` forces a set by the `moves`-th move, itself counted."""
        self._limit = self.nodes + nodes
        now = self._geometry.completing(attacker, defender)
        threats = self._geometry.completing(defender, attacker)
        if now or threats & ~bit or moves < 2:
            return bool(now & bit)
        alive = self._geometry.alive(defender)
        return self._attack(attacker, defender, alive, bit, moves) is not None

    def _search(
        self, attacker: int, defender: int, alive: list[int], threats: int, moves: int
    ) -> ForcedWin | None:
        """Search an OR node, in which the attacker is to move and can't complete a set at once.

        `alive` are the attacker's sets without a defender's mark, `threats` the squares on which
        the defender would complete one of its own.
        """
        self.nodes += 1
        if self.nodes > self._limit or self._stop.wanted:
            raise OutOfNodes
        if moves < 2 or threats & (threats - 1):
            return None
        if threats:
            return self._attack(attacker, defender, alive, threats, moves)
        candidates = self._bounds.attacks(attacker, defender, alive, moves)
        if not candidates:
            return None
        key = (attacker, defender)
        proved = self._proved.get(key)
        if proved is not None and proved[0] <= moves:
            return proved[1]
        few = (attacker | defender).bit_count() <= _SYMMETRY_UP_TO_MARKS
        symmetric = self._canonical(attacker, defender) if few else key
        if self._refuted.get(symmetric, 0) >= moves:
            return None
        win = self._attack_on(candidates, attacker, defender, alive, moves)
        if win is None:
            self._refuted.store(symmetric, moves)
        else:
            self._proved.store(key, (moves, win))
        return win

    def _attack_on(
        self, candidates: Iterable[int], attacker: int, defender: int, alive: list[int], moves: int
    ) -> ForcedWin | None:
        """Search the attacker's marks on `candidates`, until one wins."""
        threatened = moves in _DEFENDERS_THREATS_AT_MOVES
        useful = self._threats.defences(attacker, defender) if threatened else self._geometry.full
        # Every attack looks at all of its sets: leave out those that can't be completed in time.
        near = [mask for mask in alive if (mask & ~attacker).bit_count() <= moves]
        for bit in candidates:
            if bit & useful:
                win = self._attack(attacker, defender, near, bit, moves)
                if win is not None:
                    return win
        return None

    def _attack(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> ForcedWin | None:
        """Search the attacker's mark on `bit`.

        `alive` may lack sets that can't be completed within `moves` moves.
        """
        attacker |= bit
        threats = self._geometry.threats(bit, attacker, defender)
        if threats & (threats - 1):
            return fork(bit, threats)
        if not threats:
            return self._attack_quietly(attacker, defender, alive, bit, moves - 1)
        win = self._reply(attacker, defender, alive, threats, moves - 1)
        return win and win.after_threat(bit, threats)

    def _attack_quietly(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> ForcedWin | None:
        """Search the AND node after the attacker's quiet move on `bit`: every reply that matters.

        `moves` is the number of moves that the attacker has left.
        """
        if moves < 2:
            return None
        weights = self._bounds.replies(attacker, alive, moves)
        if weights is None:
            return None
        found, untried = UNANSWERED, self._geometry.full & ~(attacker | defender)
        if (
            moves in _DEFENDERS_THREATS_AT_MOVES
            and self._threats.wins(defender, attacker) is not None
        ):
            return None
        if moves <= _NULL_MOVE_UP_TO_MOVES:
            unopposed = self._search(attacker, defender, alive, 0, moves)
            if unopposed is None:
                return None
            found = unopposed
            untried &= must_play(self._geometry, attacker, defender, unopposed)
        while untried:
            reply = next((bit for bit in weights if bit & untried), untried & -untried)
            win = self._reply(attacker, defender, alive, reply, moves)
            if win is None:
                return None
            found = found.against(reply, win)
            # The same win answers every reply that can't refute it.
            untried &= must_play(self._geometry, attacker, defender | reply, win) & ~reply
        return found.after_quiet_move(bit)

    def _reply(
        self, attacker: int, defender: int, alive: list[int], bit: int, moves: int
    ) -> ForcedWin | None:
        """Search the defender's mark on `bit`."""
        defender |= bit
        alive = [mask for mask in alive if not mask & bit]
        if not alive:
            return None
        threats = self._geometry.threats(bit, defender, attacker)
        return self._search(attacker, defender, alive, threats, moves)
