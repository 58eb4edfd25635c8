"""Tic-tac-toe on any board: m columns, n rows, k in a row, and variants of what wins."""

from dataclasses import replace
from random import Random

from core.errors import OptionError, PositionError
from core.game import Example, Game
from core.games.tictactoe.board import VARIANTS, board
from core.games.tictactoe.known import PROVED, forced_win
from core.games.tictactoe.position import MARKS, MnkPosition, with_marks
from core.games.tictactoe.solved import solved
from core.games.tictactoe.swap import Swap
from core.options import ON, Choice, Flag, Number, Option, Options
from core.position import Position

_SIDE = (3, 10)
_LONGEST_DEFAULT_LINE = 5


class TicTacToe(Game):
    """Two seats, X first.

    Options: `rows` and `columns` (3 to 10), `line` (3 up to the longer side), `variant` (in
    `misere` a line loses, with `corners` the four corners win as well, a `torus` has no edges), and
    `swap` for the pie rule.
    """

    key = "tictactoe"
    marks = MARKS
    example = Example("classic 3 .../.../...", ("b2", "a1", "c1", "a2", "a3"))
    declared = (
        Number("rows", *_SIDE),
        Number("columns", *_SIDE),
        Number("line", *_SIDE),
        Choice("variant", tuple(VARIANTS)),
        Flag("swap"),
    )

    def fitting(self, given: Options) -> tuple[Option, ...]:
        """Return the options, with no line longer than the longer of the sides that are given."""
        sides = [side for name in ("rows", "columns") if isinstance(side := given.get(name), int)]
        longest = min(max(sides, default=_SIDE[1]), _SIDE[1])
        return (*self.declared[:2], Number("line", _SIDE[0], longest), *self.declared[3:])

    def complete(self, given: dict[str, int | str]) -> dict[str, int | str]:
        """Fill in a square board and a line of at most five.

        If no side is given, the board is as large as the line needs; without a line it is 3x3.
        """
        full = super().complete(given)
        least = full.get("line", _SIDE[0])
        rows = int(full.setdefault("rows", full.get("columns", least)))
        columns = int(full.setdefault("columns", rows))
        full.setdefault("line", min(rows, columns, _LONGEST_DEFAULT_LINE))
        return full

    def start(self, options: Options, rng: Random) -> MnkPosition:
        """Return the empty board."""
        rows, columns, line = (int(options[name]) for name in ("rows", "columns", "line"))
        swap = Swap.ALLOWED if _swaps(options) else Swap.NONE
        return MnkPosition(board(columns, rows, line, str(options["variant"])), swap=swap)

    def parse(self, notation: str) -> MnkPosition:
        """Return the position written as ``variant line top/.../bottom``; raise PositionError.

        While a swap is possible, and after one, a word about it follows (`Swap`).
        """
        try:
            variant, line, diagram, *rule = notation.split(" ")
            swap = Swap(" ".join(rule))
            rows = diagram.split("/")[::-1]
            options = self.resolve(
                {"rows": len(rows), "columns": len(rows[0]), "line": int(line), "variant": variant}
            )
        except (ValueError, OptionError) as error:
            raise PositionError(notation) from error
        empty = self.start(options, Random())
        position = with_marks(replace(empty, swap=swap), "".join(rows), notation)
        if position.notation != notation:  # a short row, another letter, 03 for 3 ...
            raise PositionError(notation)
        return position

    def can_occur(self, position: Position, options: Options) -> bool:
        """Return whether size, line, variant and the state of the swap rule are of `options`."""
        start = self.start(options, Random())
        if not isinstance(position, MnkPosition) or position.board != start.board:
            return False
        swapped = position.swap is Swap.DONE and start.swap is Swap.ALLOWED
        return swapped or position.swap is start.swap.after(position.placed)

    def forced_win(self, options: Options) -> int | None:
        """Return the plies of the first player's forced win, if one is known.

        With the swap rule there is none: the second player may take over the winning side.
        """
        return None if _swaps(options) else forced_win(options)

    def one_sided(self, options: Options) -> bool:
        """Return whether a win is forced, unless the swap rule is on and the board no torus."""
        helps = _swaps(options) and options["variant"] != "torus"
        return forced_win(options) is not None and not helps

    def evened(self, options: Options) -> Options:
        """Return `options` with the swap rule if seat 0 wins by force.

        On a torus all squares are alike: no first mark is worse than another, so the rule would
        only hand the win to seat 1.
        """
        if self.forced_win(options) is None or options["variant"] == "torus":
            return options
        return self.resolve({**options, "swap": ON})

    def worse_seat(self, options: Options) -> int:
        """Return seat 0 under the swap rule, since seat 1 chooses, and in misère; else seat 1.

        In misère a mark is a burden: seat 0 wins no solved board by force, and of those with lines
        of three it loses all but 3x3. In the other variants an extra mark does no harm, so seat 0
        never has the worse chances.
        """
        return 0 if _swaps(options) or options["variant"] == "misere" else 1

    def drawn(self, options: Options) -> bool:
        """Return whether it is known that nobody wins by force, with the swap rule or without.

        On a board that is solved, every forced win of X is known, and O has none, since an extra
        mark does no harm. In misère it does.
        """
        if self.start(options, Random()).board.lines.drawn:
            return True
        proved = options["variant"] in PROVED and solved(options, swap=False)
        return proved and forced_win(options) is None

    def solved(self, options: Options) -> bool:
        """Return whether the computer proves the value of every position, in about a second."""
        return solved(options, swap=_swaps(options))


def _swaps(options: Options) -> bool:
    return options.get("swap") == ON
