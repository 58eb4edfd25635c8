"""Tribolo: three players take each other's squares by enclosing them; most squares win."""

from dataclasses import dataclass
from random import Random

from core.errors import PositionError
from core.game import Game
from core.games.tribolo_board import field
from core.games.tribolo_position import MARKS, NOBODY, WALL, TriboloPosition
from core.options import Choice, Options


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


class Tribolo(Game):
    """Three seats: Blue, Red and Green; who begins is drawn by lot, as are squares and walls."""

    key = "tribolo"
    marks = MARKS
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
            out = frozenset(MARKS.index(mark) for mark in "".join(rest)[1:])
            seat = 0 if mover == NOBODY else MARKS.index(mover)
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

    board = field(columns, rows, of(WALL))
    return TriboloPosition(board, board.turn(tuple(map(of, MARKS)), seat, out))
