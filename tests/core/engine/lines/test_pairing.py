"""Pairing strategies prove at the start of a search that a side can't force a set."""

from pathlib import Path
from random import Random

import pytest

from core.engine.analysis import Value
from core.engine.bitboards import split
from core.engine.books.make.generator import searched
from core.engine.lines.geometry import geometry
from core.engine.lines.pairing import PairingSearch
from core.engine.lines.search import LineSearch
from core.engine.player import Engine
from core.games.tictactoe.board import board
from core.outcome import Result
from tests.core.boards import TICTACTOE, empty, wandered
from tests.core.engine.lines.samples import sampled

NODES = 6_500


@pytest.mark.parametrize(
    ("rows", "columns", "line"),
    [
        (6, 6, 5),
        (8, 8, 6),
        (6, 10, 6),
        (10, 10, 7),
        (10, 10, 8),
        (10, 10, 10),
    ],
)
def test_boards_that_are_called_drawn_are_proved_drawn(rows: int, columns: int, line: int) -> None:
    """Among them are the largest boards of each line from six on, and 6x6 with a line of five."""
    options = TICTACTOE.resolve({"rows": rows, "columns": columns, "line": line})
    assert TICTACTOE.drawn(options)
    playing = geometry(board(columns, rows, line, "classic").lines)
    assert PairingSearch(playing, 10 * NODES).holds(0, 0)


@pytest.mark.parametrize(
    ("rows", "columns", "marks"),
    [
        (5, 10, 2),
        pytest.param(5, 10, 15, marks=pytest.mark.slow),
        pytest.param(6, 9, 15, marks=pytest.mark.slow),
        pytest.param(7, 7, 10, marks=pytest.mark.slow),
    ],
)
def test_boards_are_proved_drawn_by_more_replies(
    rows: int, columns: int, marks: int, holding_program: Path
) -> None:
    """X can't force a line of five after any of `marks` first marks: all of them, where slow.

    So O can't, either: X could do the same at the start, with no mark in its way.
    """
    assert TICTACTOE.drawn(TICTACTOE.resolve({"rows": rows, "columns": columns, "line": 5}))
    playing = board(columns, rows, 5, "classic").lines
    full, symmetry = geometry(playing).full, geometry(playing).symmetry
    firsts = [(bit, 0) for bit in symmetry.representatives(0, 0, split(full))][-marks:]
    assert min(searched(playing, firsts, holding_program)) >= 0


@pytest.mark.parametrize("marks", [pytest.param(5, marks=pytest.mark.slow), 7, 9])
def test_no_lost_position_is_proved_to_be_held(
    marks: int, lengths_program: Path, holding_program: Path
) -> None:
    """On 5x5 with four in a row, the program that made the book tells the lost positions."""
    playing = board(5, 5, 4, "classic").lines
    positions = sampled(playing, marks, 150)
    codes = searched(playing, positions, lengths_program)
    replies = searched(playing, [(theirs, mine) for mine, theirs in positions], holding_program)
    lost = [code > 0 and code % 2 == 0 for code in codes]
    assert any(lost)
    assert max(replies) >= 0
    assert not any(gone and reply >= 0 for gone, reply in zip(lost, replies, strict=True))


@pytest.mark.parametrize(
    ("rows", "columns", "line"), [(4, 4, 3), (6, 6, 4), (9, 9, 6), (9, 9, 5), (6, 10, 5)]
)
def test_boards_of_which_it_is_not_known(rows: int, columns: int, line: int) -> None:
    """They are won, or have no such proof, or nobody knows."""
    options = TICTACTOE.resolve({"rows": rows, "columns": columns, "line": line})
    assert not TICTACTOE.drawn(options)


def test_no_other_variant_is_called_drawn() -> None:
    """The facts are those of runs on a plain board; in misère a solved board isn't called drawn."""
    for variant in ("misere", "torus", "corners"):
        assert not board(8, 8, 8, variant).lines.drawn
    assert not TICTACTOE.drawn(TICTACTOE.resolve({"variant": "misere"}))


@pytest.mark.parametrize(("size", "line"), [(4, 4), (5, 5)])
def test_a_proof_agrees_with_the_search(size: int, line: int) -> None:
    """On solved boards, no side that has a win by force is shown to have none."""
    rng = Random(7)
    proved = 0
    for _ in range(25):
        position = wandered(empty(size, size, line), rng.randrange(2, 10), rng)
        if position.to_move is None:
            continue
        view = position.view
        pairs = PairingSearch(geometry(view.board), NODES)
        result = LineSearch(2_000_000).best(view).result
        if pairs.holds(view.mine, view.theirs):
            proved += 1
            assert result is not Result.WIN, str(position)
    assert proved > 0


def test_a_position_is_told_to_be_drawn() -> None:
    """On 7x7 with a line of six the search proves the draw instead of estimating."""
    position = wandered(empty(7, 7, 6), 7, Random(2))
    assert Engine().analyse(position).value == Value((1, 1), None)
