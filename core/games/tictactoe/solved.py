"""Boards of tic-tac-toe that the computer solves."""

from core.games.tictactoe.board import VARIANTS, board
from core.options import Options

# The largest number of deciding sets, by their length, with which every position was solved in time
# (see `solved`). With sets of three, a mark in a corner takes longest; a torus has no corners.
_SETS_SOLVED = {3: 255, 4: 21}
_SETS_SOLVED_TORUS = {3: 400, 4: 24}
_SETS_SOLVED_LONGER = 28
# With the swap rule the value of a first mark in a corner has to be proved as well.
_SETS_SOLVED_SWAPPING = 200
_SQUARES_SOLVED_MISERE = 12
_BY_BOOK = {("classic", 4, 5, 5)}


def solved(options: Options, *, swap: bool) -> bool:
    """Return whether the computer proves the value of every position in about a second.

    Measured in docs/engine.md: it depends on the number of deciding sets and their length. An
    opening book carries one board over the limit.
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
