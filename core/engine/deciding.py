"""The best moves of a position of a line game by search, exactly or as far as the budget goes."""

from collections.abc import Sequence

from core.engine.analysis import Findings
from core.engine.attack import OutOfNodes
from core.engine.study import Study
from core.outcome import Result

# Forced wins are looked for one move deeper at a time until a step has met so many positions, or is
# as deep as the board makes probable. Then comes the question whether there is any win at all.
_STEP_NODES = 30
# Nor is it put off for longer when the other side threatens to win.
_PRESSED = 3


def searched(study: Study, known: Result | None = None, leading: Sequence[int] = ()) -> Findings:
    """Look one move deeper at a time; once that gets dear, ask what is true for ever.

    Where the result is `known`, what is asked first is which moves lead to it, unless those that do
    are known as well.
    """
    choices = kept = study.choices()
    settled, moves, asked = (known if leading else None), 1, known is not None
    try:
        if known is not None and not leading:
            settled = study.confirm(known)
        while settled is not Result.DRAW:
            before = study.budget.nodes
            if settled is not Result.LOSS and study.can_win(moves):
                return _won(study, moves)
            dear = moves >= study.shallow or study.budget.nodes - before > _STEP_NODES
            defended = asked or not dear
            if defended and settled is not Result.WIN:
                held = study.lasting(kept, moves)
                if not held:
                    return _lost(study, kept, moves)
                kept = held
            dear = dear or study.budget.nodes - before > _STEP_NODES
            pressed = len(kept) < len(choices)
            if not asked and (dear or (pressed and moves >= _PRESSED)):
                settled, asked = study.settle(), True
            moves += defended  # else the same again, now that the result may be known
        return Findings(study.most(study.holding(kept), study.traps), Result.DRAW)
    except OutOfNodes:
        return _unfinished(study, kept, settled, leading)


def valued(study: Study, result: Result, plies: int | None) -> Findings:
    """Return the best moves of a position whose value is known, except perhaps how many plies."""
    if plies is None:
        return searched(study, result)
    choices = study.choices()
    try:
        if result is Result.WIN:
            return _won(study, (plies + 1) // 2)
        return _lost(study, study.outlasting(choices, plies // 2 - 1), plies // 2)
    except OutOfNodes:  # any move leads to a loss, but which to the win isn't known
        return _unfinished(study, choices, None if result is Result.WIN else result)


def _won(study: Study, moves: int) -> Findings:
    return Findings(study.winning(moves), Result.WIN, 2 * moves - 1)


def _lost(study: Study, longest: Sequence[int], moves: int) -> Findings:
    best = study.most(longest, lambda bit: study.slips(bit, moves))
    return Findings(best, Result.LOSS, 2 * moves)


def _unfinished(
    study: Study, kept: Sequence[int], settled: Result | None, leading: Sequence[int] = ()
) -> Findings:
    """Return what is known when the budget is spent: the result without its length, if any."""
    if settled is Result.WIN:
        return Findings(study.most(leading, study.traps) if leading else study.plan(), settled)
    known = settled if settled is Result.LOSS else None  # which of the kept moves draws isn't
    return Findings(study.most(kept, study.traps), known, outlook=study.estimate())
