"""Nine Holes: three men each, moved from home into nine holes; three in a rank or file win."""

from collections.abc import Sequence
from random import Random

from core.errors import PositionError
from core.game import Example, Game
from core.games.nineholes.board import GRID, HOMES, LINES, VARIANTS
from core.games.nineholes.position import KEY, MARKS, NineHolesPosition
from core.options import Choice, Options
from core.outcome import Outcome, Termination
from core.position import Position

_OCCURRENCES_TO_DRAW = 3
_BITS = tuple(1 << i for i in range(len(GRID.squares)))
_LETTERS = tuple(mark.letter for mark in MARKS)


class NineHoles(Game):
    """Two seats, X first. The third occurrence of a position is a draw, and so is ply 100.

    Option: `variant` (`free`; `drop-first`, in which all men enter before one moves again; `step`,
    in which men in holes move by one square).
    """

    key = KEY
    marks = MARKS
    example = Example("free OOO/.../.../.../XXX X", ("a1-a2", "a5-b2", "b1-a3", "b5-c2", "c1-a4"))
    declared = (Choice("variant", tuple(VARIANTS)),)
    ply_limit = 100

    def start(self, options: Options, rng: Random) -> NineHolesPosition:
        """Return the six men at home, X to move."""
        return NineHolesPosition(str(options["variant"]))

    def parse(self, notation: str) -> NineHolesPosition:
        """Return the position written as ``variant rank5/.../rank1 mover``; raise PositionError."""
        try:
            variant, diagram, mover = notation.split(" ")
            squares = "".join(diagram.split("/")[::-1])
            lettered = list(zip(_BITS, squares, strict=True))
            men = [sum(bit for bit, letter in lettered if letter == own) for own in _LETTERS]
            seat = _LETTERS.index(mover)
        except ValueError as error:
            raise PositionError(notation) from error
        position = NineHolesPosition(variant, (men[0], men[1]), seat)
        if variant not in VARIANTS or not _possible(men, seat) or position.notation != notation:
            raise PositionError(notation)
        return position

    def can_occur(self, position: Position, options: Options) -> bool:
        """Return whether the variant is that of `options`."""
        variant = options["variant"]
        return isinstance(position, NineHolesPosition) and position.variant == variant

    def solved(self, options: Options) -> bool:
        """Return True: the engine tabulates the whole game in a moment."""
        return True

    def outcome_after(self, history: Sequence[Position]) -> Outcome | None:
        """Return the board's outcome, or the draw by the third occurrence or by ply 100."""
        if history.count(history[-1]) >= _OCCURRENCES_TO_DRAW:
            return Outcome.drawn(2, Termination.REPETITION)
        return super().outcome_after(history)


def _possible(men: Sequence[int], mover: int) -> bool:
    """Return whether these are three men each, none in the other's home, and no line of the mover.

    Only the side that moved last can have won.
    """
    three = all(own.bit_count() == 3 and not own & HOMES[1 - s] for s, own in enumerate(men))
    return three and men[mover] not in LINES
