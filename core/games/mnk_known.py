"""What is known about the boards of tic-tac-toe: who wins by force, and what can be proved."""

from core.games.mnk_board import VARIANTS, board
from core.options import Options

# Up to how many deciding sets of a length every position has been solved (see `solved`): of sets of
# three it is a mark in a corner that takes longest, and a torus has none.
_SETS_SOLVED = {3: 255, 4: 24}
_SETS_SOLVED_TORUS = {3: 400, 4: 24}
_SETS_SOLVED_LONGER = 28
# Where sides may be changed, what a mark in a corner leads to has to be proved as well.
_SETS_SOLVED_SWAPPING = 200
_SQUARES_SOLVED_MISERE = 12
# Shorter and longer side of the boards on which X forces four in a row, proved by the engine.
_FOUR_FORCED = {(5, 6), (6, 6), (6, 7), (7, 7)}
_BY_BOOK = {("classic", 4, 5, 5), ("classic", 5, 6, 6)}


def forced_win(options: Options) -> int | None:
    """Return the plies of X's forced win, None where there is none or none is known.

    shared/RULES.md's table; `tests/core/engine/lines/test_forced_wins.py` proves every size. On
    three rows or columns the win takes 7 plies, on larger boards 5. That owning the corners
    wins as well changes nothing; a torus has no edge to defend at, so there even 3x3 falls.
    A line of 4 is proved on a few boards only.
    """
    rows, columns = int(options["rows"]), int(options["columns"])
    variant = options["variant"]
    if (variant, options["line"]) == ("classic", 4):
        return 11 if (min(rows, columns), max(rows, columns)) in _FOUR_FORCED else None
    if variant == "misere" or options["line"] != 3:
        return None
    if rows == columns == 3:
        return 7 if variant == "torus" else None
    return 5 if variant == "torus" or min(rows, columns) > 3 else 7


def solved(options: Options, *, swap: bool) -> bool:
    """Return whether the computer proves the value of every position, in about a second.

    Measured (docs/engine.md): what decides is how many deciding sets there are, and how long
    they are. Books of first moves carry two boards over their limit.
    """
    rows, columns, line = (int(options[name]) for name in ("rows", "columns", "line"))
    variant = str(options["variant"])
    if (variant, line, rows, columns) in _BY_BOOK:
        return True
    if not VARIANTS[variant].owner_wins:
        return rows * columns <= _SQUARES_SOLVED_MISERE
    sets = len(board(columns, rows, line, variant).lines.sets)
    if swap and sets > _SETS_SOLVED_SWAPPING:
        return False
    most = _SETS_SOLVED_TORUS if variant == "torus" else _SETS_SOLVED
    return sets <= most.get(line, _SETS_SOLVED_LONGER)
