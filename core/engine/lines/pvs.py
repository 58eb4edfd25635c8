"""Principal-variation search of line games that are too large to be solved.

Alpha-beta by iterative deepening: the first move of a position is searched with the whole window,
the others only until they are shown to be no better (T. A. Marsland and M. S. Campbell, *Parallel
search of strongly ordered game trees*, 1982). Patterns (`core.engine.lines.patterns`) give the
evaluation, the order of moves and the candidates; a win by continuous fours ends a line of play.
"""

from core.engine.lines.fours import FourSearch
from core.engine.lines.geometry import Geometry
from core.engine.lines.order import by_urgency
from core.engine.lines.patterns import FIELD_BITS, FOURS_MASK, PatternPosition
from core.engine.lines.zones import must_play
from core.engine.search import DECIDED, EXACT, WIN, OutOfNodes, TranspositionTable, kind_of, settles
from core.engine.stop import Stop

_TABLE_SIZE = 100_000
# An entry of the table: how deep it was searched, what kind of score it has, the score, the move.
_UNKNOWN = -1, EXACT, 0, -1
# The number of moves tried, by the remaining depth; the last is for all greater ones.
_WIDTHS = (0, 8, 10, 12, 14)
# Late-move reduction: moves from this one on are first searched a ply less deep, provided that at
# least this depth remains after them.
_REDUCED_FROM, _REDUCED_DEPTH = 4, 2
# How many positions a search for fours may meet in a leaf, and further up.
_LEAF_NODES, _INNER_NODES = 12, 60
# What the evaluation adds for being to move, and takes off for having to answer an open three.
_TEMPO, _PRESSED = 12, 40


