"""Tic-tac-toe on any board: m columns, n rows, k in a row, and variants of what wins.

A position keeps one bitboard per seat (bit i is square i of the grid), and a move is tested only
against the deciding sets through its square.
"""

from dataclasses import dataclass, field
from random import Random

from core.errors import Illegal, IllegalMove, MatchOver, OptionError, PositionError
from core.game import Blank, Choice, Game, Number, Options, Outcome, Termination
from core.games.mnk_board import VARIANTS, Board, board, completed
from core.grid import Grid, Move, Square
from core.views import LineView

_SIDE = (3, 10)
_LONGEST_DEFAULT_LINE = 5
_MARKS = ("X", "O")
_EMPTY = "."

# Up to how many deciding sets of a length every position has been solved (see `solved`).
_SETS_SOLVED = {3: 1_000, 4: 24}
_SETS_SOLVED_LONGER = 28
_SQUARES_SOLVED_MISERE = 12
# Shorter and longer side of the boards on which X forces four in a row, proved by the engine.
_FOUR_FORCED = {(5, 6), (6, 6), (6, 7), (7, 7)}
_BY_BOOK = {("classic", 4, 5, 5), ("classic", 5, 6, 6)}


@dataclass(frozen=True)
class MnkPosition:
    """Marks on a board: `marks[seat]` is a bitboard; `decided` unites the sets just completed."""

    board: Board
    marks: tuple[int, int] = (0, 0)
    decided: int = field(default=0, compare=False)

    @property
    def grid(self) -> Grid:
        """The board's size."""
        return self.board.grid

    @property
    def mover(self) -> int:
        """The seat whose turn it is by the count of marks, even when the game is over."""
        return (self.marks[0].bit_count() + self.marks[1].bit_count()) % 2

    @property
    def over(self) -> bool:
        """Whether a set is completed or the board is full."""
        return bool(self.decided) or self.marks[0] | self.marks[1] == self.board.full

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""
        return None if self.over else self.mover

    def content(self, square: Square) -> int | Blank:
        """Return the seat that marked `square`, or Blank.OPEN."""
        bit = 1 << self.grid.index(square)
        return next((s for s, marks in enumerate(self.marks) if marks & bit), Blank.OPEN)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return a drop on each empty square, from a1 row by row; none when the game is over."""
        if self.over:
            return ()
        taken = self.marks[0] | self.marks[1]
        return tuple(Move(s) for i, s in enumerate(self.grid.squares) if not taken >> i & 1)

    def play(self, move: Move) -> "MnkPosition":
        """Return the position with the mover's mark on ``move.to``; raise as the protocol says."""
        if self.over:
            raise MatchOver
        if move.origin is not None:
            raise IllegalMove(move, Illegal.NOT_YOUR_MAN)
        if move.to not in self.grid:
            raise IllegalMove(move, Illegal.OFF_BOARD)
        index = self.grid.index(move.to)
        if (self.marks[0] | self.marks[1]) >> index & 1:
            raise IllegalMove(move, Illegal.TAKEN)
        marks = list(self.marks)
        marks[self.mover] |= 1 << index
        return MnkPosition(
            self.board,
            (marks[0], marks[1]),
            completed(marks[self.mover], self.board.through[index]),
        )

    def outcome(self) -> Outcome | None:
        """Return the result of a completed set or of a full board, None while the game goes on."""
        if self.decided:
            squares = frozenset(s for i, s in enumerate(self.grid.squares) if self.decided >> i & 1)
            owner = 0 if self.marks[0] & self.decided else 1
            ends = Outcome.won if VARIANTS[self.board.variant].owner_wins else Outcome.lost
            return ends(owner, 2, Termination.LINE, squares)
        return Outcome.drawn(2, Termination.FULL) if self.over else None

    @property
    def view(self) -> LineView:
        """The marks of the seat to move and of the other one."""
        return LineView(self.board.lines, self.marks[self.mover], self.marks[1 - self.mover])

    def __str__(self) -> str:
        letters = {0: _MARKS[0], 1: _MARKS[1], Blank.OPEN: _EMPTY}
        rows = (
            "".join(letters[self.content(Square(c, r))] for c in range(self.grid.columns))
            for r in reversed(range(self.grid.rows))
        )
        return f"{self.board.variant} {self.board.line} {'/'.join(rows)}"


