"""Victory by continuous fours: wins in which every move threatens to complete a set.

It is the search of `core.engine.lines.threats` on sums of patterns, which show the threats of a
position without looking at its sets. That makes it cheap enough for the leaves of another search.
"""

from typing import NamedTuple

from core.engine.lines.patterns import FIELD_BITS, PatternPosition
from core.engine.lines.zones import ForcedWin, fork
from core.engine.search import TranspositionTable

_FIELD = (1 << FIELD_BITS) - 1
_TABLE_SIZE = 60_000
_FOREVER = 1 << 60


class Fours(NamedTuple):
    """A win by continuous fours, and the plies that it takes against the longest defence."""

    plies: int
    win: ForcedWin


class FourSearch:
    """The search from the positions that a `PatternPosition` passes through.

    `nodes` counts the positions met. Callers pass `total`, the sum of patterns, and `marks`: the
    first side's bitboard, and above it the second side's. Both are those of the position as it
    stands.
    """

    def __init__(self, position: PatternPosition):
        self.nodes = 0
        self._position = position
        self._patterns = position.patterns
        self._wins: TranspositionTable[int, Fours] = TranspositionTable(_TABLE_SIZE)
        self._failed: TranspositionTable[int, int] = TranspositionTable(_TABLE_SIZE)
        self._limit = 0
        self._cut = False

    def win(self, total: int, marks: int, side: int, nodes: int) -> Fours | None:
        """Return how `side`, to move, wins by continuous fours, None if it can't.

        Also return None if that takes more than `nodes` nodes to find. `side` must not be able to
        complete a set at once.
        """
        key = marks << 1 | side
        if self._failed.get(key, 0) >= nodes:
            return None
        self._limit = self.nodes + nodes
        self._cut = False
        found = self._search(total, marks, side)
        if found is None and self._cut:
            self._failed.store(key, nodes)
        return found

    def _search(self, total: int, marks: int, side: int) -> Fours | None:
        """Return a win by continuous fours, None if none is found; set `_cut` if nodes ran out."""
        key = marks << 1 | side
        found = self._wins.get(key)
        if found is not None:
            return found
        if self._failed.get(key, 0) == _FOREVER:
            return None
        if self.nodes >= self._limit:
            self._cut = True
            return None
        self.nodes += 1
        for square in self._threats(total, side):
            found = self._after(total, marks, side, square)
            if found is not None:
                return self._wins.store(key, found)
            if self._cut:
                return None
        self._failed.store(key, _FOREVER)
        return None

    def _threats(self, total: int, side: int) -> list[int]:
        """Return the squares on which a mark threatens to complete a set, the strongest first."""
        patterns = self._patterns
        fours = total & patterns.fours[side]
        if not fours:
            return []
        blocks = total & patterns.fives[1 - side]
        if blocks:
            square = (blocks.bit_length() - 1) // FIELD_BITS
            several = blocks & patterns.below[square]
            useful = not several and fours >> FIELD_BITS * square & _FIELD
            return [square] if useful else []
        threats = patterns.squares_of(fours)
        doubles = fours & patterns.doubles[side]
        if doubles:
            threats.sort(key=lambda square: not doubles >> FIELD_BITS * square & _FIELD)
        return threats

    def _after(self, total: int, marks: int, side: int, square: int) -> Fours | None:
        """Search on after a threat on `square`."""
        position = self._position
        patterns = self._patterns
        after = position.play(total, square, side)
        completing = after & patterns.fives[side]
        reply = (completing.bit_length() - 1) // FIELD_BITS
        bit, answer = 1 << square, 1 << reply
        found: Fours | None
        if completing & patterns.below[reply]:
            squares = sum(1 << each for each in patterns.squares_of(completing))
            found = Fours(3, fork(bit, squares))
        else:
            shift = patterns.squares
            marks |= bit << shift | answer if side else bit | answer << shift
            key = marks << 1 | side
            found = self._wins.get(key)
            if found is None and self._failed.get(key, 0) != _FOREVER:
                answered = position.play(after, reply, 1 - side)
                found = self._search(answered, marks, side)
                position.undo(reply, 1 - side)
            if found is not None:
                found = Fours(found.plies + 2, found.win.after_threat(bit, answer))
        position.undo(square, side)
        return found
