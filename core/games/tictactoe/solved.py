"""Boards of tic-tac-toe that the computer solves.

The limits were measured with the engine's usual budget. They stand with the game because they speak
of its variants and its rules, which the engine doesn't know.
"""

from core.games.tictactoe.board import VARIANTS, board
from core.options import Options

# Boards with at most this many squares are solved, however many sets they have.
_SQUARES_SOLVED, _SQUARES_SOLVED_MISERE = 16, 12
# Every position on a torus is solved up to these numbers of sets, by their length: more than
# elsewhere (`LineBoard.provable`). With sets of three, a first mark in a corner takes longest to
# solve, and a torus has no corners.
_SETS_SOLVED_TORUS = {3: 400, 4: 24}
# The most sets with the swap rule: the value of a first mark in a corner has to be proved as well.
_SETS_SOLVED_SWAPPING = 200
_BY_BOOK = {("classic", 4, 5, 5)}


def solved(options: Options, *, swap: bool) -> bool:
    """Return whether the computer proves the value of every position in about a second.

    Measured in docs/measurements.md: it depends on the number of squares, or of deciding sets and
    their length. An opening book carries one board over the limit.
    """
    rows, columns, line = (int(options[name]) for name in ("rows", "columns", "line"))
    variant = str(options["variant"])
    if (variant, line, rows, columns) in _BY_BOOK:
        return True
    if not VARIANTS[variant].owner_wins:
        return rows * columns <= _SQUARES_SOLVED_MISERE
    if rows * columns <= _SQUARES_SOLVED:
        return True
    lines = board(columns, rows, line, variant).lines
    if swap and len(lines.sets) > _SETS_SOLVED_SWAPPING:
        return False
    on_torus = variant == "torus" and len(lines.sets) <= _SETS_SOLVED_TORUS.get(line, 0)
    return lines.provable or on_torus
