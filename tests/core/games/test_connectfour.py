"""The rules of connect four: pieces fall, and a line of four wins."""

from random import Random

import pytest

from core.errors import Illegal, IllegalMove, PositionError, Reason
from core.games import GAMES
from core.games.connectfour.position import ConnectFourReason
from core.grid import Move, Square
from core.match import Match
from core.outcome import Outcome, Termination
from core.position import Blank, Position
from tests.core.boards import after, squares

CONNECT_FOUR = GAMES["connectfour"]
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


def at(text: str) -> Position:
    """Return a position by its notation."""
    return CONNECT_FOUR.parse(text)


def owners(position: Position, line: int) -> set[int]:
    """Return the owners of lines, found square by square."""
    found = set()
    for square in position.grid.squares:
        for columns, rows in STEPS:
            path = [Square(square.column + i * columns, square.row + i * rows) for i in range(line)]
            if all(place in position.grid for place in path):
                on = {position.content(place) for place in path}
                found |= {seat for seat in (0, 1) if on == {seat}}
    return found


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rows": 5, "columns": 10},
        {"rows": 10, "columns": 5, "line": 5},
        {"rows": 5, "columns": 5, "line": 5},  # drawn at the second seed
    ],
)
def test_pieces_fall_and_the_owner_of_a_line_wins(options: dict[str, int]) -> None:
    """Each piece lands on the lowest free square; the game ends with the first line or full."""
    for seed in range(2):
        match = Match.start("connectfour", options)
        rng = Random(seed)
        line = int(match.options["line"])
        while match.to_move is not None:
            before = match.position
            assert not owners(before, line)
            move = rng.choice(before.legal_moves())
            landed = before.landing(move)
            below = [Square(landed.column, row) for row in range(landed.row)]
            assert before.content(landed) is Blank.OPEN and move.column == landed.column
            assert all(isinstance(before.content(square), int) for square in below)
            match = match.play(move)
            assert match.position.content(landed) == before.to_move
        assert match.outcome is not None
        won = match.outcome.termination is Termination.LINE
        winner = {match.outcome.ranks.index(1)} if won else set()
        assert owners(match.position, line) == winner
        full = all(match.position.content(s) is not Blank.OPEN for s in match.position.grid.squares)
        assert won or full


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("a a b b c c d", "a1 b1 c1 d1"),
        ("d a d a d a d", "d1 d2 d3 d4"),
        ("c d d e f e e f f c f", "c1 d2 e3 f4"),
        ("f e d d b c b c c b c b a b", None),
        ("a b a b a c c c d d d d f e b", None),
        ("g f f e e d e d d a d", "g1 f2 e3 d4"),
        ("a f b f c f e a d", "a1 b1 c1 d1 e1"),
    ],
)
def test_lines_in_every_direction(moves: str, line: str | None) -> None:
    """A row, a column and both diagonals win; all squares of a longer line decide."""
    expected = Outcome(Termination.LINE, (1, 2), squares(line)) if line else None
    assert after(Match.start("connectfour"), moves).outcome == expected


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("a", ConnectFourReason.FULL_COLUMN),
        ("f", Illegal.OFF_BOARD),
        ("z", Illegal.OFF_BOARD),
        ("b1", ConnectFourReason.NOT_A_COLUMN),
        ("a1-b1", ConnectFourReason.NOT_A_COLUMN),
    ],
)
def test_an_illegal_move_has_a_reason(move: str, reason: Reason) -> None:
    """Only columns with a free square can be named."""
    position = at("4 X..../O..../X..../O..../X.O..")
    with pytest.raises(IllegalMove) as refused:
        position.play(Move.parse(move))
    assert refused.value.reason is reason
    assert " ".join(map(str, position.legal_moves())) == "b c d e"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "4 ",
        "3 ...../...../...../...../.....",
        "04 ...../...../...../...../.....",
        "4 ..../..../..../....",
        "4 ...../...../...../..../.....",
        "4 ...../...../...../...../.....X",
        "4 ...../...../...../...../....Z",
        "4 ...../...../...../X..../.....",
        "4 ...../...../...../...../O....",
        "4 ...../...../...../...../XX...",
        "4 ...../...../...../OOOO./XXXX.",
        "4 ...../...../...../XOOO./XXXXO",
        "4 ...../...../..O../.OOO./XXXX.",
        "4 X..../X..../X..../X..../OOOO.",
        "4 ...../X...X/XO..X/XOOOX/XOOOX",
        "4 " + "/".join(["." * 11] * 6),
    ],
)
def test_a_text_that_is_no_position(text: str) -> None:
    """Sizes out of range, pieces in the air, wrong numbers and impossible lines are refused."""
    with pytest.raises(PositionError):
        at(text)


def test_the_numbers_of_positions() -> None:
    """The numbers of positions by ply are those that others have counted (OEIS A212693)."""
    frontier = {CONNECT_FOUR.start(CONNECT_FOUR.resolve({}), Random())}
    counted = []
    for _ in range(6):
        counted.append(len(frontier))
        frontier = {p.play(move) for p in frontier for move in p.legal_moves()}
    assert counted == [1, 7, 49, 238, 1120, 4263]


def test_options() -> None:
    """The usual board is 6 rows of 7 with a line of 4, and the first seat wins in 41 plies.

    Its matches aren't rated in pairs, since people don't play that win without a slip. Other boards
    have no known win, and aren't solved.
    """
    usual = CONNECT_FOUR.resolve({})
    assert usual == {"rows": 6, "columns": 7, "line": 4}
    wide = CONNECT_FOUR.resolve({"columns": 8})
    assert CONNECT_FOUR.forced_win(usual) == 41 and not CONNECT_FOUR.one_sided(usual)
    assert CONNECT_FOUR.worse_seat(usual) == 1
    assert CONNECT_FOUR.forced_win(wide) is None and not CONNECT_FOUR.solved(wide)
