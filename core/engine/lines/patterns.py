"""Patterns: what each square is worth to both sides, kept up to date while marks come and go.

The sets of a board are gathered into lines, a row of ten squares with its six windows of five, say.
For every filling of a line a table says what its squares are worth, and the patterns of a position
are the sum over its lines. So a mark changes at most a few summands. All squares are added at once,
since the sum is one long number: 32 bits for each square, 16 for each side.

A side's 16 bits on an empty square count, over the lines through it,

- how many sets a mark would complete (3 bits, `five`, whatever the length of a line);
- how many squares it would then threaten to complete sets on (4 bits, `four`): two are an open four
  or a double four, which only a set completed at once can answer;
- in how many lines it would make an open three, which threatens an open four (3 bits, `three`);
- how many marks of its own are near (6 bits).

Above the squares the sum holds what the sets still open to each side are worth, 16 bits each.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from struct import Struct

from core.engine.bitboards import split
from core.engine.search import Memo
from core.views import LineBoard

FIELD_BITS = 32
"""The bits of a square in a sum of patterns; the second side has the upper half of them."""
SIDE_BITS = FIELD_BITS // 2
THREE_UNIT, FOUR_UNIT, FIVE_UNIT = 1 << 6, 1 << 9, 1 << 13
NEAR_MASK, THREE_MASK, FOUR_MASK, FIVE_MASK = 0x3F, 0x7 << 6, 0xF << 9, 0x7 << 13
FOURS_MASK = FOUR_MASK | FOUR_MASK << SIDE_BITS
"""The fours of both sides, in all of a square's bits."""

# The longest line, in squares: longer ones (on a torus whose sides differ) are cut into pieces.
_LINE_SQUARES = 12
# The value of a set with marks of one side alone, by the number of its empty squares.
_WORTH = {1: 60, 2: 16, 3: 5, 4: 1}
# The value of an open three: a square after which two squares complete sets.
_OPEN_THREE = 30
# The bits of what all sets of a side are worth: at most 40,000 on any board.
_WORTH_BITS = 16
_WORTH_MASK = (1 << _WORTH_BITS) - 1
# What a set with marks of one side alone adds to each of its empty squares, by the number of these.
# The sum is cut at `_NEAR_LINE` a line, so that seven lines through a square don't overflow. On
# some tori there are eight to eleven, but they rarely all count at once: of the 63 that
# fit, the most met in greedy play was 38.
_NEAR = {2: 4, 3: 3, 4: 1}
_NEAR_LINE = 9
# The bytes that the tables of one of the eight boards kept may take. A filling takes 4 bytes a
# square and about 128 more.
_TABLE_BYTES, _BYTES_BESIDE = 8_000_000, 128


def _summand(squares: Sequence[int], windows: tuple[int, ...], top: int, filling: int) -> int:
    """Return what a filling of one line adds to the sum.

    Bit i of a filling is a mark of the first side on the i-th of `squares`. The marks of the second
    side follow above those of the first.
    """
    fields, worth = _fields(windows, len(squares), filling)
    total = worth << top
    for field, square in zip(fields, squares, strict=True):
        total += field << FIELD_BITS * square
    return total


def _fields(windows: tuple[int, ...], length: int, filling: int) -> tuple[list[int], int]:
    """Return the 32 bits of each square of a line, and the worth of its sets to both sides."""
    low = (1 << length) - 1
    first, second = filling & low, filling >> length
    ours, worth = _side(*_open(windows, first, second), length)
    theirs, others = _side(*_open(windows, second, first), length)
    fields = [one | other << SIDE_BITS for one, other in zip(ours, theirs, strict=True)]
    return fields, worth | others << _WORTH_BITS


def _open(windows: tuple[int, ...], own: int, other: int) -> tuple[tuple[int, ...], int]:
    """Return the sets that are open to a side, and its marks in them.

    Many fillings have these in common, so that what `_side` remembers serves them all.
    """
    sets = tuple([window for window in windows if not window & other])
    union = 0
    for window in sets:
        union |= window
    return sets, own & union


