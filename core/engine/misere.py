"""Misère line games: the owner of a whole set loses.

None of the bounds of the other line games holds here, so this is a plain alpha-beta search (negamax
with a transposition table). Near the end it finds the value of every move. A little earlier it only
finds whether a move wins, or draws; that takes a tenth of the time. Earlier still, iterative
deepening finds near wins and losses, and estimates the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.engine.bitboards import split
from core.engine.lines.geometry import Geometry, geometry
from core.engine.search import DECIDED, WIN, Findings, OutOfNodes, TranspositionTable
from core.engine.stop import NEVER, Stop
from core.outcome import Result
from core.views import LineBoard, LineView

_TABLE_SIZE = 400_000
# A board of up to `_SOLVED_SQUARES` squares is solved: every best move is found. Larger boards are
# searched to the end from `_END_SQUARES` empty squares on, and only for the result from
# `_PROVED_SQUARES` on.
_SOLVED_SQUARES, _END_SQUARES, _PROVED_SQUARES = 12, 9, 18
# Symmetric positions are looked up as one up to this number of marks.
_SYMMETRY_UP_TO_MARKS = 8
# The least cost of a node, in sets looked at: Python's overhead is as much with fewer sets.
_LEAST_NODE_WORK = 14
# The worth of a square on which only one side can move without losing.
_SAFE_SQUARE = 8
# The level `hard` searches with the work divided by this.
_HARD_DIVISOR = 40
# The level `medium` chooses among the moves up to this percentile of danger.
_CAREFUL_PERCENT = 50
# The share of a search's nodes that the line of play may cost in addition, in percent: most of its
# positions are in the table.
_LINE_PERCENT = 5
_OUTLOOK_SCALE = 4 * _SAFE_SQUARE


class Negamax:
    """The search over one board, with its transposition table. `nodes` counts the positions met."""

    def __init__(self, geometry: Geometry, stop: Stop = NEVER):
        self.nodes = 0
        self._stop = stop
        self._limit = 0
        self._geometry = geometry
        self._canonical = geometry.symmetry.canonical
        self._sets = geometry.sets
        self._squares = geometry.symmetry.squares
        self._through = {
            bit: tuple(number for number, mask in enumerate(geometry.sets) if mask & bit)
            for bit in geometry.through
        }
        # The lower and the upper bound of the score of a position, for each number of plies.
        self._table = TranspositionTable[tuple[int, int], tuple[int, int]](_TABLE_SIZE)
        self._reached = TranspositionTable[tuple[int, bool], bool](_TABLE_SIZE)

    def allow(self, nodes: int) -> None:
        """Let searches meet `nodes` more positions before they raise OutOfNodes."""
        self._limit = self.nodes + nodes

    def safe(self, mine: int, theirs: int) -> list[int]:
        """Return the moves that complete nothing, the least dangerous first."""
        weights = list[int]()
        losing = 0
        for mask in self._sets:
            own = mask & mine
            weight = 0
            if not mask & theirs:
                lacking = mask ^ own
                if lacking & (lacking - 1):
                    weight = 1 << 2 * own.bit_count()
                else:
                    losing |= lacking
            weights.append(weight)
        left = self._geometry.full & ~(mine | theirs | losing)
        order = list[int]()
        while left:
            bit = left & -left
            left ^= bit
            danger = 0
            for number in self._through[bit]:
                danger += weights[number]
            order.append(danger << self._squares | bit)
        order.sort()
        return [each & self._geometry.full for each in order]

    def danger(self, mine: int, theirs: int, bit: int) -> int:
        """Return how far a mark on `bit` brings its owner towards completing sets."""
        through = self._geometry.through[bit]
        return sum(1 << 2 * (mask & mine).bit_count() for mask in through if not mask & theirs)

    def score(self, mine: int, theirs: int, plies: int, alpha: int = -WIN, beta: int = WIN) -> int:
        """Return the score of the seat to move, `plies` plies ahead.

        It is exact between `alpha` and `beta`. Raises OutOfNodes.
        """
        if self.nodes >= self._limit or self._stop.wanted:
            raise OutOfNodes
        self.nodes += 1
        marks = mine | theirs
        if self._geometry.full == marks:
            return 0
        if not plies:
            return self._estimate(mine, theirs)
        key = self._key(mine, theirs), plies
        lower, upper = self._table.get(key, (-WIN, WIN))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        safe = self.safe(mine, theirs)
        if not safe:
            return 1 - WIN
        best, floor = max(1 - WIN, lower), max(alpha, lower)
        for bit in safe:
            best = max(best, self.score_after(mine, theirs, bit, plies, floor, beta))
            floor = max(floor, best)
            if floor >= beta:
                break
        self._table.store(key, (best if best > alpha else lower, best if best < beta else upper))
        return best

    def score_after(
        self, mine: int, theirs: int, bit: int, plies: int, alpha: int = -WIN, beta: int = WIN
    ) -> int:
        """Return the score of the seat to move after its mark on `bit`, within the window."""
        # The window as the other side sees it one ply later, wider by a ply on both sides.
        score = -self.score(theirs, mine | bit, plies - 1, -(beta + 1), -(alpha - 1))
        return score - (score > DECIDED) + (score < -DECIDED)  # as seen one ply earlier

    def line(self, mine: int, theirs: int, bit: int, score: int, plies: int) -> list[int]:
        """Return the line of play to the end that begins with a mark on `bit`.

        `score` is that of the mark, exact and decided, as found `plies` plies ahead. The line is
        shorter if the nodes run out.
        """
        line = [bit]
        try:
            while True:
                mine, theirs = theirs, mine | bit
                plies -= 1
                score = -score - 1 if score > 0 else 1 - score
                if score == 1 - WIN:
                    free = self._geometry.full & ~(mine | theirs)
                    return [*line, free & -free]
                bit = next(
                    bit
                    for bit in self.safe(mine, theirs)
                    if self.score_after(mine, theirs, bit, plies, score - 1) == score
                )
                line.append(bit)
        except OutOfNodes:
            return line

    def reaches(self, mine: int, theirs: int, *, win: bool) -> bool:
        """Return whether the seat to move can force a `win`, or at least a draw.

        Raises OutOfNodes.
        """
        if self.nodes >= self._limit or self._stop.wanted:
            raise OutOfNodes
        self.nodes += 1
        if self._geometry.full == mine | theirs:
            return not win
        key = self._key(mine, theirs), win
        if key in self._reached:
            return self._reached[key]
        reached = False
        for bit in self.safe(mine, theirs):
            if not self.reaches(theirs, mine | bit, win=not win):
                reached = True
                break
        return self._reached.store(key, reached)

    def _key(self, mine: int, theirs: int) -> int:
        """Return a number that symmetric positions share as long as there are few marks."""
        if (mine | theirs).bit_count() <= _SYMMETRY_UP_TO_MARKS:
            return self._canonical(mine, theirs)
        return mine << self._squares | theirs

    def _estimate(self, mine: int, theirs: int) -> int:
        """Return an estimate: each square on which only the other side loses is a move in hand.

        If every move completes a set, return the score of a loss.
        """
        losing = self._geometry.completing(mine, theirs)
        if losing == self._geometry.full & ~(mine | theirs):
            return 1 - WIN
        others_losing = self._geometry.completing(theirs, mine)
        in_hand = (others_losing & ~losing).bit_count() - (losing & ~others_losing).bit_count()
        return _SAFE_SQUARE * in_hand


class MisereSearch:
    """The search of all line boards on which owning a set loses.

    `work` bounds the cost of a move as in `LineSearch`.
    """

    def __init__(self, work: int, stop: Stop = NEVER):
        self._work = work
        self._stop = stop

    def quick_moves(self, view: LineView, plies: int, *, positional: bool = False) -> list[int]:
        """Return the indices of the moves that complete no set, of all moves if there are none.

        With no plies, return all moves; with two or more, only the less dangerous half. With
        `positional`, return the moves that a small search prefers.
        """
        if positional:
            small = MisereSearch(self._work // _HARD_DIVISOR, self._stop)
            return list(small.best(view).best)
        free = split(view.free)
        if not plies:
            return view.indices(free)
        negamax = Negamax(geometry(view.board), self._stop)
        moves = negamax.safe(view.mine, view.theirs) or free
        if plies > 1:
            dangers = {bit: negamax.danger(view.mine, view.theirs, bit) for bit in moves}
            most = sorted(dangers.values())[(len(moves) - 1) * _CAREFUL_PERCENT // 100]
            moves = [bit for bit, danger in dangers.items() if danger <= most]
        return view.indices(moves)

    def best(self, view: LineView) -> Findings:
        """Return the best moves with their value; if the budget is too small, with an estimate.

        Each part of the search has nodes of its own; iterative deepening after another part has
        half as many.
        """
        negamax = Negamax(geometry(view.board), self._stop)
        safe = negamax.safe(view.mine, view.theirs)
        if not safe:
            return Findings(view.indices(split(view.free)), Result.LOSS, 1)
        free = view.free.bit_count()
        nodes = left = self._nodes(view.board)
        proved: Findings | None = None
        if free <= _PROVED_SQUARES:
            negamax.allow(nodes)
            proved = self._prove(view, negamax, safe)
            if proved is not None and proved.result is Result.DRAW:
                return proved
            left = nodes // 2
        if view.board.squares <= _SOLVED_SQUARES or free <= _END_SQUARES:
            negamax.allow(nodes)
            try:
                return self._solve(view, negamax, safe)
            except OutOfNodes:
                left = nodes // 2
        negamax.allow(left)
        found = self._deepen(view, negamax, safe)
        return found if found.result is not None else proved or found

    def values(self, board: LineBoard, positions: Iterable[tuple[int, int]]) -> Iterator[Findings]:
        """Yield the value of each position, without moves, which would cost more.

        All values together may cost as much as a move.
        """
        negamax = Negamax(geometry(board), self._stop)
        nodes = self._nodes(board)
        negamax.allow(nodes + nodes // 2)
        for mine, theirs in positions:
            yield self._value(LineView(board, mine, theirs), negamax)

    def _value(self, view: LineView, negamax: Negamax) -> Findings:
        """Return the value without moves; the result is None if it can't be proved."""
        free = view.free.bit_count()
        if free > _PROVED_SQUARES:
            return Findings((), None)
        try:
            result = _result(view, negamax)
            if result is Result.DRAW or view.board.squares > _SOLVED_SQUARES:
                return Findings((), result)
            return _findings(view, (), negamax.score(view.mine, view.theirs, free), free)
        except OutOfNodes:
            return Findings((), None)

    def _nodes(self, board: LineBoard) -> int:
        """Return how many nodes each part of the search of a move may meet."""
        return self._work // max(len(board.sets), _LEAST_NODE_WORK)

    def _prove(self, view: LineView, negamax: Negamax, safe: Sequence[int]) -> Findings | None:
        """Return the result, with moves that lead to it, None if the budget is too small."""

        def holds(bit: int, *, win: bool) -> bool:
            return not negamax.reaches(view.theirs, view.mine | bit, win=not win)

        try:
            for bit in safe:
                if holds(bit, win=True):
                    return Findings([view.index(bit)], Result.WIN)
            drawing = [bit for bit in safe if holds(bit, win=False)]
        except OutOfNodes:
            return None
        return Findings(view.indices(drawing or safe), Result.DRAW if drawing else Result.LOSS)

    def _solve(self, view: LineView, negamax: Negamax, safe: Sequence[int]) -> Findings:
        """Return all best moves, by a search to the end of the game."""
        plies = view.free.bit_count()
        scores = {bit: negamax.score_after(view.mine, view.theirs, bit, plies) for bit in safe}
        best = max(scores.values())
        return _findings(view, [bit for bit, score in scores.items() if score == best], best, plies)

    def _deepen(self, view: LineView, negamax: Negamax, safe: Sequence[int]) -> Findings:
        """Return the best move found until the budget is spent or the value is known.

        At each depth the best move so far is searched first, and the others only until they are
        shown to be no better. What an unfinished depth has found counts as well, but no loss before
        all moves are shown to lose.

        A draw found at the last depth is proved even if that depth isn't finished. The depth before
        leaves one square empty, and `_estimate` sees whether the mark on it completes a set: a win
        with any of the moves would have been found there.
        """
        ordered = list(safe)
        choice, score, depth = safe[0], 0, 0
        last = view.free.bit_count()
        try:
            for plies in range(1, last + 1):
                best = -WIN
                for number, bit in enumerate(tuple(ordered), start=1):
                    found = negamax.score_after(view.mine, view.theirs, bit, plies, best)
                    if found > best:
                        best = found
                        ordered.remove(bit)
                        ordered.insert(0, bit)
                    if best > -DECIDED or number == len(ordered):
                        choice, score, depth = ordered[0], best, plies
                    else:  # all moves so far lose; the next one may not
                        choice = ordered[number]
                if abs(best) > DECIDED:
                    break
        except OutOfNodes:
            pass
        return self._with_line(view, negamax, choice, score, depth)

    def _with_line(
        self, view: LineView, negamax: Negamax, choice: int, score: int, depth: int
    ) -> Findings:
        """Return the findings of a move; a decided one has its line of play.

        A search from a later position may be too small to find that line again.
        """
        findings = _findings(view, [choice], score, depth)
        if findings.plies is None:
            return findings
        negamax.allow(self._nodes(view.board) * _LINE_PERCENT // 100)
        line = negamax.line(view.mine, view.theirs, choice, score, depth)
        return replace(findings, line=list(map(view.index, line)))


def _result(view: LineView, negamax: Negamax) -> Result:
    """Return the result of a position. Raises OutOfNodes."""
    if negamax.reaches(view.mine, view.theirs, win=True):
        return Result.WIN
    drawn = negamax.reaches(view.mine, view.theirs, win=False)
    return Result.DRAW if drawn else Result.LOSS


def _findings(view: LineView, bits: Sequence[int], score: int, plies: int) -> Findings:
    """Return what a score says, `plies` plies ahead of a position."""
    best = view.indices(bits)
    if abs(score) > DECIDED:
        return Findings(best, Result.WIN if score > 0 else Result.LOSS, WIN - abs(score))
    if plies == view.free.bit_count():
        return Findings(best, Result.DRAW)
    return Findings(best, None, outlook=0.5 + score / (abs(score) + _OUTLOOK_SCALE) / 2)
