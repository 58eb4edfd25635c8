"""Tic-tac-toe on any board: m columns, n rows, k in a row, and variants of what wins."""

from dataclasses import replace
from random import Random

from core.errors import OptionError, PositionError
from core.game import Game
from core.games.mnk_board import VARIANTS, board
from core.games.mnk_known import forced_win, solved
from core.games.mnk_position import EMPTY, MARKS, MnkPosition, marked
from core.games.mnk_swap import Swap
from core.options import ON, Choice, Flag, Number, Option, Options

_SIDE = (3, 10)
_LONGEST_DEFAULT_LINE = 5


class TicTacToe(Game):
    """Two seats, X first; 3 to 10 rows and columns; a line of 3 up to the longer side."""

    key = "tictactoe"
    marks = MARKS
    declared = (
        Number("rows", *_SIDE),
        Number("columns", *_SIDE),
        Number("line", *_SIDE),
        Choice("variant", tuple(VARIANTS)),
        Flag("swap"),
    )

    def fitting(self, given: Options) -> tuple[Option, ...]:
        """Return the options, with no line longer than the longer side that is given."""
        sides = [side for name in ("rows", "columns") if isinstance(side := given.get(name), int)]
        longest = min(max(sides, default=_SIDE[0]), _SIDE[1])
        return (*self.declared[:2], Number("line", _SIDE[0], longest), *self.declared[3:])

    def complete(self, given: dict[str, int | str]) -> dict[str, int | str]:
        """Fill in a square board of the side given (3 unless told) and a line of up to five."""
        full = super().complete(given)
        rows = int(full.setdefault("rows", full.get("columns", _SIDE[0])))
        columns = int(full.setdefault("columns", rows))
        full.setdefault("line", min(rows, columns, _LONGEST_DEFAULT_LINE))
        return full

    def start(self, options: Options, rng: Random) -> MnkPosition:
        """Return the empty board."""
        rows, columns, line = (int(options[name]) for name in ("rows", "columns", "line"))
        swap = Swap.ALLOWED if _swaps(options) else Swap.NONE
        return MnkPosition(board(columns, rows, line, str(options["variant"])), swap=swap)

    def parse(self, text: str) -> MnkPosition:
        """Return the position written as ``variant line top/.../bottom``; raise PositionError.

        The swap rule follows, while it is to come or once it was used: `Swap.suffix`.
        """
        try:
            variant, line, diagram, *rule = text.split(" ")
            swap = Swap(" ".join(rule))
            rows = diagram.split("/")[::-1]
            options = self.resolve(
                {"rows": len(rows), "columns": len(rows[0]), "line": int(line), "variant": variant}
            )
        except (ValueError, OptionError) as error:
            raise PositionError(text) from error
        if {len(row) for row in rows} != {len(rows[0])} or set("".join(rows)) - {*MARKS, EMPTY}:
            raise PositionError(text)
        # int() also reads "03", "+3" and other scripts' digits.
        if line != str(options["line"]) or bool(rule) != bool(swap):
            raise PositionError(text)
        empty = self.start(options, Random())
        return marked(replace(empty, swap=swap), "".join(rows), text)

    def forced_win(self, options: Options) -> int | None:
        """Return the plies of the first player's forced win: a line of 3 on all but 3x3.

        A line of 4 is proved on a few boards only. With the swap rule there is none: the second
        player may take over what wins.
        """
        return None if _swaps(options) else forced_win(options)

    def evened(self, options: Options) -> Options:
        """Return `options` with the swap rule where seat 0 wins by force and squares differ.

        On a torus all are alike, and so there is nothing to choose.
        """
        if self.forced_win(options) is None or options["variant"] == "torus":
            return options
        return self.resolve({**options, "swap": ON})

    def solved(self, options: Options) -> bool:
        """Return whether the computer proves the value of every position, in about a second."""
        return solved(options, swap=_swaps(options))


def _swaps(options: Options) -> bool:
    return options.get("swap") == ON
