"""How a position shows itself to the computer player, beyond its rules: small protocols.

A game that wants a strong computer gives each position a `view`; the engine has one search per
kind of view, and knows no game. Squares and bitboards are numbered as in `core.grid`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias


@dataclass(frozen=True, eq=False)
class LineBoard:
    """A board on which marks are put and stay, and owning one of `sets` whole ends the game.

    `label` names the board, `sets` are bitboards; who owns one wins or, unless `owner_wins`, loses.
    `symmetries` are the permutations of the squares that map the sets onto themselves, the identity
    left out. Legal moves are the empty squares in their order. A board is equal only to itself:
    games keep one of each.
    """

    label: str
    squares: int
    sets: tuple[int, ...] = field(repr=False)
    owner_wins: bool
    symmetries: tuple[tuple[int, ...], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LineView:
    """The marks of the seat to move and of the other one, as bitboards.

    With `swap`, whoever answers the first mark may change sides instead: that is the last of the
    legal moves then, after which the other one is to move on the same board.
    """

    board: LineBoard
    mine: int
    theirs: int
    swap: bool = False

    @property
    def free(self) -> int:
        """The empty squares, as a bitboard."""
        return (1 << self.board.squares) - 1 & ~(self.mine | self.theirs)

    def indices(self, bits: Iterable[int]) -> list[int]:
        """Return the numbers, among the legal moves, of marks on `bits`, in their order."""
        free = self.free
        return sorted((free & (bit - 1)).bit_count() for bit in bits)


class LoopRules(Protocol):
    """The rules of a game for two that can go in circles, over positions written as numbers.

    A number says how the seat to move stands: which seat that is it need not say, nor whatever else
    makes no difference. A finished position is lost for the seat to move. Rules are hashable.
    """

    def replies(self, code: int) -> Sequence[int]:
        """Return the positions to which one move leads, each once; none when the game is over."""

    def predecessors(self, code: int) -> Iterable[int]:
        """Return the positions from which one move leads here, each once."""

    def finished(self) -> Iterable[int]:
        """Return every position in which the game is over, each once."""


@dataclass(frozen=True, slots=True)
class LoopView:
    """A position of a game that is small enough to be solved as a whole.

    `replies[i]` is the position after the i-th of the legal moves; two moves may lead to the same.
    """

    rules: LoopRules
    code: int
    replies: tuple[int, ...]


class Territory(NamedTuple):
    """The squares that each seat owns, as bitboards, and who moves next: None when it is over.

    `targets` are the squares on which the mover may move, as a bitboard. Seats that are `out` don't
    move, but keep what they own until it is taken.
    """

    owned: tuple[int, ...]
    mover: int | None
    targets: int
    out: frozenset[int] = frozenset()


class TerritoryRules(Protocol):
    """A board on which any number of seats take squares, and most squares win in the end.

    Seats that can't move are passed over. The bits of its bitboards are its own, one for a square.
    """

    @property
    def exposed(self) -> tuple[int, ...]:
        """The squares by how many lines they can be taken along, from none on, as bitboards."""

    @property
    def open(self) -> int:
        """The squares that can be owned."""

    def near(self, squares: int) -> int:
        """Return the squares beside `squares`."""

    def targets(self, owned: Sequence[int], seat: int) -> int:
        """Return the empty squares on which `seat` may move."""

    def taken(self, owned: Sequence[int], seat: int, bit: int) -> int:
        """Return what `seat` takes from others by a move on `bit`, one of its targets."""

    def after(self, state: Territory, bit: int) -> Territory:
        """Return `state` after a move on `bit`, one of its targets."""


@dataclass(frozen=True, slots=True)
class TerritoryView:
    """A board with any number of seats; the legal moves are the targets' bits, lowest first."""

    rules: TerritoryRules
    state: Territory


View: TypeAlias = LineView | LoopView | TerritoryView


class Viewed(Protocol):
    """A position of which the engine has a search of its own kind."""

    @property
    def view(self) -> View:
        """How the engine sees the position; only asked while the game goes on."""
