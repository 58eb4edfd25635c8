"""Nine Holes: three men each, moved from home into nine holes; a rank or a file of three wins.

The board is three files by five ranks. Ranks 2 to 4 are the holes, rank 1 is X's home and rank 5
O's; home squares are never entered again. Bitboards as in `core.grid`: bit i is square i.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from core.errors import Illegal, IllegalMove, MatchOver, PositionError
from core.game import Blank, Choice, Game, Options, Outcome, Position, Result, Termination
from core.grid import Grid, Move, Square

GRID = Grid(columns=3, rows=5)
PLY_LIMIT = 100
OCCURRENCES_TO_DRAW = 3

_MARKS = ("X", "O")
_HOMES = (0b111, 0b111 << 12)
_HOLES = 0b111_111_111 << 3
_LINES = (*(0b111 << 3 * rank for rank in (1, 2, 3)), *(0b001_001_001 << 3 + f for f in range(3)))
_BLANKS = {Blank.OPEN: ".", Blank.CLOSED: "-"}


@dataclass(frozen=True)
class Variant:
    """`home_first`: all men enter before one moves again; `step`: men in holes move one square."""

    home_first: bool = False
    step: bool = False


VARIANTS = {
    "free": Variant(),
    "drop-first": Variant(home_first=True),
    "step": Variant(home_first=True, step=True),
}


def _adjacent(a: Square, b: Square) -> bool:
    return abs(a.column - b.column) + abs(a.row - b.row) == 1


@dataclass(frozen=True)
class NineHolesPosition:
    """The men of each seat as a bitboard, and whose turn it is."""

    variant: str
    men: tuple[int, int] = _HOMES
    mover: int = 0

    @property
    def grid(self) -> Grid:
        """Three files by five ranks, homes included."""
        return GRID

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""
        return None if self.outcome() else self.mover

    def content(self, square: Square) -> int | Blank:
        """Return whose man stands on `square`; an empty home square is closed, a hole open."""
        bit = 1 << GRID.index(square)
        for seat, men in enumerate(self.men):
            if men & bit:
                return seat
        return Blank.OPEN if bit & _HOLES else Blank.CLOSED

    def legal_moves(self) -> tuple[Move, ...]:
        """Return each man's moves, men and targets both from a1 rank by rank."""
        return () if self._line() else self._moves(self.mover)

    def _moves(self, seat: int) -> tuple[Move, ...]:
        return tuple(
            move
            for i, origin in enumerate(GRID.squares)
            if self.men[seat] >> i & 1
            for target in GRID.squares
            if self._refusal(seat, move := Move(target, origin)) is None
        )

    def _refusal(self, seat: int, move: Move) -> Illegal | None:
        """Return why `seat` may not make `move`, None where it may."""
        if move.origin is None:
            return Illegal.NO_ORIGIN
        if move.to not in GRID or move.origin not in GRID:
            return Illegal.OFF_BOARD
        origin, target = 1 << GRID.index(move.origin), 1 << GRID.index(move.to)
        if not self.men[seat] & origin:
            return Illegal.NOT_YOUR_MAN
        if not target & _HOLES:
            return Illegal.NOT_A_HOLE
        if (self.men[0] | self.men[1]) & target:
            return Illegal.TAKEN
        variant = VARIANTS[self.variant]
        if variant.home_first and origin & _HOLES and self.men[seat] & ~_HOLES:
            return Illegal.MEN_AT_HOME
        if variant.step and origin & _HOLES and not _adjacent(move.origin, move.to):
            return Illegal.NOT_ADJACENT
        return None

    def play(self, move: Move) -> "NineHolesPosition":
        """Return the position after `move`; raise IllegalMove or MatchOver."""
        if self.outcome():
            raise MatchOver
        reason = self._refusal(self.mover, move)
        if reason is not None or move.origin is None:
            raise IllegalMove(move, reason or Illegal.NO_ORIGIN)
        men = list(self.men)
        men[self.mover] ^= 1 << GRID.index(move.origin) | 1 << GRID.index(move.to)
        return NineHolesPosition(self.variant, (men[0], men[1]), 1 - self.mover)

    def _line(self) -> int:
        """Return the line that somebody owns whole, 0 for none."""
        return next(
            (line for line in _LINES if any(men & line == line for men in self.men)),
            0,
        )

    def outcome(self) -> Outcome | None:
        """Return the win by a line, or by a mover who can't move; None while the game goes on."""
        if line := self._line():
            squares = frozenset(s for i, s in enumerate(GRID.squares) if line >> i & 1)
            return Outcome.won(0 if self.men[0] & line else 1, 2, Termination.LINE, squares)
        if VARIANTS[self.variant].step and not self._moves(self.mover):
            # No pass, and a text that says nothing of it: as in the morris family, stuck is lost.
            return Outcome.lost(self.mover, 2, Termination.BLOCKED)
        return None

    def wins(self, seat: int) -> tuple[Move, ...]:
        """Return the moves with which `seat`, were it to move, would win at once."""
        asked = replace(self, mover=seat)
        ends = ((move, asked.play(move).outcome()) for move in asked.legal_moves())
        return tuple(move for move, end in ends if end and end.result(seat) is Result.WIN)

    def developing(self) -> tuple[Move, ...]:
        """Return the moves that bring a man from home."""
        home = _HOMES[self.mover]
        return tuple(m for m in self.legal_moves() if m.origin and home >> GRID.index(m.origin) & 1)

    def __str__(self) -> str:
        def letter(square: Square) -> str:
            content = self.content(square)
            return _BLANKS[content] if isinstance(content, Blank) else _MARKS[content]

        ranks = ("".join(letter(Square(c, r)) for c in range(3)) for r in reversed(range(5)))
        return f"{self.variant} {'/'.join(ranks)} {_MARKS[self.mover]}"


class NineHoles(Game):
    """Two seats, X first. The third occurrence of a position and ply 100 are draws."""

    key = "nineholes"
    marks = _MARKS
    declared = (Choice("variant", tuple(VARIANTS)),)

    def start(self, options: Options, rng: Random) -> NineHolesPosition:
        """Return the six men at home, X to move."""
        return NineHolesPosition(str(options["variant"]))

    def parse(self, text: str) -> NineHolesPosition:
        """Return the position written as ``variant rank5/.../rank1 mover``; raise PositionError."""
        try:
            variant, diagram, mover = text.split(" ")
            letters = "".join(diagram.split("/")[::-1])
            men = [sum(1 << i for i, x in enumerate(letters) if x == mark) for mark in _MARKS]
            position = NineHolesPosition(variant, (men[0], men[1]), _MARKS.index(mover))
        except ValueError as error:
            raise PositionError(text) from error
        if variant not in VARIANTS or not _possible(men) or str(position) != text:
            raise PositionError(text)
        return position

    def adjudicate(self, history: Sequence[Position]) -> Outcome | None:
        """Return the board's outcome, or the draw by the third occurrence or by ply 100."""
        last = history[-1]
        if outcome := last.outcome():
            return outcome
        if history.count(last) >= OCCURRENCES_TO_DRAW:
            return Outcome.drawn(2, Termination.REPETITION)
        if len(history) > PLY_LIMIT:
            return Outcome.drawn(2, Termination.PLY_LIMIT)
        return None


def _possible(men: Sequence[int]) -> bool:
    """Whether these are three men each, none in the other's home."""
    return all(own.bit_count() == 3 and not own & _HOMES[1 - s] for s, own in enumerate(men))
