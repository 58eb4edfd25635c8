"""Tic-tac-toe on any board: m columns, n rows, k in a row, and variants of what wins.

What decides a game is data: sets of squares, all of which one seat must own. A variant is one
declaration of such sets and of what completing one means. A position keeps one bitboard per seat
(bit i is square i of the grid), and a move is tested only against the sets through its square.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from core.errors import Illegal, IllegalMove, MatchOver, OptionError, PositionError
from core.game import Blank, Choice, Game, Number, Options, Outcome, Termination
from core.grid import Grid, Move, Square

_SIDE = (3, 10)
_LONGEST_DEFAULT_LINE = 5
_MARKS = ("X", "O")
_EMPTY = "."


def _runs(grid: Grid, line: int) -> Iterable[frozenset[Square]]:
    return grid.runs(line)


def _wrapped_runs(grid: Grid, line: int) -> Iterable[frozenset[Square]]:
    return grid.runs(line, wrap=True)


def _runs_and_corners(grid: Grid, line: int) -> Iterable[frozenset[Square]]:
    yield from grid.runs(line)
    yield frozenset(Square(c, r) for c in (0, grid.columns - 1) for r in (0, grid.rows - 1))


@dataclass(frozen=True)
class Variant:
    """Which sets of squares decide a game, and for whom: their owner wins, or else loses."""

    sets: Callable[[Grid, int], Iterable[frozenset[Square]]] = _runs
    owner_wins: bool = True


VARIANTS = {
    "classic": Variant(),
    "misere": Variant(owner_wins=False),
    "corners": Variant(sets=_runs_and_corners),
    "torus": Variant(sets=_wrapped_runs),
}


@dataclass(frozen=True)
class Board:
    """What stays the same throughout a game: the size, the line, and the deciding sets."""

    grid: Grid
    line: int
    variant: str
    through: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)

    @property
    def full(self) -> int:
        """The bitboard of all squares."""
        return (1 << len(self.grid.squares)) - 1


@lru_cache(maxsize=64)
def board(columns: int, rows: int, line: int, variant: str) -> Board:
    """Return the board; `through[i]` are the bitboards of the deciding sets that hold square i."""
    grid = Grid(columns, rows)
    masks = [
        sum(1 << grid.index(s) for s in squares) for squares in VARIANTS[variant].sets(grid, line)
    ]
    through = tuple(
        tuple(mask for mask in masks if mask >> i & 1) for i in range(len(grid.squares))
    )
    return Board(grid, line, variant, through)


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
            _completed(marks[self.mover], self.board.through[index]),
        )

    def outcome(self) -> Outcome | None:
        """Return the result of a completed set or of a full board, None while the game goes on."""
        if self.decided:
            squares = frozenset(s for i, s in enumerate(self.grid.squares) if self.decided >> i & 1)
            owner = 0 if self.marks[0] & self.decided else 1
            ends = Outcome.won if VARIANTS[self.board.variant].owner_wins else Outcome.lost
            return ends(owner, 2, Termination.LINE, squares)
        return Outcome.drawn(2, Termination.FULL) if self.over else None

    def wins(self, seat: int) -> tuple[Move, ...]:
        """Return the drops with which `seat`, were it to move, would win at once."""
        if not VARIANTS[self.board.variant].owner_wins:
            return ()
        mine = self.marks[seat]
        return tuple(
            move
            for move in self.legal_moves()
            if _completed(mine | 1 << (i := self.grid.index(move.to)), self.board.through[i])
        )

    def developing(self) -> tuple[Move, ...]:
        """Return the drops on the squares through which most sets are still open to the mover.

        A set that the mover has begun counts more than an untouched one. Where sets lose, the
        drops through which fewest are open.
        """
        mine, theirs = self.marks[self.mover], self.marks[1 - self.mover]
        worth = {
            move: sum(
                1 + (mask & mine).bit_count()
                for mask in self.board.through[self.grid.index(move.to)]
                if not mask & theirs
            )
            for move in self.legal_moves()
        }
        if not VARIANTS[self.board.variant].owner_wins:
            least = min(worth.values(), default=0)
            return tuple(move for move, value in worth.items() if value == least)
        best = max(worth.values(), default=0)
        return tuple(move for move, value in worth.items() if value == best > 0)

    def __str__(self) -> str:
        letters = {0: _MARKS[0], 1: _MARKS[1], Blank.OPEN: _EMPTY}
        rows = (
            "".join(letters[self.content(Square(c, r))] for c in range(self.grid.columns))
            for r in reversed(range(self.grid.rows))
        )
        return f"{self.board.variant} {self.board.line} {'/'.join(rows)}"


def _completed(mine: int, sets: tuple[int, ...]) -> int:
    """Return the union of those `sets` that `mine` owns whole, 0 for none."""
    union = 0
    for mask in sets:
        if mask & mine == mask:
            union |= mask
    return union


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

    def complete(self, given: dict[str, int | str]) -> dict[str, int | str]:
        """Fill in a square board of the side given (3 unless told) and a line of up to five.

        Raises OptionError for a line longer than the longer side.
        """
        full = super().complete(given)
        rows = int(full.setdefault("rows", full.get("columns", _SIDE[0])))
        columns = int(full.setdefault("columns", rows))
        line = int(full.setdefault("line", min(rows, columns, _LONGEST_DEFAULT_LINE)))
        if line > max(rows, columns):
            raise OptionError("line", line, (_SIDE[0], max(rows, columns)))
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
        """Return the plies of the first player's forced win on boards known to have one.

        shared/RULES.md's table: a line of 3 on 3x4 falls in 7 plies, on 4x4 in 5. A larger board
        holds a smaller one, on which the first player needs no other square and the second has
        one mark too few for a line of their own.
        """
        rows, columns = int(options["rows"]), int(options["columns"])
        if options["variant"] != "classic" or options["line"] != 3 or rows == columns == 3:
            return None
        return 5 if min(rows, columns) > 3 else 7

    def solved(self, options: Options) -> bool:
        """Return True for nine squares, which a plain search walks through whole."""
        return int(options["rows"]) * int(options["columns"]) <= 9


def _marked(empty: MnkPosition, letters: str, text: str) -> MnkPosition:
    """Put `letters` (in grid order) on an `empty` board; raise PositionError for odd counts."""
    marks = tuple(sum(1 << i for i, x in enumerate(letters) if x == mark) for mark in _MARKS)
    if marks[0].bit_count() - marks[1].bit_count() not in (0, 1):
        raise PositionError(text)
    sets = {mask for through in empty.board.through for mask in through}
    decided = [_completed(mine, tuple(sets)) for mine in marks]
    if decided[(marks[0] | marks[1]).bit_count() % 2]:  # only who moved last can have decided it
        raise PositionError(text)
    return MnkPosition(empty.board, (marks[0], marks[1]), decided[0] | decided[1])
