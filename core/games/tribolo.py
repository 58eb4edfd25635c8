"""Tribolo: three players take each other's squares by enclosing them; most squares win.

A position is a value of three bitboards and whose turn it is, after those who can't move have been
passed over: equal boards with the same seat to move are equal, whoever was passed over before.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from core.errors import Illegal, IllegalMove, MatchOver, PositionError
from core.game import Game
from core.games.tribolo_board import Field, field
from core.grid import SWAP, Grid, Move, Square
from core.options import Choice, Options
from core.outcome import Outcome, Termination
from core.position import Blank
from core.views import Territory, TerritoryView

_MARKS = ("B", "R", "G")
_EMPTY, _WALL, _NOBODY, _OUT = ".", "#", "-", "-"


@dataclass(frozen=True)
class Size:
    """A board: its sides, and how many squares each player, and nobody, owns at the start."""

    columns: int
    rows: int
    each: int
    walls: int


SIZES = {"small": Size(8, 6, 4, 4), "medium": Size(12, 8, 8, 8), "full": Size(16, 11, 12, 12)}
# A start is fair enough when nobody has many more moves to choose from than another.
_UNFAIR = 3


@dataclass(frozen=True)
class TriboloPosition:
    """Who owns which squares of a `field`, and who moves next."""

    field: Field
    state: Territory

    @property
    def grid(self) -> Grid:
        """The board's size."""
        return self.field.grid

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when nobody can."""
        return self.state.mover

    def content(self, square: Square) -> int | Blank:
        """Return the seat that owns `square`, Blank.WALL or Blank.OPEN."""
        bit = self.field.bits[square]
        for seat, owned in enumerate(self.state.owned):
            if owned & bit:
                return seat
        return Blank.WALL if self.field.walls & bit else Blank.OPEN

    def scores(self) -> tuple[int, ...]:
        """Return how many squares each seat owns."""
        return tuple(owned.bit_count() for owned in self.state.owned)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the squares on which the mover takes something, from a1 row by row."""
        targets = self.state.targets
        return tuple(Move(square) for square, bit in self.field.bits.items() if targets & bit)

    def play(self, move: Move) -> "TriboloPosition":
        """Return the position after `move`; raise IllegalMove or MatchOver."""
        if self.state.mover is None:
            raise MatchOver
        reason = self._refusal(move)
        if reason is not None:
            raise IllegalMove(move, reason)
        return TriboloPosition(self.field, self.field.after(self.state, self.field.bits[move.to]))

    def _refusal(self, move: Move) -> Illegal | None:
        """Return why the mover may not make `move`, None where it may."""
        if move.origin is not None:
            return Illegal.NOT_YOUR_MAN
        if move.to not in self.grid:
            return Illegal.NO_SWAP if move == SWAP else Illegal.OFF_BOARD
        if self.state.targets & self.field.bits[move.to]:
            return None
        content = self.content(move.to)
        if content is Blank.OPEN:
            return Illegal.TAKES_NOTHING
        return Illegal.WALL if content is Blank.WALL else Illegal.TAKEN

    def without(self, seat: int) -> "TriboloPosition":
        """Return the position in which `seat` moves no more; raise ValueError if it doesn't now."""
        owned, mover, _, out = self.state
        if seat not in range(len(owned)) or seat in out:
            raise ValueError(f"seat {seat} is not at {self}")
        first = seat if mover is None else mover
        return TriboloPosition(self.field, self.field.turn(owned, first, out | {seat}))

    def outcome(self) -> Outcome | None:
        """Return the ranks by squares once nobody can move, seats that are out behind the others.

        None while the game goes on.
        """
        if self.state.mover is not None:
            return None
        worth = [(s not in self.state.out, points) for s, points in enumerate(self.scores())]
        ranks = tuple(1 + sum(other > own for other in worth) for own in worth)
        return Outcome(Termination.EXHAUSTED, ranks)

    @cached_property
    def view(self) -> TerritoryView:
        """The board as it is, for the engine."""
        return TerritoryView(self.field, self.state)

    def __str__(self) -> str:
        letters = {Blank.OPEN: _EMPTY, Blank.WALL: _WALL}
        contents = [
            letters[content] if isinstance(content, Blank) else _MARKS[content]
            for content in map(self.content, self.grid.squares)
        ]
        starts = reversed(range(0, len(contents), self.grid.columns))
        board = "/".join("".join(contents[at : at + self.grid.columns]) for at in starts)
        mover, out = self.state.mover, sorted(self.state.out)
        gone = " " + _OUT + "".join(_MARKS[seat] for seat in out) if out else ""
        return f"{board} {_NOBODY if mover is None else _MARKS[mover]}{gone}"


class Tribolo(Game):
    """Three seats: Blue, Red and Green; who begins is drawn by lot, as are squares and walls."""

    key = "tribolo"
    marks = _MARKS
    declared = (Choice("size", tuple(SIZES)),)
    first_by_lot = True

    def start(self, options: Options, rng: Random) -> TriboloPosition:
        """Return a random board on which everybody can move, in about as many ways."""
        size, first = SIZES[str(options["size"])], rng.randrange(self.seats)
        while True:
            position = self._drawn(size, first, rng)
            mobility = [
                position.field.targets(position.state.owned, seat).bit_count()
                for seat in range(self.seats)
            ]
            if min(mobility) and max(mobility) - min(mobility) < _UNFAIR:
                return position

    def _drawn(self, size: Size, first: int, rng: Random) -> TriboloPosition:
        """Return any board of that size."""
        bits = list(field(size.columns, size.rows, 0).bits.values())
        drawn = rng.sample(bits, self.seats * size.each + size.walls)
        shares = (drawn[seat * size.each :][: size.each] for seat in range(self.seats))
        board = field(size.columns, size.rows, sum(drawn[self.seats * size.each :]))
        return TriboloPosition(board, board.turn(tuple(map(sum, shares)), first, frozenset()))

    def parse(self, text: str) -> TriboloPosition:
        """Return the position written as ``top/.../bottom mover``; raise PositionError.

        The mover is ``-`` when the game is over. Then follow the seats that are out: ``-RG``.
        """
        try:
            diagram, mover, *rest = text.split(" ")
            rows = diagram.split("/")[::-1]
            out = frozenset(_MARKS.index(mark) for mark in "".join(rest)[1:])
            seat = 0 if mover == _NOBODY else _MARKS.index(mover)
        except ValueError as error:
            raise PositionError(text) from error
        largest = SIZES["full"]
        if not (0 < len(rows) <= largest.rows and 0 < len(rows[0]) <= largest.columns):
            raise PositionError(text)
        position = _read("".join(rows), len(rows[0]), len(rows), seat, out)
        if str(position) != text:  # a row too short, another letter, a mover who can't move ...
            raise PositionError(text)
        return position


def _read(letters: str, columns: int, rows: int, seat: int, out: frozenset[int]) -> TriboloPosition:
    """Return the position of these `letters`, in the grid's order; others are read as empty."""
    bits = field(columns, rows, 0).bits.values()

    def of(mark: str) -> int:
        return sum(bit for bit, letter in zip(bits, letters, strict=False) if letter == mark)

    board = field(columns, rows, of(_WALL))
    return TriboloPosition(board, board.turn(tuple(map(of, _MARKS)), seat, out))