@lru_cache(maxsize=20_000)
def _side(sets: tuple[int, ...], own: int, length: int) -> tuple[tuple[int, ...], int]:
    """Return the 16 bits of each square for one side, and the worth of the sets open to it."""
    lacking = [squares & ~own for squares in sets]
    started = [squares for squares in lacking if squares not in sets]
    worth = sum(_WORTH.get(squares.bit_count(), 0) for squares in started)
    fields = [min(_NEAR_LINE, near) for near in _near(started, length)]
    pairs = [squares for squares in lacking if squares.bit_count() == 2]
    triples = [squares for squares in lacking if squares.bit_count() == 3]
    for squares in lacking:
        if not squares & (squares - 1):
            fields[squares.bit_length() - 1] |= FIVE_UNIT
    partners = _partners(pairs)
    for bit, completing in partners.items():
        several = bool(completing & (completing - 1))
        fields[bit.bit_length() - 1] |= (1 + several) * FOUR_UNIT
        worth += several * _OPEN_THREE
    for bit in _threes(pairs, triples):
        if bit not in partners:
            fields[bit.bit_length() - 1] |= THREE_UNIT
    return tuple(fields), worth


def _near(started: Iterable[int], length: int) -> list[int]:
    """Return for each square what sets with marks in them add to it."""
    near = [0] * length
    for squares in started:
        for bit in split(squares):
            near[bit.bit_length() - 1] += _NEAR.get(squares.bit_count(), 0)
    return near


def _partners(pairs: Iterable[int]) -> dict[int, int]:
    """Return for each square of `pairs` the squares that are paired with it."""
    partners = dict[int, int]()
    for pair in pairs:
        one = pair & -pair
        partners[one] = partners.get(one, 0) | pair ^ one
        partners[pair ^ one] = partners.get(pair ^ one, 0) | one
    return partners


def _threes(pairs: Sequence[int], triples: Sequence[int]) -> Iterator[int]:
    """Yield the squares on which a mark threatens an open four."""
    union = 0
    for triple in triples:
        union |= triple
    for bit in split(union):
        made = [triple ^ bit for triple in triples if triple & bit]
        after = _partners(made + [pair for pair in pairs if not pair & bit])
        reach = 0
        for pair in made:
            reach |= pair
        if any(after[next_bit].bit_count() > 1 for next_bit in split(reach)):
            yield bit


class Patterns:
    """The lines of a board, with the tables that all positions on it share.

    `lines[i]` has what each filling of line i adds to a sum. `through[side][square]` has the lines
    through a square: the index of each, what a mark of `side` adds to its filling, and its table.
    `by_square` unpacks a sum into the 32 bits of each square, `by_side` into the 16 bits of each
    side; both end with the worth of sets, which begins at bit `top`. `below[square]` masks the bits
    of all squares before one, and `fives`, `fours` and `doubles` (two fours and more) mask such
    fields of a side on all squares.
    """

    def __init__(self, board: LineBoard):
        self.squares = board.squares
        self.top = FIELD_BITS * board.squares
        self.by_side = Struct(f"<{2 * board.squares + 2}H")
        self.by_square = Struct(f"<{board.squares + 1}I")
        lines = list(_lines(board.sets))
        most = _TABLE_BYTES // (4 * board.squares + _BYTES_BESIDE) // len(lines)
        self._squares = [squares for squares, _ in lines]
        self.lines = [Memo[int, int](partial(_summand, *line, self.top), most) for line in lines]
        self.through = [
            [self._lines_through(square, side) for square in range(board.squares)]
            for side in (0, 1)
        ]
        self.below = [(1 << FIELD_BITS * square) - 1 for square in range(board.squares)]
        every = sum(1 << FIELD_BITS * square for square in range(board.squares))
        self.fives = [every * FIVE_MASK, every * FIVE_MASK << SIDE_BITS]
        self.fours = [every * FOUR_MASK, every * FOUR_MASK << SIDE_BITS]
        self.doubles = [every * 0xE * FOUR_UNIT, every * 0xE * FOUR_UNIT << SIDE_BITS]

    def squares_of(self, fields: int) -> list[int]:
        """Return the squares with a bit set in a sum that is masked to one kind of field."""
        found = []
        while fields:
            square = (fields.bit_length() - 1) // FIELD_BITS
            found.append(square)
            fields &= self.below[square]
        found.reverse()
        return found

    def _lines_through(self, square: int, side: int) -> list[tuple[int, int, Memo[int, int]]]:
        """Return an element of `through`."""
        return [
            (index, 1 << squares.index(square) + side * len(squares), self.lines[index])
            for index, squares in enumerate(self._squares)
            if square in squares
        ]


