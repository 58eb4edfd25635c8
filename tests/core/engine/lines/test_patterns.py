"""Patterns, fours and threes against plain definitions and slower searches."""

from random import Random
from sys import getsizeof

import pytest

from core.engine.lines.and_or import AndOrSearch
from core.engine.lines.bounds import bounds
from core.engine.lines.forcing import ForcingSearch
from core.engine.lines.fours import FourSearch
from core.engine.lines.geometry import geometry
from core.engine.lines.order import OTHERS, OWN, by_urgency
from core.engine.lines.patterns import FIVE_MASK, FOUR_MASK, PatternPosition, patterns
from core.engine.lines.pvs import PrincipalVariationSearch
from core.engine.lines.threats import ThreatSearch, forcing, lacking_two
from core.engine.stop import NEVER
from core.games.tictactoe.board import board
from core.views import LineBoard

SHAPES = [
    (10, 10, 5, "classic"),
    (7, 7, 4, "classic"),
    (8, 6, 6, "classic"),
    (7, 7, 4, "corners"),
    (7, 7, 5, "torus"),
    (9, 7, 4, "torus"),  # its diagonals are longer than a line of patterns
    (5, 5, 4, "torus"),  # each run of four lies beside every other in its row
]


def marked(playing: LineBoard, chance: Random, most: int) -> tuple[int, int]:
    """Return the marks of random play in which nobody owns a set."""
    while True:
        squares = chance.sample(range(playing.squares), chance.randrange(most))
        mine, theirs = (sum(1 << i for i in squares[k::2]) for k in (0, 1))
        if not any(mask & side == mask for side in (mine, theirs) for mask in playing.sets):
            return mine, theirs


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_patterns_are_what_the_sets_say(shape: tuple[int, int, int, str]) -> None:
    """They show for both sides the squares that complete sets, and those that threaten to.

    They do however the position was reached: by marks put down in any order, taken back, or by a
    change to other marks.
    """
    playing = board(*shape).lines
    chance = Random(1)
    here = geometry(playing)
    travelling = PatternPosition(patterns(playing), 0, 0)
    for _ in range(8):
        sides = marked(playing, chance, playing.squares * 2 // 3)
        position = PatternPosition(patterns(playing), *sides)
        assert travelling.go_to(*sides) == position.start
        for side, (own, other) in enumerate((sides, sides[::-1])):
            fields, _ = position.fields(position.start, side)
            completing = here.completing(own, other)
            threats = forcing(lacking_two(own, here.alive(other)))
            for square, field in enumerate(fields):
                bit = 1 << square
                assert bool(field & FIVE_MASK) == bool(completing & bit)
                assert bool(field & FOUR_MASK) == (bit in threats)


def test_squares_come_in_the_order_of_their_urgency() -> None:
    """Useless ones are left out, and of equally urgent ones the first comes first."""
    playing = board(10, 10, 5, "classic").lines
    chance = Random(5)
    for _ in range(20):
        position = PatternPosition(patterns(playing), *marked(playing, chance, 60))
        for side in (0, 1):
            own, others = position.fields(position.start, side)
            urgency = [OWN[one] + OTHERS[other] for one, other in zip(own, others, strict=True)]
            useful = [square for square, value in enumerate(urgency) if value]
            ordered = by_urgency(position.squares(position.start), side)
            assert ordered == sorted(useful, key=lambda square: -urgency[square])


def test_squares_of_a_kind_are_read_from_a_sum() -> None:
    """The squares of which some bit is set are found in order, whatever the bits are."""
    playing = board(10, 10, 5, "classic").lines
    chance = Random(6)
    for _ in range(20):
        position = PatternPosition(patterns(playing), *marked(playing, chance, 60))
        fours = position.start & position.patterns.fours[0]
        fields, _ = position.fields(position.start, 0)
        expected = [square for square, field in enumerate(fields) if field & FOUR_MASK]
        assert position.patterns.squares_of(fours) == expected


def test_the_tables_of_a_board_stay_small() -> None:
    """However many positions a process meets, the patterns of a board take less than 7 MB."""
    playing = board(9, 10, 5, "torus").lines
    chance = Random(3)
    travelling = PatternPosition(patterns(playing), 0, 0)
    for _ in range(160):
        travelling.go_to(*marked(playing, chance, playing.squares // 2))
    tables = travelling.patterns.lines
    assert sum(getsizeof(number) for line in tables for number in line.values()) < 7_000_000


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape[2] < 6], ids=str)
def test_fours_are_found(shape: tuple[int, int, int, str]) -> None:
    """A side wins by continuous fours exactly where the search of sets says so.

    They are found as well if an earlier search had too few nodes to find them.
    """
    playing = board(*shape).lines
    chance = Random(2)
    won = 0
    here = geometry(playing)
    for _ in range(30):
        mine, theirs = marked(playing, chance, playing.squares * 2 // 3)
        blocks = here.completing(theirs, mine)
        if here.completing(mine, theirs) or blocks & (blocks - 1):
            continue
        side = chance.randrange(2)
        first, second = (theirs, mine) if side else (mine, theirs)
        position = PatternPosition(patterns(playing), first, second)
        search = FourSearch(position)
        for nodes in (1, 2, 3, 4, 100_000):
            found = search.win(position.start, first | second << playing.squares, side, nodes)
        expected = ThreatSearch(here).wins(mine, theirs, blocks)
        assert (found is None) == (expected is None)
        if found is not None:
            won += 1
            assert AndOrSearch(bounds(playing)).wins(
                mine, theirs, (found.plies + 1) // 2, nodes=100_000
            )
    assert won


@pytest.mark.parametrize(
    ("played", "move", "moves"),
    [
        ("e7 e6 f6 g5 d6 f5 d7 d5 c5 h5", "e5", 5),
        ("e5 e6 f5 f6", None, 0),  # a reply answers every three
        ("e5 e6 f5 f6 g4 g6", None, 0),
    ],
)
def test_threes_win_where_fours_do_not(played: str, move: str | None, moves: int) -> None:
    """A win by threes and fours is found, and is a win."""
    playing = board(10, 10, 5, "classic").lines
    squares = ["abcdefghij".index(text[0]) + 10 * (int(text[1:]) - 1) for text in played.split()]
    mine, theirs = (sum(1 << i for i in squares[k::2]) for k in (0, 1))
    position = PatternPosition(patterns(playing), mine, theirs)
    fours = FourSearch(position)
    assert fours.win(position.start, mine | theirs << 100, 0, 10_000) is None
    found = ForcingSearch(geometry(playing), position, fours, 0).win(mine, theirs, 500)
    if move is None:
        assert found is None
        return
    assert found is not None
    assert found.move == 1 << "abcdefghij".index(move[0]) + 10 * (int(move[1:]) - 1)
    assert AndOrSearch(bounds(playing)).wins(mine, theirs, moves, nodes=100_000)


@pytest.mark.parametrize("side", [0, 1])
def test_only_fours_are_searched_against_two_at_once(side: int) -> None:
    """Where the other side could make an open four next, only moves on fours are searched."""
    playing = board(10, 10, 5, "classic").lines
    mine, theirs = 1 << 11 | 1 << 22, 0b111 << 44  # b2 c3 against e5 f5 g5
    first, second = (theirs, mine) if side else (mine, theirs)
    here, position = geometry(playing), PatternPosition(patterns(playing), first, second)
    search = PrincipalVariationSearch(position, here, NEVER)
    tried = search.moves(position.start, first | second << 100, side, depth=1, width=100)
    fours = forcing(lacking_two(theirs, here.alive(mine)))
    assert {1 << square for square in tried} == {*fours}
