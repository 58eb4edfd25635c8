"""Views: a position in the form that a search of the engine works on.

The engine can play any game by its rules alone. For a stronger computer, a game also gives each
position a `view`. The engine has one search for each kind of view, and knows no game. Squares and
bitboards are numbered as in `core.grid`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol, TypeAlias

from core.grid import Grid, Square

# The most sets with which every position is proved, by their usual length; the last number is for
# all other lengths (docs/measurements.md). They stand here since games, which don't know the
# engine, tell by them whether it plays perfectly.
_PROVED_SETS, _PROVED_SETS_LONGER = {3: 255, 4: 21}, 28


@dataclass(frozen=True, eq=False)
class LineBoard:
    """A board on which marks stay, and the first side that owns one of `sets` ends the game.

    There is at least one set; sets have two squares or more, and no two are equal. Legal moves are
    the empty squares in their order. A board is equal only to itself, so games keep one of each.
    """

    label: str
    squares: int
    sets: tuple[int, ...] = field(repr=False)  # bitboards
    owner_wins: bool  # else the owner of a set loses
    # The permutations of the squares that map the sets onto themselves, without the identity. The
    # shifts of a torus are left out too: they are too many to search with.
    symmetries: tuple[tuple[int, ...], ...] = field(repr=False)
    alike: bool = False  # a torus: every square can be shifted to every other
    drawn: bool = False  # it is known that nobody can force a set, whatever the first mark is

    @cached_property
    def usual_length(self) -> int:
        """The mean length of sets, rounded: a few others, such as four corners, don't change it."""
        return round(sum(mask.bit_count() for mask in self.sets) / len(self.sets))

    @cached_property
    def provable(self) -> bool:
        """Whether there are so few sets that the engine proves every position, if owners win."""
        return len(self.sets) <= _PROVED_SETS.get(self.usual_length, _PROVED_SETS_LONGER)


@dataclass(frozen=True, slots=True)
class LineView:
    """The marks of the seat to move and of the other one, as bitboards.

    With `swap` there is at most one mark, and the second seat may answer it by changing sides. The
    swap is then the last of the legal moves. It leaves the same board with the other seat to move.
    """

    board: LineBoard
    mine: int
    theirs: int
    swap: bool = False

    @property
    def free(self) -> int:
        """The empty squares, as a bitboard."""
        return (1 << self.board.squares) - 1 & ~(self.mine | self.theirs)

    def index(self, bit: int) -> int:
        """Return the index of the mark on `bit` among the legal moves."""
        return (self.free & (bit - 1)).bit_count()

    def indices(self, bits: Iterable[int]) -> list[int]:
        """Return the sorted indices of the marks on `bits` among the legal moves."""
        return sorted(map(self.index, bits))


@dataclass(frozen=True)
class DropBoard:
    """A board into whose columns pieces fall; the first line of `line` pieces, 4 or 5, wins.

    Square (c, r) is bit ``c * (rows + 1) + r`` of its bitboards: above each column there is a bit
    that is never set, so that shifted lines don't run from one column into the next.
    """

    columns: int
    rows: int
    line: int

    @property
    def label(self) -> str:
        """The name of the board, and of its book."""
        return f"drops-{self.line}-{self.rows}x{self.columns}"

    @cached_property
    def grid(self) -> Grid:
        """The board's size."""
        return Grid(self.columns, self.rows)

    @cached_property
    def files(self) -> tuple[int, ...]:
        """The squares of each column."""
        height = self.rows + 1
        return tuple(((1 << self.rows) - 1) << c * height for c in range(self.columns))

    @cached_property
    def full(self) -> int:
        """All squares."""
        return sum(self.files)

    @cached_property
    def floor(self) -> int:
        """The lowest row."""
        return sum(1 << c * (self.rows + 1) for c in range(self.columns))

    @property
    def steps(self) -> tuple[int, int, int, int]:
        """How far apart the bits of a line are: up, down to the right, right, up to the right."""
        return 1, self.rows, self.rows + 1, self.rows + 2

    def bit(self, square: Square) -> int:
        """Return the bit of a square."""
        return 1 << square.column * (self.rows + 1) + square.row

    def playable(self, taken: int) -> int:
        """Return the lowest free square of each column that isn't full, as one bitboard."""
        return (taken + self.floor) & self.full

    def completed(self, own: int) -> int:
        """Return the union of the lines that lie wholly in `own`, 0 if there is none."""
        union = 0
        for step in self.steps:
            starts = own
            for nth in range(1, self.line):
                starts &= own >> nth * step
            for nth in range(self.line if starts else 0):
                union |= starts << nth * step
        return union


@dataclass(frozen=True, slots=True)
class DropView:
    """The pieces of the seat to move and of the other one, as bitboards.

    The legal moves are the columns that aren't full, from the left.
    """

    board: DropBoard
    mine: int
    theirs: int


class LoopRules(Protocol):
    """The rules of a two-player game that can repeat positions, with positions as numbers.

    A number stands for all positions that are alike to the seat to move, whichever seat that is. A
    finished position is lost for the seat to move.
    """

    def __hash__(self) -> int: ...

    @property
    def label(self) -> str:
        """The name of the game and its variant, and of their tablebase."""

    def replies(self, code: int) -> Sequence[int]:
        """Return the positions to which one move leads, each once; none when the game is over."""

    def predecessors(self, code: int) -> Iterable[int]:
        """Return the positions from which one move leads here, each once."""

    def finished(self) -> Iterable[int]:
        """Return every position in which the game is over, each once."""


@dataclass(frozen=True, slots=True)
class LoopView:
    """A position of a game that is small enough to be tabulated as a whole.

    `replies[i]` is the position after legal move `i`; several moves may lead to the same one.
    """

    rules: LoopRules
    code: int
    replies: tuple[int, ...]


class Territory(NamedTuple):
    """The squares that each seat owns, as bitboards, and the mover, None when the game is over.

    `targets` is the bitboard of the mover's legal moves. Seats that are `out` don't move, but keep
    their squares until others take them.
    """

    owned: tuple[int, ...]
    mover: int | None
    targets: int
    out: frozenset[int] = frozenset()


class TerritoryRules(Protocol):
    """A board on which any number of seats take squares, and the most squares win in the end.

    Seats that can't move are passed over. The board chooses the bit of each square.
    """

    @property
    def exposed(self) -> tuple[int, ...]:
        """Bitboards: `exposed[n]` has the squares that can be taken along exactly n lines."""

    @property
    def open(self) -> int:
        """The squares that can be owned."""

    def near(self, squares: int) -> int:
        """Return the squares beside `squares`."""

    def targets(self, owned: Sequence[int], seat: int) -> int:
        """Return the empty squares on which `seat` may move."""

    def taken(self, owned: Sequence[int], seat: int, bit: int) -> int:
        """Return the squares that `seat` takes by a move on `bit`, one of its targets."""

    def after(self, state: Territory, bit: int) -> Territory:
        """Return `state` after a move on `bit`, one of its targets."""


@dataclass(frozen=True, slots=True)
class TerritoryView:
    """A board with any number of seats; the legal moves are the targets' bits, lowest first."""

    rules: TerritoryRules
    state: Territory


View: TypeAlias = LineView | DropView | LoopView | TerritoryView
