"""Line games: the best moves of a position, exactly or as far as the budget goes."""

import functools
from collections.abc import Sequence
from dataclasses import replace

from core.engine.analysis import Findings
from core.engine.attack import Attack, OutOfNodes
from core.engine.book import Book, book_of
from core.engine.geometry import geometry
from core.engine.proofs import ProofSearch
from core.engine.study import Study
from core.outcome import Result
from core.views import LineBoard, LineView

# Forced wins are looked for one move deeper at a time until a step has met so many positions, or is
# as deep as the board makes probable. Then comes the question whether there is any win at all.
_STEP_NODES = 30
# Nor is it put off for longer when the other side threatens to win.
_PRESSED = 3
# What a glance may cost, in sets looked at: a few milliseconds.
_GLANCE = 60_000
# What a result for the one side is for the other.
_TURNED = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


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
            study.allow(_GLANCE // len(view.board.sets))
            kept = study.most(kept, functools.partial(study.traps, moves=plies))
        return view.indices(study.mirrored(kept))

    def best(self, view: LineView) -> Findings:
        """Return the best moves, with their value where the budget allows to prove it."""
        study = self._study(view)
        book = book_of(view.board) if self._use_book else None
        found = (book and self._by_book(study, book)) or self._by_search(study)
        return replace(found, best=view.indices(study.mirrored(found.best)))

    def _study(self, view: LineView) -> Study:
        board = view.board
        if board not in self._searches:
            attack = Attack(geometry(board))
            self._searches[board] = attack, ProofSearch(attack.prospects)
        study = Study(*self._searches[board], view.mine, view.theirs)
        study.allow(self._work // len(board.sets))
        return study

    def _by_search(self, study: Study) -> Findings:
        """Look one move deeper at a time; once that gets dear, ask what is true for ever."""
        choices = kept = study.choices()
        settled, moves, asked = None, 1, False
        try:
            while True:
                before = study.nodes
                if settled is not Result.LOSS and study.can_win(moves):
                    return self._won(study, moves)
                dear = moves >= study.shallow or study.nodes - before > _STEP_NODES
                defended = asked or not dear
                if defended and settled is not Result.WIN:
                    held = study.lasting(kept, moves)
                    if not held:
                        return self._lost(study, kept, moves)
                    kept = held
                dear = dear or study.nodes - before > _STEP_NODES
                pressed = len(kept) < len(choices)
                if not asked and (dear or (pressed and moves >= _PRESSED)):
                    settled, asked = study.settle(kept, pressed=pressed), True
                    if settled is Result.DRAW:
                        return self._drawn(study, kept)
                moves += defended  # else the same again, now that the result may be known
        except OutOfNodes:
            return self._unfinished(study, kept, settled)

    def _won(self, study: Study, moves: int) -> Findings:
        return Findings(study.winning(moves), Result.WIN, 2 * moves - 1)

    def _lost(self, study: Study, longest: Sequence[int], moves: int) -> Findings:
        best = study.most(longest, lambda bit: study.slips(bit, moves))
        return Findings(best, Result.LOSS, 2 * moves)

    def _drawn(self, study: Study, kept: Sequence[int]) -> Findings:
        return Findings(study.most(study.holding(kept), study.traps), Result.DRAW)

    def _unfinished(self, study: Study, kept: Sequence[int], settled: Result | None) -> Findings:
        """Return what is known when the budget is spent: the result without its length, if any."""
        if settled is Result.WIN:
            return Findings(study.plan(), settled)
        known = settled if settled is Result.LOSS else None  # which of the kept moves draws isn't
        return Findings(study.most(kept, study.traps), known, outlook=study.estimate())

    def _by_book(self, study: Study, book: Book) -> Findings | None:
        """Return what the book says, None where it doesn't go so far."""
        marks = (study.mine | study.theirs).bit_count()
        value = book.value(study.code) if marks <= book.marks else None
        if value is None or marks == book.marks:
            return value and self._by_value(study, *value)
        choices = study.choices()
        if won := [bit for bit in choices if study.wins_by(bit, 1)]:
            return Findings(won, Result.WIN, 1)
        after = {bit: found for bit in choices if (found := book.value(study.after(bit)))}
        best = min(after.values(), key=_worth_to_the_other, default=None)
        if best is None or _TURNED[best[0]] is not value[0]:
            return None  # what leads to this value isn't known
        result, plies = best
        moves = [bit for bit, found in after.items() if found == best]
        if result is Result.DRAW:
            known = marks + 2 <= book.marks
            traps = functools.partial(_traps_by_book, study, book) if known else study.traps
            return Findings(study.most(moves, traps), Result.DRAW)
        if plies is None:
            return Findings(study.most(moves, study.traps), value[0])
        if result is Result.LOSS:
            return Findings(moves, Result.WIN, plies + 1)
        slips = functools.partial(study.slips, moves=plies // 2 + 1)
        return Findings(study.most(moves, slips), Result.LOSS, plies + 1)

    def _by_value(self, study: Study, result: Result, plies: int | None) -> Findings | None:
        """Return the best moves of a position whose value is known, None if that gets too dear."""
        choices = study.choices()
        try:
            if result is Result.DRAW:
                return self._drawn(study, choices)
            if plies is None:
                return None  # which moves win has to be found out all the same
            if result is Result.WIN:
                return self._won(study, (plies + 1) // 2)
            return self._lost(study, study.outlasting(choices, plies // 2 - 1), plies // 2)
        except OutOfNodes:
            study.renew()
            return None


def _traps_by_book(study: Study, book: Book, bit: int) -> int:
    """Return how many of the other's replies to `bit`, which draws, lose."""
    values = map(book.value, study.after_replies(bit))
    return sum(value is not None and value[0] is Result.WIN for value in values)


def _worth_to_the_other(value: tuple[Result, int | None]) -> tuple[int, int]:
    """Return a key that is larger for what the seat to move after ours prefers."""
    result, plies = value
    order = {Result.LOSS: -1, Result.DRAW: 0, Result.WIN: 1}[result]
    return order, -order * (plies or 0)
