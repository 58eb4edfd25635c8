"""Nine Holes: three men each, moved from home into nine holes; a rank or a file of three wins."""

from collections.abc import Sequence
from random import Random

from core.errors import PositionError
from core.game import Game
from core.games.nine_holes_board import HOMES, VARIANTS
from core.games.nine_holes_position import MARKS, NineHolesPosition
from core.options import Choice, Options
from core.outcome import Outcome, Termination
from core.position import Position

PLY_LIMIT = 100
OCCURRENCES_TO_DRAW = 3


class NineHoles(Game):
    """Two seats, X first. The third occurrence of a position and ply 100 are draws."""

    key = "nineholes"
    marks = MARKS
    declared = (Choice("variant", tuple(VARIANTS)),)

    def start(self, options: Options, rng: Random) -> NineHolesPosition:
        """Return the six men at home, X to move."""
        return NineHolesPosition(str(options["variant"]))

    def parse(self, text: str) -> NineHolesPosition:
        """Return the position written as ``variant rank5/.../rank1 mover``; raise PositionError."""
        try:
            variant, diagram, mover = text.split(" ")
            letters = "".join(diagram.split("/")[::-1])
            men = [sum(1 << i for i, x in enumerate(letters) if x == mark) for mark in MARKS]
            position = NineHolesPosition(variant, (men[0], men[1]), MARKS.index(mover))
        except ValueError as error:
            raise PositionError(text) from error
        if variant not in VARIANTS or not _possible(men) or str(position) != text:
            raise PositionError(text)
        return position

    def solved(self, options: Options) -> bool:
        """Return True: the whole game is worked out in a moment."""
        return True

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
    return all(own.bit_count() == 3 and not own & HOMES[1 - s] for s, own in enumerate(men))
