"""The board of Nine Holes and its moves, in bitboards and on positions written as numbers.

Three files by five ranks: ranks 2 to 4 are the holes, rank 1 is X's home and rank 5 O's; bit i of
a bitboard is square i as in `core.grid`. A position's number holds the men in holes of the seat to
move and of the other one. It leaves out the places of men at home and the name of the seat, because
neither changes the value of a position.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from core.grid import Grid

GRID = Grid(columns=3, rows=5)
MEN = 3
HOMES = (0b111, 0b111 << 12)
HOLES = 0b111_111_111 << 3
LINES = frozenset(
    [*(0b111 << 3 * rank for rank in (1, 2, 3)), *(0b001_001_001 << 3 + file for file in range(3))]
)


@cache  # asked for every man of every position; there are no more than 2 ** 15 bitboards
def singles(squares: int) -> tuple[int, ...]:
    """Return the bitboards of each of `squares`, from a1 on."""
    return tuple(1 << i for i in range(len(GRID.squares)) if squares >> i & 1)


_PLACEMENTS = tuple(sum(men) for n in range(MEN + 1) for men in combinations(singles(HOLES), n))
_NEXT_TO = {
    1 << GRID.index(a): GRID.bitboard(
        b for b in GRID.squares if abs(a.column - b.column) + abs(a.row - b.row) == 1
    )
    for a in GRID.squares
}
_BITS = len(GRID.squares)
_LOW = (1 << _BITS) - 1


def encode(own: int, other: int) -> int:
    """Return the number of a position: `own` are the mover's men in holes, `other` the other's."""
    return own << _BITS | other


@dataclass(frozen=True)
class Variant:
    """How men move; for the engine, the `LoopRules` of positions written as numbers.

    `label` names the variant. With `home_first` all men enter before one moves again; with `step`
    men in holes move by one square.
    """

    label: str
    home_first: bool = False
    step: bool = False

    def targets(self, origin: int, own: int, other: int) -> int:
        """Return the holes that a man in the hole `origin` can enter; 0 stands for home.

        `own` and `other` are the men in holes of the man's side and of the other one.
        """
        empty = HOLES & ~(own | other)
        if not origin:
            return empty
        if self.home_first and own.bit_count() < MEN:
            return 0
        return empty & _NEXT_TO[origin] if self.step else empty

    def stuck(self, own: int, other: int) -> bool:
        """Return whether no man of `own` can move, which only happens if men step."""
        if not self.step or own.bit_count() < MEN:
            return False
        return not any(self.targets(origin, own, other) for origin in singles(own))

    def replies(self, code: int) -> list[int]:
        """Return the positions to which one move leads, each once; none when the game is over."""
        own, other = code >> _BITS, code & _LOW
        if other in LINES:
            return []
        home = () if own.bit_count() == MEN else (0,)
        return [
            encode(other, own ^ origin | target)
            for origin in (*home, *singles(own))
            for target in singles(self.targets(origin, own, other))
        ]

    def predecessors(self, code: int) -> list[int]:
        """Return the positions from which one move leads here, each once.

        Moves between holes can be made in both directions, and a man can always come from home.
        """
        other, own = code >> _BITS, code & _LOW
        return [
            encode(before, other)
            for target in singles(own)
            for origin in (0, *singles(self.targets(target, own, other)))
            if (before := own ^ target | origin) not in LINES
        ]

    def finished(self) -> Iterator[int]:
        """Yield every position that is lost for the seat to move, by a line or stuck."""
        for own in _PLACEMENTS:
            for other in _PLACEMENTS:
                if own & other or own in LINES:
                    continue
                if other in LINES or self.stuck(own, other):
                    yield encode(own, other)


VARIANTS = {
    "free": Variant("nineholes-free"),
    "drop-first": Variant("nineholes-drop-first", home_first=True),
    "step": Variant("nineholes-step", home_first=True, step=True),
}