class PrincipalVariationSearch:
    """The search over one board from one position, with its transposition table.

    Callers pass `total`, the sum of patterns, and `marks`: the first side's bitboard, and above it
    the second side's. `side`, 0 or 1, is to move, `ply` plies from the root. `eagerness` is how
    many times the open sets of the first side count, those of the second counting once.
    """

    def __init__(self, position: PatternPosition, geometry: Geometry, stop: Stop):
        self._stop = stop
        self.fours = FourSearch(position)
        self._nodes = 0
        self._limit = 0
        self.eagerness = 1
        self._position = position
        self._patterns = position.patterns
        self._geometry = geometry
        self._squares = position.patterns.squares
        self._table = TranspositionTable[int, tuple[int, int, int, int]](_TABLE_SIZE)

    @property
    def nodes(self) -> int:
        """The positions met so far, those of the searches for fours included."""
        return self._nodes + self.fours.nodes

    @property
    def exhausted(self) -> bool:
        """Whether the search has met as many positions as it may, or is to stop."""
        return self._nodes + self.fours.nodes >= self._limit or self._stop.wanted

    def allow(self, nodes: int) -> None:
        """Let the search meet `nodes` more positions before it raises OutOfNodes."""
        self._limit = self.nodes + nodes

    def score(
        self, total: int, marks: int, side: int, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Return the score for `side`, to move, `depth` plies ahead; exact between the bounds.

        Raises OutOfNodes, with the marks of the line of play still on the board.
        """
        if self.exhausted:
            raise OutOfNodes
        self._nodes += 1
        patterns = self._patterns
        other = 1 - side
        if total & patterns.fives[side]:
            return WIN - ply - 1
        blocks = total & patterns.fives[other]
        if blocks:
            square = (blocks.bit_length() - 1) // FIELD_BITS
            if blocks & patterns.below[square]:
                return ply + 2 - WIN
            return self.score_after(total, marks, side, square, depth, alpha, beta, ply)
        if total & patterns.fours[side]:
            nodes = _INNER_NODES if depth > 0 else _LEAF_NODES
            found = self.fours.win(total, marks, side, nodes)
            if found is not None:
                return WIN - ply - found.plies
        if depth <= 0:
            first, second = self._position.worth(total)
            balance = self.eagerness * first - second
            value = _TEMPO + (balance if side == 0 else -balance)
            return value - _PRESSED if total & patterns.doubles[other] else value
        return self._search(total, marks, side, depth, alpha, beta, ply)

    def _search(
        self, total: int, marks: int, side: int, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Return the score of a position in which nobody completes a set at once."""
        key = marks << 1 | side
        searched, kind, score, first = self._table.get(key, _UNKNOWN)
        if searched >= depth:
            score = _from_here(score, -ply)
            if settles(kind, score, alpha, beta):
                return score
        moves = self._candidates(total, marks, side, depth, first)
        if not moves:
            return 0
        best, choice, floor = -WIN, moves[0], alpha
        for number, square in enumerate(moves):
            # All but the first are searched with a window of width one, and late ones a ply less
            # deep. If that can't show that such a move is no better, it is searched again.
            late = number >= _REDUCED_FROM and depth > _REDUCED_DEPTH
            after, bound = depth - 1 - late, floor + 1 if number else beta
            score = self.score_after(total, marks, side, square, after, floor, bound, ply)
            if number and score > floor and (late or score < beta):
                score = self.score_after(total, marks, side, square, depth - 1, floor, beta, ply)
            if score > best:
                best, choice, floor = score, square, max(floor, score)
                if floor >= beta:
                    break
        kind = kind_of(best, alpha, beta)
        self._table.store(key, (depth, kind, _from_here(best, ply), choice))
        return best

    def score_after(
        self,
        total: int,
        marks: int,
        side: int,
        square: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
    ) -> int:
        """Return the score for `side` after its mark on `square`, exact between the bounds."""
        after = self._position.play(total, square, side)
        marks |= 1 << square + side * self._squares
        score = -self.score(after, marks, 1 - side, depth, -beta, -alpha, ply + 1)
        self._position.undo(square, side)
        return score

    def _candidates(self, total: int, marks: int, side: int, depth: int, first: int) -> list[int]:
        """Return the moves to try, as `moves` does, the table's move `first` before the others."""
        moves = self.moves(total, marks, side, depth, _WIDTHS[min(depth, len(_WIDTHS) - 1)])
        if first in moves:
            moves.remove(first)
            moves.insert(0, first)
        return moves

    def moves(self, total: int, marks: int, side: int, depth: int, width: int) -> list[int]:
        """Return the most urgent moves, at most `width`, of those that don't lose at once to fours.

        There are none if no set is left that a side could own.
        """
        other = 1 - side
        among = self._by_urgency(total, side)
        if depth > 1 and total & self._patterns.fours[other]:
            found = self.fours.win(total, marks, other, _INNER_NODES)
            if found is not None:
                zone = must_play(self._geometry, *self._sides(marks, other), found.win)
                among = [square for square in among if zone >> square & 1] or among
        return among[:width]

    def _by_urgency(self, total: int, side: int) -> list[int]:
        """Return the squares worth a mark, the most urgent first.

        If the other side could make two fours at once, only squares on which a four can be made
        count.
        """
        squares = self._position.squares(total)
        if total & self._patterns.doubles[1 - side]:
            squares = [field if field & FOURS_MASK else 0 for field in squares]
        return by_urgency(squares, side)

    def _sides(self, marks: int, side: int) -> tuple[int, int]:
        """Return the bitboards of `side` and of the other one."""
        first, second = marks & (1 << self._squares) - 1, marks >> self._squares
        return (second, first) if side else (first, second)

    def line(self, marks: int, side: int, plies: int) -> list[int]:
        """Return the line of play, of at most `plies` squares, that the table holds."""
        found = list[int]()
        while len(found) < plies:
            known = self._table.get(marks << 1 | side)
            if known is None:
                return found
            _, _, _, square = known
            found.append(square)
            marks |= 1 << square + side * self._squares
            side = 1 - side
        return found


def _from_here(score: int, plies: int) -> int:
    """Return a score with the distance of a win or loss longer by `plies`."""
    if score > DECIDED:
        return score + plies
    return score - plies if score < -DECIDED else score