class TicTacToe(Game):
    """Two seats, X first; 3 to 10 rows and columns; a line of 3 up to the longer side."""

    key = "tictactoe"
    marks = _MARKS
    declared = (
        Number("rows", *_SIDE),
        Number("columns", *_SIDE),
        Number("line", *_SIDE),
        Choice("variant", tuple(VARIANTS)),
    )

    def fitting(self, given: Options) -> tuple[Number | Choice, ...]:
        """Return the options, with no line longer than the longer side that is given."""
        sides = [side for name in ("rows", "columns") if isinstance(side := given.get(name), int)]
        longest = min(max(sides, default=_SIDE[0]), _SIDE[1])
        rows, columns, _, variant = self.declared
        return (rows, columns, Number("line", _SIDE[0], longest), variant)

    def complete(self, given: dict[str, int | str]) -> dict[str, int | str]:
        """Fill in a square board of the side given (3 unless told) and a line of up to five."""
        full = super().complete(given)
        rows = int(full.setdefault("rows", full.get("columns", _SIDE[0])))
        columns = int(full.setdefault("columns", rows))
        full.setdefault("line", min(rows, columns, _LONGEST_DEFAULT_LINE))
        return full

    def start(self, options: Options, rng: Random) -> MnkPosition:
        """Return the empty board."""
        return MnkPosition(
            board(
                int(options["columns"]),
                int(options["rows"]),
                int(options["line"]),
                str(options["variant"]),
            )
        )

    def parse(self, text: str) -> MnkPosition:
        """Return the position written as ``variant line top/.../bottom``; raise PositionError."""
        try:
            variant, line, diagram = text.split(" ")
            rows = diagram.split("/")[::-1]
            options = self.resolve(
                {"rows": len(rows), "columns": len(rows[0]), "line": int(line), "variant": variant}
            )
        except (ValueError, OptionError) as error:
            raise PositionError(text) from error
        if {len(row) for row in rows} != {len(rows[0])} or set("".join(rows)) - {*_MARKS, _EMPTY}:
            raise PositionError(text)
        if line != str(options["line"]):  # int() also reads "03", "+3" and other scripts' digits
            raise PositionError(text)
        empty = self.start(options, Random())
        return _marked(empty, "".join(rows), text)

    def forced_win(self, options: Options) -> int | None:
        """Return the plies of the first player's forced win: a line of 3 on all but 3x3.

        shared/RULES.md's table, and `tests/core/test_forced_wins.py`, which proves every size: on
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

    def solved(self, options: Options) -> bool:
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
        sets = board(columns, rows, line, variant).lines.sets
        return len(sets) <= _SETS_SOLVED.get(line, _SETS_SOLVED_LONGER)


def _marked(empty: MnkPosition, letters: str, text: str) -> MnkPosition:
    """Put `letters` (in grid order) on an `empty` board; raise PositionError for odd counts."""
    marks = tuple(sum(1 << i for i, x in enumerate(letters) if x == mark) for mark in _MARKS)
    if marks[0].bit_count() - marks[1].bit_count() not in (0, 1):
        raise PositionError(text)
    sets = {mask for through in empty.board.through for mask in through}
    decided = [completed(mine, tuple(sets)) for mine in marks]
    if decided[(marks[0] | marks[1]).bit_count() % 2]:  # only who moved last can have decided it
        raise PositionError(text)
    return MnkPosition(empty.board, (marks[0], marks[1]), decided[0] | decided[1])
