"""Tic-tac-toe on boards of any size, by diagram: ``variant line top/.../bottom``."""

from functools import cache
from random import Random

import pytest

from core.errors import Illegal, IllegalMove, PositionError
from core.games.tictactoe.board import VARIANTS
from core.games.tictactoe.position import MnkPosition
from core.grid import Grid, Move, Square
from core.outcome import Outcome, Termination
from tests.core.boards import TICTACTOE, empty, squares

X_WINS, O_WINS = (1, 2), (2, 1)
STEPS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def played(before: str, move: str) -> MnkPosition:
    """Return the position after `move`, having checked that its text round-trips."""
    position = TICTACTOE.parse(before).play(Move.parse(move))
    whole = TICTACTOE.parse(position.notation)
    assert (whole, whole.outcome()) == (position, position.outcome())
    return position


@pytest.mark.parametrize(
    ("before", "move", "ranks", "line"),
    [
        ("classic 3 XX./OO./...", "c3", X_WINS, "a3 b3 c3"),
        ("classic 3 X.X/OO./...", "b3", X_WINS, "a3 b3 c3"),
        ("classic 3 X.O/X.O/...", "a1", X_WINS, "a3 a2 a1"),
        ("classic 3 X.O/.XO/...", "c1", X_WINS, "a3 b2 c1"),
        ("classic 3 O.X/OX./...", "a1", X_WINS, "a1 b2 c3"),
        ("classic 3 XX./OO./X..", "c2", O_WINS, "a2 b2 c2"),
        ("classic 4 XXX./OOO./..../....", "d4", X_WINS, "a4 b4 c4 d4"),
        ("classic 4 .OOO/.X../..X./...X", "a4", X_WINS, "a4 b3 c2 d1"),
        ("classic 3 ...../..X../.O.X./.O.../.....", "e2", X_WINS, "c4 d3 e2"),
        ("classic 3 ..../O.O./X.X./....", "b2", X_WINS, "a2 b2 c2"),
        ("classic 3 ...X/...X/O.../O.../..../..../..../..../....", "d7", X_WINS, "d9 d8 d7"),
        ("classic 3 .........X/OO......X./..........", "h1", X_WINS, "h1 i2 j3"),
    ],
)
def test_a_run_wins(before: str, move: str, ranks: tuple[int, int], line: str) -> None:
    """A run of a player's marks in a row, column or diagonal wins, even on a longer board."""
    assert played(before, move).outcome() == Outcome(Termination.LINE, ranks, squares(line))


@pytest.mark.parametrize(
    ("before", "move"),
    [
        ("classic 3 XX./OO./...", "c1"),
        ("classic 4 XX../OO../..../....", "c4"),
        ("classic 4 XX.../.OO../...O./....X/.....", "d5"),
        ("classic 3 X..X/OO../..../....", "c4"),
        ("classic 3 .X./OOX/...", "a1"),
        ("classic 4 X..X/OO../O.../X...", "d1"),
    ],
)
def test_broken_runs_do_not_win(before: str, move: str) -> None:
    """Short runs, gaps, bends, and runs around the edge or the corners don't count."""
    position = played(before, move)
    assert position.outcome() is None
    assert position.to_move == 1


@pytest.mark.parametrize(
    ("before", "move", "line"),
    [
        ("classic 3 X.XX/OO.O/..../....", "b4", "a4 b4 c4 d4"),
        ("classic 3 XX.XX/OO.OO/...../...../.....", "c5", "a5 b5 c5 d5 e5"),
        ("classic 3 OO..X/O..X./...../.X.../X...O", "c3", "e5 d4 c3 b2 a1"),
        ("classic 3 XX./OOX/OOX", "c3", "a3 b3 c3 c2 c1"),
    ],
)
def test_the_line_has_every_completed_square(before: str, move: str, line: str) -> None:
    """A run longer than `line` counts whole, and so do several runs at once."""
    assert played(before, move).outcome() == Outcome(Termination.LINE, X_WINS, squares(line))


