"""The pie rule: the second seat takes over the first mark if that beats answering it.

The searches of line games know marks only. A swap leaves the same board with the other seat to
move. So a swap is worth to the seat that makes it exactly what answering the mark is worth to the
other seat.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from core.engine.bitboards import split
from core.engine.lines.geometry import geometry
from core.engine.search import Findings, Search
from core.outcome import Result
from core.views import LineBoard, LineView


class Answering(Search[LineView], Protocol):
    """A search of line boards without the rule."""

    def values(self, board: LineBoard, positions: Iterable[tuple[int, int]]) -> Iterator[Findings]:
        """Yield the value of each position, without moves; all cost no more than a move."""


class SwapSearch:
    """The first mark and the answer to it under the rule.

    If a value isn't proved, the square of the first mark decides: the mark is taken over if at most
    half of the squares are better. On boards that are known to be drawn, where every first mark and
    every swap draws, squares decide as well.
    """

    def __init__(self, answering: Answering):
        self._answering = answering

    def quick_moves(self, view: LineView, plies: int, *, positional: bool = False) -> list[int]:
        """Return the indices of the moves that are equally good as far as `plies` plies ahead.

        No win is near enough to be seen, so a swap is as good as any answer. With `positional`, a
        good square is taken over, and a first mark goes to a poor one.
        """
        if not view.theirs:
            if positional:
                return _fair_squares(view)
            return [*self._answering.quick_moves(view, plies)]
        if not positional:
            return [*self._answering.quick_moves(view, plies), _swap(view)]
        if _worth_taking(view, view.theirs):
            return [_swap(view)]
        return [*self._answering.quick_moves(view, plies, positional=True)]

    def best(self, view: LineView) -> Findings:
        """Return the best moves and their value, as far as the node budget goes."""
        if not view.theirs:
            if view.board.drawn:
                return Findings(_fair_squares(view), Result.DRAW)
            return self._first_mark(view)
        found = self._answering.best(view)
        if found.result is Result.LOSS:
            return Findings([_swap(view)], Result.WIN, _longer(found.plies))
        proved = found.result is not None and not view.board.drawn
        if not proved and _worth_taking(view, view.theirs):
            outlook = max(found.outlook, 1 - found.outlook)
            return Findings([_swap(view)], found.result, outlook=outlook)
        return found

    def _first_mark(self, view: LineView) -> Findings:
        """Return the first marks that leave the other seat least, whether it answers or swaps.

        Squares are tried, from a corner on, until one is proved to draw. All searches together cost
        no more than a move. Once the value of a square can't be proved, an estimate decides. But if
        owning a set wins, and earlier squares, which are poorer, are proved to lose, the best mark
        is the one that loses slowest. Only values are asked for, since nobody makes the answers.
        """
        squares = _representatives(view)
        values = self._answering.values(view.board, [(0, bit) for bit in squares])
        lost = dict[int, int | None]()
        for bit, found in zip(squares, values, strict=True):
            if found.result is Result.DRAW:
                return Findings(_with_symmetric(view, bit), Result.DRAW)
            if found.result is None:
                if lost and view.board.owner_wins:
                    return Findings(_with_symmetric(view, _slowest(lost)), None)
                return Findings(_fair_squares(view), None)
            # The other wins, after a swap if the mark is a winning one.
            lost[bit] = _longer(found.plies) if found.result is Result.LOSS else found.plies
        best = _slowest(lost)
        plies = None if None in lost.values() else _longer(lost[best])
        return Findings(_with_symmetric(view, best), Result.LOSS, plies)


def _slowest(lost: Mapping[int, int | None]) -> int:
    """Return the first mark that loses slowest.

    `lost` has the plies in which each loses, the poorest square first, or None for an unknown
    number. The poorest square had the whole budget, so an unknown number there is a large one. A
    later square only had what was left of it, so an unknown number there may be small.
    """
    poorest = next(iter(lost))
    if lost[poorest] is None:
        return poorest
    return max(lost, key=lambda bit: lost[bit] or 0)


def _fair_squares(view: LineView) -> list[int]:
    """Return the indices of the best squares that aren't worth taking over.

    If all squares are alike, return all.
    """
    values = _square_values(view)
    best = max([value for value in values if not _in_better_half(value, values)] or values)
    return [index for index, value in enumerate(values) if value == best]


def _longer(plies: int | None) -> int | None:
    """Return a distance as it is a ply earlier, None if it is unknown."""
    return None if plies is None else plies + 1


def _swap(view: LineView) -> int:
    """Return the index of the swap among the legal moves."""
    return view.free.bit_count()


def _representatives(view: LineView) -> list[int]:
    """Return one square of each symmetric group of an empty board, as bits."""
    squares = split(view.free)
    if view.board.alike:
        return squares[:1]
    return geometry(view.board).symmetry.representatives(0, 0, squares)


def _with_symmetric(view: LineView, bit: int) -> list[int]:
    """Return the indices of `bit` and the squares symmetric to it, on an empty board."""
    if view.board.alike:
        return view.indices(split(view.free))
    return view.indices(geometry(view.board).symmetry.orbits(0, 0, [bit]))


def _worth_taking(view: LineView, mark: int) -> bool:
    """Return whether the only `mark` stands on a square that is better taken over than answered."""
    values = _square_values(view)
    return _in_better_half(values[mark.bit_length() - 1], values)


def _in_better_half(value: int, values: Sequence[int]) -> bool:
    """Return whether at most half of `values` are better."""
    return 2 * sum(other > value for other in values) <= len(values)


def _square_values(view: LineView) -> list[int]:
    """Return for each square the number of its sets, negative if owning a set loses."""
    sign = 1 if view.board.owner_wins else -1
    return [sign * len(sets) for sets in geometry(view.board).through.values()]
