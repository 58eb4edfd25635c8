"""Line games: the moves of each level, and the best ones by the book or by search."""

from dataclasses import replace
from functools import partial

from core.engine.lines.book import Book, book_of
from core.engine.lines.bounds import bounds
from core.engine.lines.candidates import Candidates
from core.engine.lines.deepening import deepen, deepen_known
from core.engine.lines.solver import Searches
from core.engine.search import Findings
from core.outcome import Result
from core.views import LineBoard, LineView

# What the traps of a quick move may cost, in sets looked at: a few milliseconds.
_TRAPS_WORK = 60_000
# The share of the budget that may go into the length of a win which the book knows.
_LENGTH_PERCENT = 50


class LineSearch:
    """The search of all line boards on which owning a set wins.

    `work` bounds the cost of a move in sets looked at: nodes times the sets of the board. Choosing
    among equally good moves may cost two percent more. `use_book` allows the book.
    """

    def __init__(self, work: int, *, use_book: bool = True):
        self._work = work
        self._use_book = use_book

    def searches(self, board: LineBoard) -> Searches:
        """Return searches of `board` with empty tables."""
        return Searches(bounds(board))

    def quick_moves(self, view: LineView, plies: int, *, positional: bool = False) -> list[int]:
        """Return the indices of the moves that are equally good as far as `plies` plies ahead.

        With `positional`, moves that win nothing set traps for a player who sees less, and then do
        most for one's own sets and against the other's.
        """
        candidates = self._candidates(view, self.searches(view.board))
        kept = candidates.moves()
        for moves in range(1, (plies + 1) // 2 + 1):
            winning = [bit for bit in kept if candidates.move_wins(bit, moves)]
            if winning:
                return view.indices(candidates.with_symmetric(winning))
            if 2 * moves <= plies:
                kept = candidates.safe(kept, moves) or candidates.blocking(kept)
        if positional:
            candidates.budget.restart(_TRAPS_WORK // len(view.board.sets))
            kept = candidates.most(kept, partial(candidates.traps, moves=plies))
        return view.indices(candidates.with_symmetric(kept))

    def best(self, view: LineView, searches: Searches | None = None) -> Findings:
        """Return the best moves and their value, as far as the node budget goes.

        `searches`, of the same board, may hold what was found of related positions.
        """
        candidates = self._candidates(view, searches or self.searches(view.board))
        book = book_of(view.board) if self._use_book else None
        found = (book and self._by_book(candidates, book)) or deepen(candidates)
        return replace(found, best=view.indices(candidates.with_symmetric(found.best)))

    def _candidates(self, view: LineView, searches: Searches) -> Candidates:
        return Candidates(searches, view.mine, view.theirs, self._nodes(view.board))

    def _nodes(self, board: LineBoard) -> int:
        """Return how many nodes a move may cost."""
        return self._work // len(board.sets)

    def _by_book(self, candidates: Candidates, book: Book) -> Findings | None:
        """Return what the book says, None for more marks than it holds."""
        marks = (candidates.mine | candidates.theirs).bit_count()
        if marks > book.marks:
            return None
        if marks == book.marks:
            return deepen_known(candidates, *book.value(candidates.canonical))
        moves = candidates.moves()
        if won := [bit for bit in moves if candidates.move_wins(bit, 1)]:
            return Findings(won, Result.WIN, 1)
        values = [book.value(position) for position in candidates.canonical_after(moves)]
        best = min(values, key=_preference)
        moves = [bit for bit, value in zip(moves, values, strict=True) if value == best]
        result, plies = best
        if result is Result.DRAW:
            told = marks + 2 <= book.marks
            traps = partial(_traps_by_book, candidates, book) if told else candidates.traps
            return Findings(candidates.most(moves, traps), Result.DRAW)
        if plies is None:
            candidates.budget.restart(candidates.budget.left * _LENGTH_PERCENT // 100)
            return deepen(candidates, Result.WIN if result is Result.LOSS else Result.LOSS, moves)
        if result is Result.LOSS:
            return Findings(moves, Result.WIN, plies + 1)
        slips = partial(candidates.slips, moves=plies // 2 + 1)
        return Findings(candidates.most(moves, slips), Result.LOSS, plies + 1)


def _traps_by_book(candidates: Candidates, book: Book, bit: int) -> int:
    """Return how many replies to `bit`, which draws, lose."""
    return sum(map(book.wins, candidates.canonical_after_replies(bit)))


def _preference(value: tuple[Result, int | None]) -> tuple[int, int]:
    """Return a key that is the greater, the more the seat to move prefers a value."""
    result, plies = value
    order = {Result.LOSS: -1, Result.DRAW: 0, Result.WIN: 1}[result]
    return order, -order * (plies or 0)
