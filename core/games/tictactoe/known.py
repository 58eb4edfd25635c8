"""Known results about the boards of tic-tac-toe: forced wins, and draws."""

from core.options import Options

# The plies of X's win with a line of four on a torus three squares wide, by its longer side.
_FOUR_ON_NARROW_TORUS = {4: 9, 5: 11, 7: 13, 8: 15, 9: 15, 10: 15}
# The largest boards that are known to be drawn, by the length of the line; smaller boards are
# drawn, too. Those with a line of six or more are proved by pairing strategies, 6x9 and 5x10 with a
# line of five by such strategies after up to five replies (core/engine/books/make/holding.c), 6x6
# by the book, and the others in C. Hsu et al., *Solving 7,7,5-game and 8,8,5-game*, 2020.
_DRAWN = {5: {(8, 8), (6, 9), (5, 10)}, 6: {(8, 8), (6, 10)}}
_DRAWN_FROM_LINE = 7
PROVED = frozenset({"classic", "corners", "torus"})
"""The variants whose forced wins are proved; in misère there is none."""


def forced_win(options: Options) -> int | None:
    """Return the plies of X's forced win, None if there is none or none is known.

    `tests/core/engine/lines/test_forced_wins.py` proves every size. With a line of 3, the win takes
    7 plies on three rows or columns and 5 on larger boards; 3x3 is a draw, except on a torus, which
    has no edge to defend at. With a line of 4, it takes 11 plies from 5x6 on, and on a torus from
    5x5 on; smaller tori differ. The four corners change no win.
    """
    short, long = sorted(int(options[name]) for name in ("rows", "columns"))
    torus = options["variant"] == "torus"
    if options["variant"] not in PROVED:
        return None
    if options["line"] == 4:
        if torus and short == 3:
            return _FOUR_ON_NARROW_TORUS.get(long)
        if torus and short == 4:
            return 9 if long > 4 else None
        return 11 if short > 4 and (long > 5 or torus) else None
    if options["line"] != 3 or (long == 3 and not torus):
        return None
    return 7 if long == 3 or (short == 3 and not torus) else 5


def drawn(columns: int, rows: int, line: int, variant: str) -> bool:
    """Return whether it is known that nobody can force a line, whatever the first mark is."""
    if variant != "classic":
        return False
    lower, upper = sorted((columns, rows))
    fits = any(lower <= short and upper <= long for short, long in _DRAWN.get(line, ()))
    return fits or line >= _DRAWN_FROM_LINE
