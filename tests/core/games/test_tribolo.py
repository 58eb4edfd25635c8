"""Tribolo by diagram: captures, passes, endings and laws.

Diagrams show the top row first: B, R and G own squares, ``#`` is a wall, ``.`` is empty.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Illegal, IllegalMove, MatchOver, OptionError, PositionError, Reason
from core.games.tribolo.position import TriboloPosition, TriboloReason
from core.grid import Grid, Move, Square
from core.outcome import Outcome, Termination
from core.position import Blank, Position
from tests.core.boards import TRIBOLO, moves

COMPASS = [(c, r) for c in (-1, 0, 1) for r in (-1, 0, 1) if (c, r) != (0, 0)]


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("BR. B", "c1", "BBB -"),
        ("BRRR. B", "e1", "BBBBB -"),
        (".RRRB B", "a1", "BBBBB -"),
        ("BR.GB B", "c1", "BBBBB -"),  # from different opponents in different directions
        ("B./R./.G B", "a1", "B./B./BG -"),  # a column
        (".../.R./B.. B", "c3", "..B/.B./B.. -"),  # a diagonal
        ("B../.R./... B", "c1", "B../.B./..B -"),
        ("BR.RG B", "c1", "BBBRG -"),  # the run to the right ends at green, so it isn't captured
        ("B.B/RRB/.RB B", "a1", "B.B/BBB/BBB -"),
        ("BRR.R/....G B", "d1", ""),  # green breaks the run of red
        (
            "BR.../.#R.B/R.... B",
            "c3",
            "BBB../.#R.B/R.... B",
        ),  # neither past a wall nor past an empty square
    ],
)
def test_captures(before: str, move: str, after: str) -> None:
    """Runs of one opponent that end at an own square are captured, in every direction."""
    position = TRIBOLO.parse(before)
    if not after:
        with pytest.raises(IllegalMove):
            position.play(Move.parse(move))
        return
    assert position.play(Move.parse(move)).notation == after


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("BR. B", "c1"),
        ("BRR. B", "d1"),
        ("BRG.RB. B", "d1"),  # two colours to its left, one to its right
        ("BR#.RB. B", "d1"),
        ("B#R.BR. B", "g1"),  # walls end runs
        (".RB.R./B..... B", "a2"),
        ("B.R.BR. B", "g1"),  # an empty square ends them
        ("R.BR.B. R", "b1"),
    ],
)
def test_legal_moves(text: str, legal: str) -> None:
    """A move needs an empty square from which it captures at least one run."""
    assert list(TRIBOLO.parse(text).legal_moves()) == moves(legal)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("a1", Illegal.TAKEN),
        ("b1", Illegal.TAKEN),
        ("d1", TriboloReason.WALL),
        ("e1", TriboloReason.TAKES_NOTHING),
        ("f1", Illegal.OFF_BOARD),
        ("a1-c1", Illegal.NOT_YOUR_MAN),
    ],
)
def test_each_refusal_has_a_reason(move: str, reason: Reason) -> None:
    """Owned squares, walls, squares that capture nothing and squares off the board differ."""
    with pytest.raises(IllegalMove) as refused:
        TRIBOLO.parse("BR.#. B").play(Move.parse(move))
    assert refused.value.reason is reason


def test_a_player_who_cannot_move_is_passed_over() -> None:
    """Blue moves, red and green can't, and blue moves again; the text names the mover."""
    position = TRIBOLO.parse("BR./BG. B")
    assert position.to_move == 0
    again = position.play(Move.parse("c2"))
    assert (again.notation, again.to_move) == ("BBB/BG. B", 0)
    assert list(again.legal_moves()) == moves("c1")
    over = again.play(Move.parse("c1"))
    assert (over.to_move, over.legal_moves()) == (None, ())
    assert over.outcome() == Outcome(Termination.EXHAUSTED, (1, 2, 2))
    with pytest.raises(MatchOver):
        over.play(Move.parse("c1"))


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("BBRG -", (1, 2, 2)),
        ("BBRRG -", (1, 1, 3)),
        ("BRG -", (1, 1, 1)),
        ("BRRGGG -", (3, 2, 1)),
        ("BRRGGG - -G", (2, 1, 3)),  # a seat that is out ranks after the others
        ("BRRGGG - -RG", (1, 3, 2)),
    ],
)
def test_squares_rank_the_seats(text: str, ranks: tuple[int, ...]) -> None:
    """More squares rank higher, and equal numbers share a rank."""
    assert TRIBOLO.parse(text).outcome() == Outcome(Termination.EXHAUSTED, ranks)


