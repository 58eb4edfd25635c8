"""The swap rule: who may take over the first mark does so where it is better than to answer it.

The searches know marks only. Whoever changes sides leaves the same board to the other one to move,
so that swapping is worth to the mover just what answering is worth to the other.
"""

from collections.abc import Sequence
from math import inf
from typing import Protocol

from core.engine.analysis import Findings
from core.engine.geometry import geometry, split
from core.engine.mirrors import Mirrors
from core.outcome import Result
from core.views import LineView


class Answering(Protocol):
    """A search of line boards on which no sides are changed."""

    def glance(self, view: LineView, plies: int, *, eager: bool = False) -> Sequence[int]:
        """Return the numbers of the moves that look best to who sees so many plies ahead."""

    def best(self, view: LineView) -> Findings:
        """Return the best moves, and what they lead to."""


class SwapSearch:
    """The first mark, and what to do about it, where sides may be changed.

    What isn't proved is estimated by where the mark stands: it is taken over where no more than
    half of the squares are better.
    """

    def __init__(self, answering: Answering):
        self._answering = answering

    def glance(self, view: LineView, plies: int, *, eager: bool = False) -> list[int]:
        """Return the moves that are equally good to who sees so many plies ahead.

        No win comes so early that it is seen, so that swapping is as good as any answer; `eager`,
        it is done about a good square, and a first mark goes where that isn't worth it.
        """
        if not view.theirs:
            return self._even(view) if eager else list(self._answering.glance(view, plies))
        if not eager:
            return [*self._answering.glance(view, plies), _number(view)]
        if _worth_taking(view, view.theirs):
            return [_number(view)]
        return list(self._answering.glance(view, plies, eager=True))

    def best(self, view: LineView) -> Findings:
        """Return the best moves, with their value where it can be proved."""
        return self._against(view) if view.theirs else self._first(view)

    def _against(self, view: LineView) -> Findings:
        """Return whether to take over the first mark, or how to answer it."""
        found = self._answering.best(view)
        if found.result is Result.LOSS:
            return Findings([_number(view)], Result.WIN, _later(found.plies))
        if found.result is None and _worth_taking(view, view.theirs):
            return Findings([_number(view)], None, outlook=max(found.outlook, 1 - found.outlook))
        return found

    def _first(self, view: LineView) -> Findings:
        """Return the first mark that is least worth answering, or taking over.

        Squares are tried until one is proved to draw. Where a value can't be proved an estimate has
        to do, for one search after the other would take longer than somebody waits.
        """
        mirrors = geometry(view.board).mirrors
        longest, best = -1.0, 0
        for bit in mirrors.orbits(0, 0, split(view.free)):
            found = self._against(LineView(view.board, 0, bit, swap=True))
            if found.result is None:
                return Findings(self._even(view), None)
            if found.result is Result.DRAW:
                return Findings(_images(view, mirrors, bit), Result.DRAW)
            # A length that isn't known is longer than those that are: it wasn't found in time.
            plies = inf if found.plies is None else found.plies
            if plies > longest:
                longest, best = plies, bit
        length = None if longest == inf else int(longest) + 1
        return Findings(_images(view, mirrors, best), Result.LOSS, length)

    def _even(self, view: LineView) -> list[int]:
        """Return the best of the squares that aren't worth taking over, all where all are alike."""
        values = _values(view)
        left = [value for value in values if not _in_better_half(value, values)] or values
        return [number for number, value in enumerate(values) if value == max(left)]


def _number(view: LineView) -> int:
    """Return the swap's number among the legal moves."""
    return view.free.bit_count()


def _later(plies: int | None) -> int | None:
    return None if plies is None else plies + 1


def _images(view: LineView, mirrors: Mirrors, bit: int) -> list[int]:
    return view.indices(mirrors.with_images(0, 0, [bit]))


def _worth_taking(view: LineView, mark: int) -> bool:
    """Return whether the only `mark` stands where taking it over is better than answering it."""
    values = _values(view)
    return _in_better_half(values[mark.bit_length() - 1], values)


def _in_better_half(value: int, values: Sequence[int]) -> bool:
    """Return whether no more than half of the `values` are better."""
    return 2 * sum(other > value for other in values) <= len(values)


def _values(view: LineView) -> list[int]:
    """Return for each square in how many sets it lies, negative where sets lose."""
    counts = [0] * view.board.squares
    for mask in view.board.sets:
        for bit in split(mask):
            counts[bit.bit_length() - 1] += 1 if view.board.owner_wins else -1
    return counts
