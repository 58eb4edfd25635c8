"""Iterative deepening: how soon a line game is won, and which moves are best.

Wins are searched one move deeper at a time, so the first one found is the shortest. Once a step is
dear, the solver tells who wins in the end: then only that side's wins are searched for their
distance, and a draw needs none.
"""

from collections.abc import Sequence

from core.engine.lines.candidates import Candidates
from core.engine.lines.found import Found
from core.engine.lines.solver import solve, verify
from core.engine.search import OutOfNodes
from core.outcome import Result

# A step of deepening that meets more nodes than this is dear.
_DEAR_STEP_NODES = 15
# With some moves refuted already, the solver is asked from this depth on, however cheap steps are.
_SOLVE_FROM_MOVES = 3


def deepen(
    candidates: Candidates, known: Result | None = None, leading: Sequence[int] = ()
) -> Found:
    """Return the best moves and the value of a position, as far as the budget goes.

    If the result is `known`, only the moves that lead to it and its distance are searched.
    `leading` are moves that are known to lead to it.
    """
    moves = kept = candidates.moves()
    result, winning = verify(candidates, known) if known and not leading else (known, leading)
    solved = known is not None
    depth = 1
    try:
        while result is not Result.DRAW:
            before = candidates.budget.spent
            if result is not Result.LOSS and candidates.can_win(depth):
                return _won(candidates, depth)
            dear = _is_dear(candidates, before, depth)
            defend = solved or not dear
            if defend and result is not Result.WIN:
                safe = candidates.safe(kept, depth)
                if not safe:
                    return _lost(candidates, kept, depth)
                kept = safe
            dear = dear or _is_dear(candidates, before, depth)
            pressed = len(kept) < len(moves) and depth >= _SOLVE_FROM_MOVES
            if not solved and (dear or pressed):
                result, winning = solve(candidates)
                solved = True
            depth += defend  # if the defence was put off, the same depth is searched again
        return Found(candidates.most(candidates.drawing(kept), candidates.traps), Result.DRAW)
    except OutOfNodes:
        return _unfinished(candidates, kept, result, winning)


def deepen_known(candidates: Candidates, result: Result, plies: int | None) -> Found:
    """Return the best moves of a position with a known result, in `plies` if known."""
    if plies is None:
        return deepen(candidates, result)
    moves = candidates.moves()
    try:
        if result is Result.WIN:
            return _won(candidates, (plies + 1) // 2)
        return _lost(candidates, candidates.proved_safe(moves, plies // 2 - 1), plies // 2)
    except OutOfNodes:  # a loss is certain with any move, a win only with the right one
        return _unfinished(candidates, moves, None if result is Result.WIN else result)


def _is_dear(candidates: Candidates, before: int, depth: int) -> bool:
    """Return whether the step to `depth` is dear, with `before` nodes spent at its start."""
    return depth >= candidates.shallow_moves or candidates.budget.spent - before > _DEAR_STEP_NODES


def _won(candidates: Candidates, depth: int) -> Found:
    return Found(candidates.winning(depth), Result.WIN, 2 * depth - 1)


def _lost(candidates: Candidates, longest: Sequence[int], depth: int) -> Found:
    best = candidates.most(longest, lambda bit: candidates.slips(bit, depth))
    return Found(best, Result.LOSS, 2 * depth)


def _unfinished(
    candidates: Candidates, kept: Sequence[int], result: Result | None, winning: Sequence[int] = ()
) -> Found:
    """Return what is known when the budget is spent: the result without its distance, if any.

    If it is a win, `winning` are moves that win.
    """
    if result is Result.WIN:
        return Found(candidates.most(winning, candidates.traps), result)
    lost = result if result is Result.LOSS else None  # which of the kept moves draw isn't known
    best = candidates.most(kept, candidates.traps)
    return Found(best, lost, outlook=candidates.estimate())
