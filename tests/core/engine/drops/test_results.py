"""The results of all positions of connect four with twelve pieces."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine.analysis import Value
from core.engine.drops.book import book_of
from core.engine.drops.geometry import geometry, safe
from core.engine.drops.results import Results, packed, results_of
from core.engine.drops.search import DropSearch
from core.engine.player import DEFAULT_WORK, Engine
from core.games import GAMES
from core.games.connectfour.position import ConnectFourPosition
from core.outcome import Result
from core.views import DropBoard

from .scored import USUAL, bitboards, golden, position_of
from .test_drops import unsummed

SIGNS = {Result.WIN: 1, Result.DRAW: 0, Result.LOSS: -1}


def told(mine: int, taken: int) -> int | None:
    """Return the stored result of a position, None if it is decided at sight."""
    board, results = geometry(USUAL), results_of(USUAL)
    playable, threats = board.playable(taken), board.threats(mine ^ taken, taken)
    if board.completing(mine) & playable or not safe(playable, threats):
        return None
    assert results is not None and taken.bit_count() == results.pieces
    key = mine + taken
    return results.get(min(key, board.mirrored(key)))


@settings(max_examples=30)
@given(st.dictionaries(st.integers(0, (1 << 49) - 1), st.sampled_from([-1, 0, 1]), max_size=200))
def test_a_file_tells_all_results_that_it_was_made_of(known: dict[int, int]) -> None:
    """It does for any numbers; a number that it wasn't made of may have any result."""
    results = Results(packed(12, known))
    assert results.pieces == 12
    assert {number: results.get(number) for number in known} == known


def test_a_seed_that_leaves_cells_unfilled_is_followed_by_another() -> None:
    """The three windows tried first have 49,152 cells, too few for 45,000 numbers."""
    rng = Random(1)
    known = {rng.getrandbits(49): rng.choice((-1, 0, 1)) for _ in range(45_000)}
    file = packed(12, known)
    assert file[1] > 0  # the seed
    results = Results(file)
    assert all(results.get(number) == result for number, result in known.items())


def test_nothing_is_looked_up_where_no_play_leads() -> None:
    """X wins here. No play in turns leads to these pieces, and the file gives a loss for them."""
    position = GAMES["connectfour"].parse("4 ......./......./.X...../.O.X.X./.O.O.XX/.O.X.OO")
    assert isinstance(position, ConnectFourPosition)
    assert told(position.view.mine, position.taken) == -1
    value = Engine().analyse(position).value
    assert value is not None and value.ranks == (1, 2)


def test_a_near_win_keeps_its_distance() -> None:
    """Results say who wins, not how soon: here O wins in five, four of them after a look-up."""
    position = GAMES["connectfour"].parse("4 ......./......./.....O./.....X./X.X..OO/X.O.OXX")
    assert Engine().analyse(position).value == Value((2, 1), 5)


def test_solved_positions_have_their_results() -> None:
    """Recorded positions with twelve pieces do, if they aren't decided at sight."""
    checked = 0
    for columns, score in golden():
        if len(columns) == 12 and (result := told(*bitboards(columns))) is not None:
            assert result == (score > 0) - (score < 0), columns
            checked += 1
    assert checked > 20


def test_the_book_has_the_same_results() -> None:
    """Its positions with twelve pieces were solved by another program."""
    book = book_of(USUAL)
    checked = 0
    for number in book.numbers:
        mine, taken = unsummed(number)
        if taken.bit_count() == 12 and (result := told(mine, taken)) is not None:
            entry = book.get(number)
            assert entry is not None and result == entry.score
            checked += 1
    assert checked > 1000


def test_mirror_images_have_one_result() -> None:
    """A position is found by the smaller of both numbers."""
    board = geometry(USUAL)
    for columns, _ in golden():
        if len(columns) == 12:
            mine, taken = bitboards(columns)
            assert told(mine, taken) == told(board.mirrored(mine), board.mirrored(taken))


def test_early_positions_are_solved() -> None:
    """So are all with up to eleven pieces, even if no book has them; best moves keep the result."""
    early = [case for case in golden() if 1 < len(case[0]) <= 11]
    for columns, score in Random(2).sample(early, 12):
        position = position_of(columns)
        found = DropSearch(DEFAULT_WORK).best(position.view)
        assert found.result is not None, columns
        assert SIGNS[found.result] == (score > 0) - (score < 0), columns
        if len(columns) == 11:
            move = position.legal_moves()[found.best[0]]
            reply = told(*bitboards(f"{columns}{'abcdefg'.index(str(move)) + 1}"))
            assert reply in (None, -SIGNS[found.result]), columns


@pytest.mark.parametrize(
    ("columns", "result"),
    [
        ("12", Result.LOSS),
        ("13", Result.LOSS),
        ("17", Result.WIN),
        ("24", Result.DRAW),
        ("123", Result.WIN),
        ("7777", Result.WIN),
        ("26262", Result.LOSS),
        ("1122334", Result.WIN),
        ("171717", Result.WIN),
    ],
)
def test_openings_that_no_book_has_are_solved(columns: str, result: Result) -> None:
    """Neither seat played by the book; some moves from 13 and 24 lead back into it."""
    assert DropSearch(DEFAULT_WORK).best(position_of(columns).view).result is result


@pytest.mark.parametrize("size", [(7, 7, 4), (7, 6, 5), (8, 8, 4)])
def test_other_boards_have_no_results(size: tuple[int, int, int]) -> None:
    """Only the usual board is solved."""
    columns, rows, line = size
    assert results_of(DropBoard(columns=columns, rows=rows, line=line)) is None
