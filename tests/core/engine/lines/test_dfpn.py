"""The two searches for a forced set against each other and against the makers of the books."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.engine.books.make.generator import searched
from core.engine.lines.and_or import AndOrSearch
from core.engine.lines.book import LOST, WON
from core.engine.lines.bounds import bounds
from core.engine.lines.dfpn import Expansion, ProofNumberSearch
from core.engine.lines.geometry import geometry
from core.engine.lines.search import LineSearch
from core.engine.lines.zones import UNLIMITED
from core.engine.stop import NEVER, Stop
from core.outcome import Result
from core.views import LineBoard, LineView
from tests.core.boards import TICTACTOE
from tests.core.engine.counting import StopAfter
from tests.core.engine.lines.samples import FOUR_ON_FIVE, FOUR_ON_SIX, sampled, unbooked


def proofs_on(playing: LineBoard, stop: Stop = NEVER) -> ProofNumberSearch:
    """Return a search of the board with an empty table."""
    return ProofNumberSearch(geometry(playing), Expansion(bounds(playing)).expand, stop)


def test_a_threat_that_gains_no_set_can_be_in_the_way_of_the_defender() -> None:
    """X wins by a4 in the end, which O has to answer on a3: the mark on a4 stops a row of O's.

    Before, the search left such exchanges out, and called this position a draw.
    """
    position = TICTACTOE.parse("classic 4 ...X./.O.../...../X..../XO..O")
    view = position.view
    found = LineSearch(8_000_000).best(replace(view, board=unbooked(view.board)))
    assert (found.result, found.plies) == (Result.WIN, 17)


@pytest.mark.parametrize("count", [6, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("marks", [7, 8, 9, 10])
def test_both_searches_agree_with_the_program_that_made_the_books(
    marks: int, count: int, lengths_program: Path
) -> None:
    """On 5x5 with four in a row they agree on result, distance, and whether a set can be forced."""
    positions = sampled(FOUR_ON_FIVE, marks, count)
    codes = searched(FOUR_ON_FIVE, positions, lengths_program)
    proofs = proofs_on(FOUR_ON_FIVE)
    for (mine, theirs), code in zip(positions, codes, strict=True):
        found = LineSearch(8_000_000).best(LineView(unbooked(FOUR_ON_FIVE), mine, theirs))
        result = (Result.WIN if code % 2 else Result.LOSS) if code else Result.DRAW
        assert (found.result, found.plies or 0) == (result, code), (mine, theirs)
        assert proofs.search(proofs.node(mine, theirs), 100_000) is (result is Result.WIN)


def test_a_proof_is_a_plan_that_wins() -> None:
    """On 6x6 the first move of a proved win wins by the depth-limited search too."""
    and_or, proofs = AndOrSearch(bounds(FOUR_ON_SIX)), proofs_on(FOUR_ON_SIX)
    won = 0
    for mine, theirs in sampled(FOUR_ON_SIX, 11, 60):
        node = proofs.node(mine, theirs)
        if not proofs.search(node, 2_000):
            continue
        won += 1
        win = node.win.move
        assert and_or.move_wins(mine, theirs, win, UNLIMITED, nodes=300_000), (mine, theirs)
    assert won > 20


def test_an_answer_comes_in_parts() -> None:
    """Given a few nodes at a time, the search goes on where it stopped, to the same value."""
    for mine, theirs in sampled(FOUR_ON_FIVE, 8, 20):
        whole, parts = proofs_on(FOUR_ON_FIVE), proofs_on(FOUR_ON_FIVE)
        answer = whole.search(whole.node(mine, theirs), 100_000)
        node = parts.node(mine, theirs)
        asked = 0
        while parts.search(node, 20) is None:
            asked += 1
            assert parts.nodes >= 20 * asked
        assert node.value is answer


@pytest.mark.parametrize("count", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_results_are_those_of_the_program_that_made_the_books_without_lengths(
    count: int, results_program: Path
) -> None:
    """On 6x6 with four in a row, the search without a book agrees."""
    positions = sampled(FOUR_ON_SIX, 9, count) + sampled(FOUR_ON_SIX, 7, count // 2)
    codes = searched(FOUR_ON_SIX, positions, results_program)
    told = {0: Result.DRAW, WON: Result.WIN, LOST: Result.LOSS}
    search = LineSearch(8_000_000)
    for pair, code in zip(positions, codes, strict=True):
        assert search.best(LineView(unbooked(FOUR_ON_SIX), *pair)).result is told[code], pair


def test_a_forced_block_is_no_harder_than_another_move() -> None:
    """Without the largest bias on a block, X's late win is found in 945 nodes instead of 3,647."""
    proofs = proofs_on(FOUR_ON_SIX)
    node = proofs.node(33_554_944, 545_259_521)
    assert proofs.search(node, 1_500)


def test_a_proof_ends_when_it_is_asked_to() -> None:
    """It is left open at once, however many nodes it may take."""
    proofs = proofs_on(FOUR_ON_SIX, StopAfter(20))
    assert proofs.search(proofs.node(33_554_944, 545_259_521), 1_500) is None
    assert proofs.nodes < 30