@pytest.mark.parametrize("before", ["XX./OOX/OOX", "XOX/OXO/OX.", "X.X/OXO/OXO"])
def test_a_winning_last_mark_on_a_full_board_wins(before: str) -> None:
    """A win is checked before the full board, so it is not a draw."""
    position = TICTACTOE.parse(f"classic 3 {before}")
    (last,) = position.legal_moves()
    outcome = position.play(last).outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.ranks) == (Termination.LINE, X_WINS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_full_board_without_a_line_is_a_draw(variant: str) -> None:
    """When the last square is marked and no player owns a deciding set, all share rank 1."""
    position = played(f"{variant} 4 XOXO/XOXO/OXOX/OX.X", "c1")
    assert position.outcome() == Outcome(Termination.FULL, (1, 1))


def test_a_dead_drawn_board_is_played_to_the_end() -> None:
    """A draw that is certain is not declared before the board is full."""
    position = TICTACTOE.parse("classic 3 XOX/XOO/OX.")
    assert position.outcome() is None
    assert position.legal_moves() == (Move.parse("c1"),)
    assert played("classic 3 XOX/XOO/OX.", "c1").outcome() == Outcome(Termination.FULL, (1, 1))


@pytest.mark.parametrize(
    ("before", "move", "ranks", "line"),
    [
        ("misere 3 XX./OO./...", "c3", O_WINS, "a3 b3 c3"),
        ("misere 3 XX./OO./X..", "c2", X_WINS, "a2 b2 c2"),
        ("misere 3 XX./OOX/OOX", "c3", O_WINS, "a3 b3 c3 c2 c1"),
        ("corners 4 X..X/OO../O.../X...", "d1", X_WINS, "a4 d4 a1 d1"),
        ("corners 4 O..O/XX../XX../O...", "d1", O_WINS, "a4 d4 a1 d1"),
        ("corners 4 X..X/OO../..../X..O", "b1", None, ""),
        ("corners 4 XXX./OOO./..../....", "d4", X_WINS, "a4 b4 c4 d4"),
        ("corners 3 X.XX/OO.O/..../....", "b4", X_WINS, "a4 b4 c4 d4"),
        ("corners 4 .X../O..X/X.OO/....", "c1", None, ""),
        ("torus 3 .X./OOX/...", "a1", X_WINS, "b3 c2 a1"),
        ("torus 3 X..X/OO../..../....", "c4", X_WINS, "a4 c4 d4"),
        ("torus 3 X.../OO../..../X...", "a2", X_WINS, "a4 a1 a2"),
        ("torus 4 .X../..X./OOO./X...", "d2", X_WINS, "b4 c3 d2 a1"),
        ("torus 3 X.../..X./OO../....", "b1", None, ""),
        ("torus 4 XX../OO../..../....", "d4", None, ""),
    ],
)
def test_variants_change_the_deciding_sets(
    before: str, move: str, ranks: tuple[int, int] | None, line: str
) -> None:
    """misere: a line loses; corners: all four also win; torus: lines wrap around the edges."""
    outcome = Outcome(Termination.LINE, ranks, squares(line)) if ranks else None
    assert played(before, move).outcome() == outcome


@cache
def runs(grid: Grid, line: int, *, wrap: bool) -> tuple[tuple[Square, ...], ...]:
    """Return the squares of every run, found by walking from every square in every direction."""
    found = []
    for start in grid.squares:
        for dc, dr in STEPS:
            path = [(start.column + i * dc, start.row + i * dr) for i in range(line)]
            if wrap:
                path = [(c % grid.columns, r % grid.rows) for c, r in path]
            if len(set(path)) == line and all(Square(*s) in grid for s in path):
                found.append(tuple(Square(*s) for s in path))
    return tuple(found)


def owners(position: MnkPosition, *, wrap: bool) -> set[int]:
    """Return the owners of runs."""
    marks = {square: position.content(square) for square in position.grid.squares}
    every = runs(position.grid, position.board.line, wrap=wrap)
    found = [{marks[square] for square in run} for run in every]
    return {seat for seat in (0, 1) if {seat} in found}


@pytest.mark.parametrize("variant", ["classic", "misere", "torus"])
@pytest.mark.parametrize(("rows", "columns", "line"), [(3, 3, 3), (4, 5, 4), (6, 4, 3), (7, 7, 4)])
def test_the_winner_is_the_owner_of_a_run(rows: int, columns: int, line: int, variant: str) -> None:
    """Checking only the lines through each move finds a run as soon as the board has one."""
    for seed in range(20):
        rng = Random(seed)
        position = empty(rows, columns, line, variant)
        while position.outcome() is None:
            assert not owners(position, wrap=variant == "torus")
            position = position.play(rng.choice(position.legal_moves()))
        outcome = position.outcome()
        assert outcome is not None
        expected = {1 - position.side_to_move} if outcome.termination is Termination.LINE else set()
        assert owners(position, wrap=variant == "torus") == expected


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("b2", Illegal.TAKEN),
        ("a1", Illegal.TAKEN),
        ("d1", Illegal.OFF_BOARD),
        ("a4", Illegal.OFF_BOARD),
        ("z99", Illegal.OFF_BOARD),
        ("b2-c3", Illegal.NOT_YOUR_MAN),
    ],
)
def test_an_illegal_move_has_a_reason(move: str, reason: Illegal) -> None:
    """Only an empty square on the board can be marked, and no mark moves."""
    position = TICTACTOE.parse("classic 3 .../.X./O..")
    with pytest.raises(IllegalMove) as refused:
        position.play(Move.parse(move))
    assert (refused.value.move, refused.value.reason) == (Move.parse(move), reason)


def test_legal_moves_are_the_empty_squares_from_a1_row_by_row() -> None:
    """They are in the order of the board's squares."""
    position = TICTACTOE.parse("classic 3 ..X/.O./X..")
    assert " ".join(map(str, position.legal_moves())) == "b1 c1 a2 c2 a3 b3"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "classic",
        "classic 3",
        "classic 3 ",
        "3 .../.../...",
        "classic 3 .../.../... X",
        "classic  3 .../.../...",
        " classic 3 .../.../...",
        "classic 3 .../.../...\n",
        "gravity 3 .../.../...",
        "Classic 3 .../.../...",
        "classic x .../.../...",
        "classic 2 .../.../...",
        "classic 4 .../.../...",
        "classic 03 .../.../...",
        "classic +3 .../.../...",
        "classic \N{ARABIC-INDIC DIGIT THREE} .../.../...",
        "classic 3 ../../..",
        "classic 3 .../...",
        "classic 3 .../.../..",
        "classic 3 .../..../...",
        "classic 3 .../.../.../",
        "classic 3 " + "/".join(["." * 11] * 11),
        "classic 3 xo./.../...",
        "classic 3 X-O/.../...",
        "classic 3 O../.../...",
        "classic 3 XX./.../...",
        "classic 3 XXX/OOO/...",
        "classic 3 XXX/OO./O..",
        "classic 3 OOO/XX./X.X",
        "classic 3 XXX../OO.O./XXX../.O.O./.....",
    ],
)
def test_malformed_positions_are_refused(text: str) -> None:
    """Malformed texts, boards out of range, and marks that no game can reach."""
    with pytest.raises(PositionError):
        TICTACTOE.parse(text)
