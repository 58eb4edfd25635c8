"""Line games: the moves of each level, and the best ones by the book or by search."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from core.engine.bitboards import split
from core.engine.lines.book import Book, book_of
from core.engine.lines.bounds import ONE, bounds
from core.engine.lines.budget import Searches
from core.engine.lines.candidates import Candidates
from core.engine.lines.deepening import deepen, deepen_known
from core.engine.lines.found import Found
from core.engine.lines.geometry import geometry
from core.engine.lines.held import held_positions
from core.engine.lines.pairing import PairingSearch
from core.engine.lines.patterns import patterns
from core.engine.lines.root import RootSearch
from core.engine.search import Findings, OutOfNodes
from core.engine.stop import NEVER, Stop
from core.outcome import Result
from core.views import LineBoard, LineView

# Up to this many plies ahead it only matters which squares complete a set: no search is needed.
_GLANCE_PLIES = 2
# The budget of a quick move once only traps are left to look at, in sets looked at. Counting
# traps takes half a millisecond at most, in which hard often gets no further than its first moves.
_TRAPS_WORK = 12_000
# The percentage of the budget that the values of all first marks may cost together, up to this
# number of sets and beyond it. Nodes take longest on boards with many sets (decision 10).
_FIRST_MARKS_PERCENT, _FIRST_MARKS_SETS, _FIRST_MARKS_PERCENT_BEYOND = 90, 200, 82
# The percentage of the budget that may go into the distance of a win or loss, if the book lacks it.
_DISTANCE_PERCENT = 50
# On boards with more squares than this and no set of three, proofs are mostly out of reach.
_PROVED_SQUARES = 36
_SHORT_SET = 3
# A node of a proof costs a fixed part and, for every four squares of the board's sets, one set
# looked at. The fixed part is larger where not every position is proved: proofs are often given up
# there, and principal variations take time as well.
_PROVED_NODE_WORK, _NODE_WORK, _SET_SQUARES = 30, 150, 4
# What a node of the principal-variation search costs, in sets looked at.
_PRINCIPAL_NODE_WORK = 40
# The percentage of the budget that this search may use if a proof has failed.
_UNPROVED_PERCENT = 25
# The percentage of the budget for proofs that may go into a distance on a large board.
_LARGE_PERCENT = 15
# Up to this potential of both sides, it is worth trying to prove a draw on a large board.
_DRAWISH_POTENTIAL = 3 * ONE
# Pairing strategies are looked for if sets are at least this long and there are more than this
# many: with fewer, a search is faster. Each node of a search for pairs costs this work.
_PAIRED_LENGTH, _PAIRED_FROM_SETS, _PAIRING_NODE_WORK = 5, 28, 200


def is_large(board: LineBoard) -> bool:
    """Return whether the board is too large for proofs, so that principal variations are searched.

    Sets of three are proved on every board.
    """
    return board.squares > _PROVED_SQUARES and min(m.bit_count() for m in board.sets) > _SHORT_SET


class LineSearch:
    """The search of all line boards on which owning a set wins.

    `work` bounds the cost of a move in sets looked at. Choosing among equally good moves may cost
    ten percent more.
    """

    def __init__(self, work: int, stop: Stop = NEVER):
        self._work = work
        self._stop = stop

    def quick_moves(self, view: LineView, plies: int, *, positional: bool = False) -> list[int]:
        """Return the indices of the moves that are equally good as far as `plies` plies ahead.

        With `positional`, if no move wins, return those that set most traps for a player who sees
        less and, among these, do most for one's own sets and against the other's. If the budget
        runs out, return the moves that aren't refuted so far.
        """
        if plies <= _GLANCE_PLIES and not positional:
            return view.indices(split(_at_a_glance(view, plies)))
        candidates = self._candidates(view)
        kept = candidates.moves()
        try:
            for moves in range(1, (plies + 1) // 2 + 1):
                winning = [bit for bit in kept if candidates.move_wins(bit, moves)]
                if winning:
                    return view.indices(candidates.with_symmetric(winning))
                if 2 * moves <= plies:
                    kept = candidates.safe(kept, moves) or candidates.blocking(kept)
        except OutOfNodes:
            kept = candidates.blocking(kept)
        if positional:
            candidates.budget.restart(_TRAPS_WORK // len(view.board.sets))
            kept = candidates.most(kept, partial(candidates.traps, moves=plies))
        return view.indices(candidates.with_symmetric(kept))

    def shallow(self, view: LineView, plies: int) -> list[int]:
        """Return the indices of the best moves on a large board, `plies` plies ahead."""
        candidates = self._candidates(view)
        moves = (
            split(candidates.geometry.completing(view.mine, view.theirs))
            or (candidates.opening() if candidates.opens else ())
            or self._root_search(view, candidates).shallow(plies)
        )
        return view.indices(candidates.with_symmetric(moves))

    def best(self, view: LineView) -> Findings:
        """Return the best moves and their value, as far as the node budget goes."""
        candidates = self._candidates(view)
        if is_large(view.board) and not view.board.provable:
            found = self._holding(view, candidates, self._on_large_board(view, candidates))
        else:
            book = _book(view.board, candidates)
            found = (
                self._by_book(candidates, book) if book else self._on_small_board(view, candidates)
            )
            if found.result is None and not self._stop.wanted:
                found = self._root_search(view, candidates, _UNPROVED_PERCENT).choose()
        best = view.indices(candidates.with_symmetric(found.best))
        line = list(map(view.index, found.line))
        # A line has to begin with the first of the best moves; it may begin with one symmetric to
        # that.
        line = line if line[:1] == best[:1] else []
        return Findings(best, found.result, found.plies, found.outlook, line)

    def values(self, board: LineBoard, positions: Iterable[tuple[int, int]]) -> Iterator[Findings]:
        """Yield the value of each position with one mark, without moves.

        On large boards no value is searched for. All values together may cost a little less than a
        move.
        """
        searches = Searches(bounds(board), self._stop)
        many = len(board.sets) > _FIRST_MARKS_SETS
        percent = _FIRST_MARKS_PERCENT_BEYOND if many else _FIRST_MARKS_PERCENT
        nodes = self._nodes(board) * percent // 100
        for mine, theirs in positions:
            left = nodes - searches.nodes
            found = self._value(board, Candidates(searches, mine, theirs, left, chooses=False))
            yield Findings((), found.result, found.plies)

    def _value(self, board: LineBoard, candidates: Candidates) -> Found:
        """Return the value of a position with one mark, perhaps without moves."""
        if is_large(board) and not board.provable:
            return Found((), None)
        if book := _book(board, candidates):
            result, plies = book.value(candidates.canonical)
            if plies is None and result is not Result.DRAW:
                return self._measured(candidates, result)
            return Found((), result, plies)
        return deepen(candidates)

    def _on_small_board(self, view: LineView, candidates: Candidates) -> Found:
        """Return the best moves by proofs, as far as the budget goes."""
        many = len(candidates.geometry.sets) > _PAIRED_FROM_SETS
        if many and (drawing := self._drawing(view, candidates)):
            return Found(candidates.most(drawing, candidates.traps), Result.DRAW)
        return deepen(candidates)

    def _drawing(self, view: LineView, candidates: Candidates) -> list[int]:
        """Return the moves that pairing strategies prove to draw, none if they don't prove it."""
        mine, theirs = view.mine, view.theirs
        if min(mask.bit_count() for mask in view.board.sets) < _PAIRED_LENGTH:
            return []
        pairs = self._pairs(view.board)
        if not pairs.holds(mine, theirs):
            return []
        return [bit for bit in candidates.moves() if pairs.holds(theirs, mine | bit)]

    def _holding(self, view: LineView, candidates: Candidates, found: Found) -> Found:
        """Return `found`; on a board with a book of held positions, only moves that hold.

        They are for the second side: those of its best moves after which it is proved that the
        first side can't force a set. If there are none, they are the moves into the book or, if
        there are none either, a move after which there are pairs.
        """
        mine, theirs = view.mine, view.theirs
        held = held_positions(view.board)
        second = theirs.bit_count() > mine.bit_count()
        if not held or not second or found.result is Result.WIN:
            return found
        pairs = self._pairs(view.board)
        best = [bit for bit in found.best if pairs.holds(theirs, mine | bit)]
        if not best:
            moves = candidates.moves()
            after = candidates.canonical_after(moves)
            best = [bit for bit, number in zip(moves, after, strict=True) if number in held]
        # This search has nodes of its own, since the proofs may have used theirs up.
        best = best or split(self._pairs(view.board).reply(theirs, mine))
        return replace(found, best=best) if best else found

    def _pairs(self, board: LineBoard) -> PairingSearch:
        """Return a new search for pairs, with the nodes of a move."""
        nodes = self._work // _PAIRING_NODE_WORK
        return PairingSearch(geometry(board), nodes, held_positions(board))

    def _on_large_board(self, view: LineView, candidates: Candidates) -> Found:
        """Return the best moves where proofs are mostly out of reach."""
        candidates.budget.restart(candidates.budget.left * _LARGE_PERCENT // 100)
        if candidates.opens:
            if view.board.drawn:
                return Found(candidates.opening(), Result.DRAW)
            return Found(candidates.opening(), None, outlook=candidates.estimate())
        if completing := candidates.geometry.completing(view.mine, view.theirs):
            return Found(split(completing), Result.WIN, 1)
        blocks = candidates.geometry.completing(view.theirs, view.mine)
        if blocks & (blocks - 1):
            return deepen(candidates)
        if candidates.potential <= _DRAWISH_POTENTIAL:
            proved = self._by_proof(view, candidates)
            if proved is not None:
                return proved
        found = self._root_search(view, candidates).choose()
        if found.result is None:
            return found
        leading = found.best if found.result is Result.WIN else ()
        measured = deepen(candidates, found.result, leading)
        # Without a distance, the root search's move is better: it holds out against fours.
        return found if measured.plies is None else measured

    def _by_proof(self, view: LineView, candidates: Candidates) -> Found | None:
        """Return the best moves on a large board if the result can be proved, None if it can't."""
        drawing = self._drawing(view, candidates)
        if not drawing:
            found = deepen(candidates)
            return None if found.result is None else found
        chosen = self._root_search(view, candidates).choose().best
        if chosen[0] not in drawing:
            chosen = candidates.most(drawing, candidates.traps)
        return Found(chosen, Result.DRAW)

    def _root_search(
        self, view: LineView, candidates: Candidates, percent: int = 100
    ) -> RootSearch:
        """Return a principal-variation search with a share of the budget."""
        nodes = self._work * percent // 100 // _PRINCIPAL_NODE_WORK
        return RootSearch(patterns(view.board), candidates, nodes, self._stop)

    def _candidates(self, view: LineView) -> Candidates:
        """Return the position, with searches whose tables are empty."""
        searches = Searches(bounds(view.board), self._stop)
        return Candidates(searches, view.mine, view.theirs, self._nodes(view.board))

    def _nodes(self, board: LineBoard) -> int:
        """Return how many nodes of proofs a move may cost."""
        own = _PROVED_NODE_WORK if board.provable else _NODE_WORK
        squares = sum(mask.bit_count() for mask in board.sets)
        return self._work // (own + squares // _SET_SQUARES)

    def _by_book(self, candidates: Candidates, book: Book) -> Found:
        """Return what the book says of a position that it holds."""
        if candidates.marks == book.marks:
            return deepen_known(candidates, *book.value(candidates.canonical))
        moves = candidates.moves()
        if won := [bit for bit in moves if candidates.move_wins(bit, 1)]:
            return Found(won, Result.WIN, 1)
        values = [book.value(position) for position in candidates.canonical_after(moves)]
        best = min(values, key=_preference)
        moves = [bit for bit, value in zip(moves, values, strict=True) if value == best]
        result, plies = best
        if result is Result.DRAW:
            told = candidates.marks + 2 <= book.marks
            traps = partial(_traps_by_book, candidates, book) if told else candidates.traps
            return Found(candidates.most(moves, traps), Result.DRAW)
        if plies is None:
            known = Result.WIN if result is Result.LOSS else Result.LOSS
            return self._measured(candidates, known, moves)
        if result is Result.LOSS:
            return Found(moves, Result.WIN, plies + 1)
        slips = partial(candidates.slips, moves=plies // 2 + 1)
        return Found(candidates.most(moves, slips), Result.LOSS, plies + 1)

    def _measured(
        self, candidates: Candidates, known: Result, leading: Sequence[int] = ()
    ) -> Found:
        """Return the moves for a known result, with its distance if half the budget is enough."""
        candidates.budget.restart(candidates.budget.left * _DISTANCE_PERCENT // 100)
        return deepen(candidates, known, leading)


def _at_a_glance(view: LineView, plies: int) -> int:
    """Return the squares that are equally good as far as `plies` plies ahead, at most two.

    They complete an own set or else, with two plies, block one that the other completes next.
    """
    completing = geometry(view.board).completing
    wins = completing(view.mine, view.theirs) if plies > 0 else 0
    blocks = completing(view.theirs, view.mine) if plies > 1 else 0
    return wins or blocks or view.free


def _book(board: LineBoard, candidates: Candidates) -> Book | None:
    """Return the book of the board if it holds the position."""
    book = book_of(board)
    return book if book and candidates.marks <= book.marks else None


def _traps_by_book(candidates: Candidates, book: Book, bit: int) -> int:
    """Return how many replies to `bit`, which draws, lose."""
    return sum(map(book.wins, candidates.canonical_after_replies(bit)))


def _preference(value: tuple[Result, int | None]) -> tuple[int, int]:
    """Return a key that is the greater, the more the seat to move prefers a value."""
    result, plies = value
    order = {Result.LOSS: -1, Result.DRAW: 0, Result.WIN: 1}[result]
    return order, -order * (plies or 0)
