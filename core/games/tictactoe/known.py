"""Known results about the boards of tic-tac-toe: forced wins, and draws."""

from core.options import Options

# The shorter and longer side of the boards on which X forces four in a row, proved by the engine.
_FOUR_FORCED = {(5, 6), (6, 6), (6, 7), (7, 7)}
# By their line, the largest boards that are known to be drawn; smaller ones are, too. Those with a
# line of six or more are proved by pairing strategies, 6x9 and 5x10 with a line of five by such
# strategies after up to five replies (core/engine/books/make/holding.c), 6x6 by the book, and the
# others in C. Hsu et al., *Solving 7,7,5-game and 8,8,5-game*, 2020.
_DRAWN = {5: {(8, 8), (6, 9), (5, 10)}, 6: {(8, 8), (6, 10)}}
_DRAWN_FROM_LINE = 7


def forced_win(options: Options) -> int | None:
    """Return the plies of X's forced win, None if there is none or none is known.

    `tests/core/engine/lines/test_forced_wins.py` proves every size. With a line of 3, the win takes
    7 plies on three rows or columns and 5 on larger boards; 3x3 is a draw, except on a torus,
    which has no edge to defend at. The variant with four corners doesn't differ. With a line of 4,
    a win is proved on a few boards only.
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


def drawn(options: Options) -> bool:
    """Return whether it is known that nobody can force a line, whatever the first mark is."""
    line, sides = int(options["line"]), sorted(int(options[name]) for name in ("rows", "columns"))
    if options["variant"] != "classic":
        return False
    known = _DRAWN.get(line, set())
    fits = any(sides[0] <= short and sides[1] <= long for short, long in known)
    return fits or line >= _DRAWN_FROM_LINE