@pytest.mark.parametrize(
    ("text", "seat", "after"),
    [
        ("BR./RB./G.. B", 0, "BR./RB./G.. R -B"),
        ("BR./RB./G.. B", 2, "BR./RB./G.. B -G"),
        ("BR./RB./G.. B -G", 1, "BR./RB./G.. B -RG"),
        ("BR. B", 0, "BR. - -B"),
    ],
)
def test_a_seat_that_is_out_is_passed_over(text: str, seat: int, after: str) -> None:
    """It keeps its squares, and the next seat that can move does; if none can, the game ends."""
    left = TRIBOLO.parse(text).without(seat)
    assert left.notation == after
    for gone in (seat, 3, -1):
        with pytest.raises(ValueError, match="is not at"):
            left.without(gone)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "BR.",
        "BR. R",  # red can't move
        "BR. -",  # blue can
        "BR. X",
        "BR. B -",
        "BR. B -X",
        "BR. B -GR",  # not in order
        "BR. B -GG",
        "BR. B -G -R",
        "BR. B -B",  # out, yet to move
        "BR. B G",
        "BRX B",
        "BR./B B",
        "B/BR. B",
        "BR.  B",
        "/ -",
        " -",
        f"BR.{'.' * 14} B",
        "/".join(["BR."] * 12) + " B",
    ],
)
def test_malformed_positions_are_refused(text: str) -> None:
    """Unknown letters, ragged rows, movers who can't move, and boards that are too large."""
    with pytest.raises(PositionError):
        TRIBOLO.parse(text)


@pytest.mark.parametrize(("size", "columns", "rows", "each"), [
    ("small", 8, 6, 4), ("medium", 12, 8, 8), ("full", 16, 11, 12),
])  # fmt: skip
def test_starts_are_fair(size: str, columns: int, rows: int, each: int) -> None:
    """Squares and walls are as declared; seats have about equally many moves; any may start."""
    first = set()
    for seed in range(30):
        position = TRIBOLO.start({"size": size}, Random(seed))
        assert position.grid == Grid(columns, rows)
        assert TRIBOLO.start({"size": size}, Random(seed)) == position
        content = Counter(position.content(square) for square in position.grid.squares)
        assert [content[seat] for seat in range(3)] == [each] * 3
        assert content[Blank.WALL] == each
        mobility = [len(list(naive_moves(position, seat))) for seat in range(3)]
        assert min(mobility) > 0 and max(mobility) - min(mobility) <= 2
        first.add(position.to_move)
    assert first == {0, 1, 2}


def test_nobody_is_out_before_their_first_turn() -> None:
    """Each seat has a capture in the first round, in the same order whatever is played before."""
    for seed in range(100):
        start = TRIBOLO.start({"size": "small"}, Random(seed))
        second = [start.play(move) for move in start.legal_moves()]
        third = [after.play(move) for after in second for move in after.legal_moves()]
        assert {start.to_move, *(after.to_move for after in (*second, *third))} == {0, 1, 2}
        assert len({after.to_move for after in second}) == len({one.to_move for one in third}) == 1


def test_sizes_are_declared() -> None:
    """The default is small; a word that is no size is refused."""
    assert TRIBOLO.resolve({}) == {"size": "small"}
    with pytest.raises(OptionError):
        TRIBOLO.resolve({"size": "huge"})


def naive_moves(position: Position, seat: int) -> Iterator[Square]:
    """Yield the legal moves of `seat`, walking square by square as the rules say."""
    for square in position.grid.squares:
        if position.content(square) is Blank.OPEN and naive_taken(position, seat, square):
            yield square


def naive_taken(position: Position, seat: int, square: Square) -> set[Square]:
    """Return the squares that `seat` captures by moving to `square`."""
    taken: set[Square] = set()
    for across, up in COMPASS:
        run: list[Square] = []
        at = Square(square.column + across, square.row + up)
        while at in position.grid:
            content = position.content(at)
            if content == seat:
                taken.update(run)
            if content == seat or isinstance(content, Blank):
                break
            if run and content != position.content(run[0]):
                break
            run.append(at)
            at = Square(at.column + across, at.row + up)
    return taken


@st.composite
def boards(draw: st.DrawFn) -> TriboloPosition:
    """Return a random board of any size on which a seat can move."""
    columns, rows = draw(st.integers(3, 16)), draw(st.integers(1, 11))
    rng = Random(draw(st.integers(0, 2**32)))
    letters = rng.choices(
        "BRG.#", (3, 3, 3, rng.randint(1, 9), rng.randint(0, 2)), k=columns * rows
    )
    board = "/".join("".join(letters[at : at + columns]) for at in range(0, len(letters), columns))
    for mover in "BRG-":
        try:
            return TRIBOLO.parse(f"{board} {mover}")
        except PositionError:
            continue
    raise AssertionError(board)


@given(boards())
def test_moves_match_a_naive_walk(position: TriboloPosition) -> None:
    """Legal moves, captures and the next player agree with a plain reading of the rules."""
    seat = position.to_move
    if seat is None:
        assert not any(list(naive_moves(position, other)) for other in range(3))
        return
    assert [move.to for move in position.legal_moves()] == list(naive_moves(position, seat))
    for move in position.legal_moves():
        after = position.play(move)
        mine = naive_taken(position, seat, move.to) | {move.to}
        for square in position.grid.squares:
            expected = seat if square in mine else position.content(square)
            assert after.content(square) == expected
        able = [s % 3 for s in range(seat + 1, seat + 4) if list(naive_moves(after, s % 3))]
        assert after.to_move == (able[0] if able else None)


@given(boards())
def test_each_move_raises_the_sum_of_the_scores_by_one(position: TriboloPosition) -> None:
    """A capture moves squares between seats; only the square moved to is new."""
    for move in position.legal_moves():
        assert sum(position.play(move).scores()) == sum(position.scores()) + 1
