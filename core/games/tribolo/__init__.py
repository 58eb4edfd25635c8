"""Tribolo: three players take each other's squares by enclosing them; the most squares win."""

from dataclasses import dataclass
from random import Random

from core.errors import PositionError
from core.game import Example, Game
from core.games.tribolo.board import field
from core.games.tribolo.position import KEY, MARKS, NOBODY, TriboloPosition
from core.options import Choice, Options
from core.position import Blank


@dataclass(frozen=True)
class Size:
    """A board: its sides, the squares that each player owns at the start, and the walls."""

    columns: int
    rows: int
    each: int
    walls: int


SIZES = {"small": Size(8, 6, 4, 4), "medium": Size(12, 8, 8, 8), "full": Size(16, 11, 12, 12)}
# A start is drawn again if the numbers of moves of two seats differ by this many or more.
_UNFAIR = 3
_LETTERS = tuple(mark.letter for mark in MARKS)


class Tribolo(Game):
    """Three seats: blue, red and green. First seat, squares and walls are drawn by lot.

    Option: `size` (`small` 8x6, `medium` 12x8, `full` 16x11).
    """

    key = KEY
    marks = MARKS
    example = Example("......../...#..G./..RRB.../.G....R./.B.#..../....GR#. B", ("b4",))
    declared = (Choice("size", tuple(SIZES)),)
    first_by_lot = True
    skips = True

    def start(self, options: Options, rng: Random) -> TriboloPosition:
        """Return a random board on which all seats have about as many moves.

        Each seat is sure to have a move when its first turn comes, whatever the seats before it
        play.
        """
        size = SIZES[str(options["size"])]
        first = rng.randrange(self.seats)
        while True:
            position = self._drawn(size, first, rng)
            mobility = [
                position.field.targets(position.state.owned, seat).bit_count()
                for seat in range(self.seats)
            ]
            fair = min(mobility) and max(mobility) - min(mobility) < _UNFAIR
            if fair and _all_move(position, first, self.seats):
                return position

    def _drawn(self, size: Size, first: int, rng: Random) -> TriboloPosition:
        """Return a random board of this size, fair or not."""
        bits = list(field(size.columns, size.rows, 0).bits.values())
        drawn = rng.sample(bits, self.seats * size.each + size.walls)
        shares = (drawn[seat * size.each :][: size.each] for seat in range(self.seats))
        board = field(size.columns, size.rows, sum(drawn[self.seats * size.each :]))
        return TriboloPosition(board, board.turn(tuple(map(sum, shares)), first, frozenset()))

    def parse(self, notation: str) -> TriboloPosition:
        """Return the position written as ``top/.../bottom mover``; raise PositionError.

        The mover is ``-`` when the game is over. If seats are out, their marks follow: ``-RG``.
        """
        try:
            diagram, mover, *rest = notation.split(" ")
            rows = diagram.split("/")[::-1]
            out = frozenset(_LETTERS.index(letter) for letter in "".join(rest)[1:])
            seat = 0 if mover == NOBODY else _LETTERS.index(mover)
        except ValueError as error:
            raise PositionError(notation) from error
        largest = SIZES["full"]
        if not (0 < len(rows) <= largest.rows and 0 < len(rows[0]) <= largest.columns):
            raise PositionError(notation)
        position = _read("".join(rows), len(rows[0]), len(rows), seat, out)
        if position.notation != notation:  # a short row, another letter, a mover who can't move ...
            raise PositionError(notation)
        return position


def _all_move(position: TriboloPosition, due: int, seats: int) -> bool:
    """Return whether `seats` seats, from `due` on, can move in turn, whatever each plays."""
    if position.to_move != due:
        return False
    following = map(position.play, position.legal_moves() if seats > 1 else ())
    return all(_all_move(one, (due + 1) % len(MARKS), seats - 1) for one in following)


def _read(letters: str, columns: int, rows: int, seat: int, out: frozenset[int]) -> TriboloPosition:
    """Return the position of `letters`, in the grid's order; unknown letters are empty."""
    bits = field(columns, rows, 0).bits.values()

    def of(mark: str) -> int:
        return sum(bit for bit, letter in zip(bits, letters, strict=False) if letter == mark)

    board = field(columns, rows, of(Blank.WALL.letter))
    return TriboloPosition(board, board.turn(tuple(map(of, _LETTERS)), seat, out))
