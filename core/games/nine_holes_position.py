"""Men in and outside of the nine holes, and whose turn it is."""

from dataclasses import dataclass

from core.errors import Illegal, IllegalMove, MatchOver
from core.games.nine_holes_board import GRID, HOLES, HOMES, LINES, VARIANTS, encode, singles
from core.grid import SWAP, Grid, Move, Square
from core.outcome import Outcome, Termination
from core.position import Blank
from core.views import LoopView

MARKS = ("X", "O")
_BLANKS = {Blank.OPEN: ".", Blank.CLOSED: "-"}
# Every move that there can be, by the bits of its two squares: made once, asked for all the time.
_MOVES = {
    (1 << i, 1 << j): Move(target, origin)
    for i, origin in enumerate(GRID.squares)
    for j, target in enumerate(GRID.squares)
}


@dataclass(frozen=True)
class NineHolesPosition:
    """The men of each seat as a bitboard, and whose turn it is."""

    variant: str
    men: tuple[int, int] = HOMES
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
        return Blank.OPEN if bit & HOLES else Blank.CLOSED

    def legal_moves(self) -> tuple[Move, ...]:
        """Return each man's moves, men and targets both from a1 rank by rank."""
        return tuple(
            _MOVES[origin, target]
            for origin in singles(0 if self._line() else self.men[self.mover])
            for target in singles(self._targets(origin))
        )

    def _in_holes(self) -> tuple[int, int]:
        """Return the men in holes of the mover and of the other."""
        return self.men[self.mover] & HOLES, self.men[1 - self.mover] & HOLES

    def _targets(self, origin: int) -> int:
        """Return where the mover's man on `origin` may go."""
        return VARIANTS[self.variant].targets(origin & HOLES, *self._in_holes())

    def _refusal(self, move: Move) -> Illegal | None:
        """Return why the mover may not make `move`, None where it may."""
        if move.origin is None:
            return Illegal.NO_SWAP if move == SWAP else Illegal.NO_ORIGIN
        if move.to not in GRID or move.origin not in GRID:
            return Illegal.OFF_BOARD
        origin, target = 1 << GRID.index(move.origin), 1 << GRID.index(move.to)
        if not self.men[self.mover] & origin:
            return Illegal.NOT_YOUR_MAN
        if target & self._targets(origin):
            return None
        if not target & HOLES:
            return Illegal.NOT_A_HOLE
        if (self.men[0] | self.men[1]) & target:
            return Illegal.TAKEN
        return Illegal.MEN_AT_HOME if self.men[self.mover] & ~HOLES else Illegal.NOT_ADJACENT

    def play(self, move: Move) -> "NineHolesPosition":
        """Return the position after `move`; raise IllegalMove or MatchOver."""
        if self.outcome():
            raise MatchOver
        reason = self._refusal(move)
        if reason is not None or move.origin is None:
            raise IllegalMove(move, reason or Illegal.NO_ORIGIN)
        men = list(self.men)
        men[self.mover] ^= 1 << GRID.index(move.origin) | 1 << GRID.index(move.to)
        return NineHolesPosition(self.variant, (men[0], men[1]), 1 - self.mover)

    def _line(self) -> int:
        """Return the line that somebody owns whole, 0 for none."""
        return next((men for men in self.men if men in LINES), 0)

    def outcome(self) -> Outcome | None:
        """Return the win by a line, or by a mover who can't move; None while the game goes on."""
        if line := self._line():
            squares = frozenset(s for i, s in enumerate(GRID.squares) if line >> i & 1)
            return Outcome.won(self.men.index(line), 2, Termination.LINE, squares)
        if VARIANTS[self.variant].stuck(*self._in_holes()):
            # No pass, and a text that says nothing of it: as in the morris family, stuck is lost.
            return Outcome.lost(self.mover, 2, Termination.BLOCKED)
        return None

    @property
    def view(self) -> LoopView:
        """The position as a number, with those after each legal move."""
        after = (self.play(move) for move in self.legal_moves())
        return LoopView(VARIANTS[self.variant], self.code, tuple(p.code for p in after))

    @property
    def code(self) -> int:
        """The position as a number, as `core.games.nine_holes_board` writes it."""
        return encode(*self._in_holes())

    def __str__(self) -> str:
        def letter(square: Square) -> str:
            content = self.content(square)
            return _BLANKS[content] if isinstance(content, Blank) else MARKS[content]

        ranks = ("".join(letter(Square(c, r)) for c in range(3)) for r in reversed(range(5)))
        return f"{self.variant} {'/'.join(ranks)} {MARKS[self.mover]}"