class PatternPosition:
    """A position on a board, on which searches put marks and take them back.

    `play` is given the sum of patterns and returns the new sum. After a mark is taken back, the
    caller goes on with the earlier sum. `start` is the sum of the first position.
    """

    def __init__(self, patterns: Patterns, first: int, second: int):
        self.patterns = patterns
        self._through = patterns.through
        self.fillings = [0] * len(patterns.lines)
        self._marks = 0, 0
        self._total = sum(line[0] for line in patterns.lines)
        self.start = self.go_to(first, second)

    def play(self, total: int, square: int, side: int) -> int:
        """Put a mark on `square`; return the new sum of patterns, which was `total` before."""
        fillings = self.fillings
        for index, addend, line in self._through[side][square]:
            before = fillings[index]
            after = fillings[index] = before + addend
            total += line[after] - line[before]
        return total

    def undo(self, square: int, side: int) -> None:
        """Take back a mark; the caller goes on with the sum from before it."""
        fillings = self.fillings
        for index, addend, _line in self._through[side][square]:
            fillings[index] -= addend

    def go_to(self, first: int, second: int) -> int:
        """Go from the position of the last call to the one with these marks; return its sum.

        Marks put down since that call have to be taken back first.
        """
        for side, marks in enumerate((first, second)):
            before = self._marks[side]
            for bit in split(before & ~marks):
                self._total = self._remove(self._total, bit.bit_length() - 1, side)
            for bit in split(marks & ~before):
                self._total = self.play(self._total, bit.bit_length() - 1, side)
        self._marks = first, second
        self._kept = list(self.fillings)
        return self._total

    def reset(self) -> None:
        """Take back all marks put down since the last `go_to`."""
        self.fillings[:] = self._kept

    def _remove(self, total: int, square: int, side: int) -> int:
        fillings = self.fillings
        for index, addend, line in self._through[side][square]:
            before = fillings[index]
            after = fillings[index] = before - addend
            total += line[after] - line[before]
        return total

    def squares(self, total: int) -> Sequence[int]:
        """Return the 32 bits of each square."""
        by_square = self.patterns.by_square
        return by_square.unpack(total.to_bytes(by_square.size, "little"))[:-1]

    def fields(self, total: int, side: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return the 16 bits of each square for `side`, and for the other one."""
        by_side = self.patterns.by_side
        *fields, _, _ = by_side.unpack(total.to_bytes(by_side.size, "little"))
        return fields[side::2], fields[1 - side :: 2]

    def worth(self, total: int) -> tuple[int, int]:
        """Return the worth of the sets open to the first side and to the second, given a sum."""
        worth = total >> self.patterns.top
        return worth & _WORTH_MASK, worth >> _WORTH_BITS


@lru_cache(maxsize=8)
def patterns(board: LineBoard) -> Patterns:
    """Return the patterns of `board`."""
    return Patterns(board)


def _lines(sets: Sequence[int]) -> Iterator[tuple[list[int], tuple[int, ...]]]:
    """Yield lines of sets: their squares, and each set as a bitboard of positions among these.

    Neighbours in a line differ by one square.
    """
    for chain in _chains(sets):
        line, squares = list[int](), list[int]()
        for mask in chain:
            new = [bit.bit_length() - 1 for bit in split(mask)]
            new = [square for square in new if square not in squares]
            if line and len(squares) + len(new) > _LINE_SQUARES:
                yield _line(line, squares)
                line, squares = [], []
                new = [bit.bit_length() - 1 for bit in split(mask)]
            line.append(mask)
            squares += new
        yield _line(line, squares)


def _line(line: Sequence[int], squares: list[int]) -> tuple[list[int], tuple[int, ...]]:
    """Return the squares of a line, and its sets as bitboards of their places among these."""
    places = {square: place for place, square in enumerate(squares)}
    windows = [sum(1 << places[bit.bit_length() - 1] for bit in split(mask)) for mask in line]
    return squares, tuple(windows)


def _chains(sets: Sequence[int]) -> Iterator[list[int]]:
    """Yield the sets in chains, from neighbour to neighbour, an end first if there is one."""
    sharing = dict[int, list[int]]()
    for mask in sets:
        for bit in split(mask):
            sharing.setdefault(mask ^ bit, []).append(mask)
    beside = {
        mask: [
            other for bit in split(mask) for other in sharing[mask ^ bit] if _follows(mask, other)
        ]
        for mask in sets
    }
    left = dict.fromkeys(sorted(sets, key=lambda mask: len(beside[mask])))
    while left:
        chain = list[int]()
        following = [next(iter(left))]
        while following:
            chain.append(following[0])
            del left[following[0]]
            following = [other for other in beside[following[0]] if other in left]
        yield chain


def _follows(mask: int, other: int) -> bool:
    """Return whether two sets that differ by one square lie in a line: they share several."""
    return mask != other and (mask & other).bit_count() > 1
