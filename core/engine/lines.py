"""Line games: what each level sees, and the best moves by the book or by search."""

import functools
from dataclasses import replace

from core.engine.analysis import Findings
from core.engine.attack import Attack
from core.engine.book import Book, book_of
from core.engine.deciding import searched, valued
from core.engine.geometry import geometry
from core.engine.proofs import ProofSearch
from core.engine.study import Study
from core.outcome import Result
from core.views import LineBoard, LineView

# What a glance may cost, in sets looked at: a few milliseconds.
_GLANCE = 60_000
# The length of a win known beforehand may cost one part of so many that a move may.
_KNOWN = 2


class LineSearch:
    """Perfect play, or play that sees so far, on all line boards; one table for each of them.

    `work` bounds what a move may cost, in sets looked at: positions met times the board's sets. A
    fiftieth of it more may go into choosing among equal moves. `use_book` allows to look moves up.
    """

    def __init__(self, work: int, *, use_book: bool = True):
        self._work = work
        self._use_book = use_book
        self._searches: dict[LineBoard, tuple[Attack, ProofSearch]] = {}

    def glance(self, view: LineView, plies: int, *, eager: bool = False) -> list[int]:
        """Return the moves that are equally good to somebody who sees so many plies ahead.

        `eager`, those that win nothing set traps, for who looks less far, and then do most for
        one's own sets and against the other's.
        """
        study = self._study(view)
        kept = study.choices()
        for moves in range(1, (plies + 1) // 2 + 1):
            winning = [bit for bit in kept if study.wins_by(bit, moves)]
            if winning:
                return view.indices(study.mirrored(winning))
            if 2 * moves <= plies:
                kept = study.lasting(kept, moves) or study.blocking(kept)
        if eager:
            study.budget.allow(_GLANCE // len(view.board.sets))
            kept = study.most(kept, functools.partial(study.traps, moves=plies))
        return view.indices(study.mirrored(kept))

    def best(self, view: LineView) -> Findings:
        """Return the best moves, with their value where the budget allows to prove it."""
        study = self._study(view)
        book = book_of(view.board) if self._use_book else None
        found = (book and self._by_book(study, book)) or searched(study)
        return replace(found, best=view.indices(study.mirrored(found.best)))

    def _study(self, view: LineView) -> Study:
        board = view.board
        if board not in self._searches:
            attack = Attack(geometry(board))
            self._searches[board] = attack, ProofSearch(attack.prospects)
        study = Study(*self._searches[board], view.mine, view.theirs)
        study.budget.allow(self._nodes(study))
        return study

    def _nodes(self, study: Study) -> int:
        """Return how many positions a move may cost."""
        return self._work // len(study.geometry.sets)

    def _by_book(self, study: Study, book: Book) -> Findings | None:
        """Return what the book says, None where it doesn't go so far."""
        marks = (study.mine | study.theirs).bit_count()
        if marks > book.marks:
            return None
        if marks == book.marks:
            return valued(study, *book.value(study.code))
        choices = study.choices()
        if won := [bit for bit in choices if study.wins_by(bit, 1)]:
            return Findings(won, Result.WIN, 1)
        values = [book.value(code) for code in study.after(choices)]
        best = min(values, key=_worth_to_the_other)
        moves = [bit for bit, value in zip(choices, values, strict=True) if value == best]
        result, plies = best
        if result is Result.DRAW:
            told = marks + 2 <= book.marks
            traps = functools.partial(_traps_by_book, study, book) if told else study.traps
            return Findings(study.most(moves, traps), Result.DRAW)
        if plies is None:
            study.budget.allow(self._nodes(study) // _KNOWN)
            known = Result.WIN if result is Result.LOSS else Result.LOSS
            return searched(study, known, moves)
        if result is Result.LOSS:
            return Findings(moves, Result.WIN, plies + 1)
        slips = functools.partial(study.slips, moves=plies // 2 + 1)
        return Findings(study.most(moves, slips), Result.LOSS, plies + 1)


def _traps_by_book(study: Study, book: Book, bit: int) -> int:
    """Return how many of the other's replies to `bit`, which draws, lose."""
    return sum(map(book.wins, study.after_replies(bit)))


def _worth_to_the_other(value: tuple[Result, int | None]) -> tuple[int, int]:
    """Return a key that is larger for what the seat to move after ours prefers."""
    result, plies = value
    order = {Result.LOSS: -1, Result.DRAW: 0, Result.WIN: 1}[result]
    return order, -order * (plies or 0)
