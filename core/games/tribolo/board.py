"""The boards of Tribolo, and the rules of taking on them, in bitboards.

Rows lie `columns + 1` bits apart. The spare bit belongs to no square, so that a shift across the
edge never reaches a square of the next row. Bits stand in the order of the grid's squares.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from core.grid import DIRECTIONS, Grid, Square
from core.views import Territory


@dataclass(frozen=True)
class Field:
    """A board of `columns` x `rows` squares with `walls`, and the rules of taking on it."""

    columns: int
    rows: int
    walls: int

    @cached_property
    def grid(self) -> Grid:
        """The board's size."""
        return Grid(self.columns, self.rows)

    @cached_property
    def bits(self) -> dict[Square, int]:
        """The bit of each square, in the grid's order."""
        return {s: 1 << s.row * (self.columns + 1) + s.column for s in self.grid.squares}

    @cached_property
    def open(self) -> int:
        """Every square but the walls."""
        return sum(self.bits.values()) & ~self.walls

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """The distance in bits between neighbours, for each of the four directions of lines."""
        return tuple(abs(across + up * (self.columns + 1)) for across, up in DIRECTIONS)

    @cached_property
    def lane(self) -> int:
        """The distance in bits between two rivals' boards when `targets` puts them in one number.

        It leaves room for shifts across the edge, so that no board reaches the next.
        """
        return (self.columns + 1) * (self.rows + 2)

    def near(self, squares: int) -> int:
        """Return the squares beside `squares`, in all eight directions."""
        around = 0
        for shift in self.shifts:
            around |= squares << shift | squares >> shift
        return around & self.open

    @cached_property
    def exposed(self) -> tuple[int, ...]:
        """The squares by the number of lines, 0 to 4, along which they can be taken.

        Along a line, a square can be taken if its neighbours on both sides are open squares; a wall
        or the edge on one side protects it.
        """
        layers = [0] * (len(self.shifts) + 1)
        for bit in self.bits.values():
            through = (self.open >> shift & self.open << shift & bit for shift in self.shifts)
            layers[sum(map(bool, through))] |= bit & self.open
        return tuple(layers)

    def targets(self, owned: Sequence[int], seat: int) -> int:
        """Return the empty squares on which `seat` takes something."""
        # The boards of the rivals lie side by side in one number: one shift serves them all.
        own = filled = owned[seat]
        mine = theirs = found = lane = 0
        for rival in (*owned[:seat], *owned[seat + 1 :]):
            filled |= rival
            mine |= own << lane
            theirs |= rival << lane
            lane += self.lane
        for shift in self.shifts:
            run = mine << shift & theirs
            while run:
                run <<= shift
                found |= run
                run &= theirs
            run = mine >> shift & theirs
            while run:
                run >>= shift
                found |= run
                run &= theirs
        while lane:
            lane -= self.lane
            found |= found >> lane
        return found & self.open & ~filled

    def taken(self, owned: Sequence[int], seat: int, bit: int) -> int:
        """Return the squares that `seat` takes from others by a move on `bit`."""
        own = owned[seat]
        taken = 0
        for rival in (*owned[:seat], *owned[seat + 1 :]):
            for shift in self.shifts:
                end = bit << shift
                if end & rival:
                    run = 0
                    while end & rival:
                        run |= end
                        end <<= shift
                    if end & own:
                        taken |= run
                end = bit >> shift
                if end & rival:
                    run = 0
                    while end & rival:
                        run |= end
                        end >>= shift
                    if end & own:
                        taken |= run
        return taken

    def after(self, state: Territory, bit: int) -> Territory:
        """Return `state` after its mover's legal move on `bit`."""
        mover = state.mover
        assert mover is not None, "a legal move has a mover"
        taken = self.taken(state.owned, mover, bit)
        owned = [squares & ~taken for squares in state.owned]
        owned[mover] |= taken | bit
        return self.turn(tuple(owned), mover + 1, state.out)

    def turn(self, owned: tuple[int, ...], first: int, out: frozenset[int]) -> Territory:
        """Return the state in which the first seat that can move, from `first` on, is to move."""
        seats = len(owned)
        for seat in range(first, first + seats):
            if seat % seats not in out and (found := self.targets(owned, seat % seats)):
                return Territory(owned, seat % seats, found, out)
        return Territory(owned, None, 0, out)


@lru_cache(maxsize=1024)
def field(columns: int, rows: int, walls: int) -> Field:
    """Return the board; equal arguments give the same object, with its cached properties."""
    return Field(columns, rows, walls)
