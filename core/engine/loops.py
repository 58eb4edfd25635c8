"""Perfect play in games for two that can go in circles: every forced end, worked out backwards.

From the finished positions back: a position from which one move leads to a lost one is won, and one
all of whose moves lead to won ones is lost. Only these are stored, with their plies to the end;
what remains undecided is a draw by endless play. Endgame tables are made like this (K. Thompson,
*Retrograde Analysis of Certain Endgames*, ICCA Journal 9/3, 1986).
"""

from collections import Counter
from collections.abc import Iterable

from core.engine.analysis import Findings
from core.outcome import Result
from core.views import LoopRules, LoopView

Table = dict[int, int]


def solve(rules: LoopRules) -> Table:
    """Return in how many plies each decided position ends with best play.

    Odd is won for the seat to move, even is lost; the winner takes the shortest way and the loser
    the longest. Positions that are not in the table are drawn.
    """
    plies = dict.fromkeys(rules.finished(), 0)
    last, depth = list(plies), 0
    escapes: dict[int, int] = {}
    while last:
        reached, lost, depth = [], depth % 2 == 0, depth + 1
        for code in last:
            for before in rules.predecessors(code):
                if before in plies:
                    continue
                if not lost:  # one way out less, and lost with the last one
                    escapes[before] = escapes.get(before, len(rules.replies(before))) - 1
                    if escapes[before]:
                        continue
                plies[before] = depth
                reached.append(before)
        last = reached
    return plies


class LoopSearch:
    """Perfect play, or play that sees so far; a table for all rules that it meets."""

    def __init__(self) -> None:
        self._tables: dict[LoopRules, Table] = {}

    def glance(self, view: LoopView, plies: int, *, eager: bool = False) -> list[int]:
        """Return the moves that are equally good to somebody who sees so many plies ahead.

        `eager`, they are those after which the most replies lose, as far as the table knows.
        """
        table = self._table(view.rules)
        seen = {code: end for code in view.replies if (end := table.get(code, plies)) < plies}
        best = _best(view.replies, seen)
        return self._trapping(view, best) if eager else best

    def best(self, view: LoopView, met: Iterable[int] = ()) -> Findings:
        """Return the best moves and their value: always exact.

        Of the moves that draw they are those that come back least to the positions in `met`.
        """
        table = self._table(view.rules)
        best, plies = _best(view.replies, table), table.get(view.code)
        if plies is None:
            best = _afresh(view, best, Counter(met))
            return Findings(self._trapping(view, best), Result.DRAW)
        result = Result.WIN if plies % 2 else Result.LOSS
        return Findings(self._trapping(view, best), result, plies)

    def _trapping(self, view: LoopView, moves: list[int]) -> list[int]:
        """Return those of equally good `moves` after which the most replies lose, or one fewer.

        One fewer leaves more to chance: always the same answer would go in circles.
        """
        traps = {code: self._traps(view.rules, code) for code in {view.replies[i] for i in moves}}
        least = max(traps.values()) - 1
        return [i for i in moves if traps[view.replies[i]] >= least]

    def _traps(self, rules: LoopRules, code: int) -> int:
        """Return how many replies to a position lose, though it may not be lost."""
        table = self._table(rules)
        return sum(table.get(after, 0) % 2 for after in rules.replies(code))

    def _table(self, rules: LoopRules) -> Table:
        if rules not in self._tables:
            self._tables[rules] = solve(rules)
        return self._tables[rules]


def _afresh(view: LoopView, moves: list[int], times: Counter[int]) -> list[int]:
    """Return those of `moves` to positions met least often, and of these where fewest lead back.

    `times` says how often each position was met.
    """

    def circling(i: int) -> tuple[int, int]:
        code = view.replies[i]
        return times[code], sum(times[after] for after in view.rules.replies(code))

    circles = {i: circling(i) for i in moves}
    least = min(circles.values())
    return [i for i, met in circles.items() if met == least]


def _best(replies: tuple[int, ...], table: Table) -> list[int]:
    """Return the numbers of the replies that are best for who moves there, as far as known."""
    worth = [_worth(table.get(code)) for code in replies]
    best = max(worth)
    return [i for i, value in enumerate(worth) if value == best]


def _worth(plies: int | None) -> tuple[int, int]:
    """Return a key that is larger for a move that is better, by what its position is worth."""
    if plies is None:
        return 0, 0
    return (-1, plies) if plies % 2 else (1, -plies)
