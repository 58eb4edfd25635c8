"""The two searches for a forced set, against each other and against the makers of the books."""

from functools import cache
from random import Random

import pytest

from core.engine.attack import Attack
from core.engine.book import LOST, WON
from core.engine.geometry import geometry
from core.engine.lines import LineSearch
from core.engine.plans import FOREVER
from core.engine.proofs import ProofSearch
from core.engine.prospects import Prospects
from core.games.tictactoe.board import board
from core.outcome import Result
from core.views import LineView
from tests.core import books
from tests.core.boards import TICTACTOE

FOUR_ON_FIVE = board(5, 5, 4, "classic")
FOUR_ON_SIX = board(6, 6, 4, "classic")


@cache
def sampled(squares: int, marks: int, count: int) -> list[books.Marks]:
    """Return positions with so many marks anywhere, in which nobody has four in a row."""
    playing, rng, found = (
        FOUR_ON_FIVE if squares == 25 else FOUR_ON_SIX,
        Random(marks),
        list[books.Marks](),
    )
    while len(found) < count:
        chosen = [1 << i for i in rng.sample(range(squares), marks)]
        pair = sum(chosen[1::2]), sum(chosen[0::2])
        if books.undecided(playing, pair):
            found.append(pair)
    return found


def test_a_threat_that_gains_no_set_can_be_in_the_way_of_the_defender() -> None:
    """X wins by a4 in the end, which O has to answer on a3: the mark on a4 stops a row of O's.

    The search once left such exchanges out, and called this position a draw.
    """
    position = TICTACTOE.parse("classic 4 ...X./.O.../...../X..../XO..O")
    found = LineSearch(8_000_000, use_book=False).best(position.view)
    assert (found.result, found.plies) == (Result.WIN, 17)


@pytest.mark.parametrize("marks", [7, 8, 9, 10])
def test_both_searches_agree_with_the_program_that_made_the_books(marks: int) -> None:
    """On positions of four in a row, 5x5: result and length, and who can force a set at all."""
    positions = sampled(25, marks, 60)
    with books.compiled() as program:
        codes = books.search(FOUR_ON_FIVE, positions, program)
    proofs = ProofSearch(Prospects(geometry(FOUR_ON_FIVE.lines)))
    for (mine, theirs), code in zip(positions, codes, strict=True):
        found = LineSearch(8_000_000, use_book=False).best(
            LineView(FOUR_ON_FIVE.lines, mine, theirs)
        )
        result = (Result.WIN if code % 2 else Result.LOSS) if code else Result.DRAW
        assert (found.result, found.plies or 0) == (result, code), (mine, theirs)
        assert proofs.pursue(proofs.question(mine, theirs), 100_000) is (result is Result.WIN)


def test_a_proof_is_a_plan_that_wins() -> None:
    """On 6x6 what is proved without a limit is won in some number of moves, by the plan's move."""
    attack = Attack(geometry(FOUR_ON_SIX.lines))
    proofs = ProofSearch(attack.prospects)
    won = 0
    for mine, theirs in sampled(36, 11, 60):
        question = proofs.question(mine, theirs)
        if not proofs.pursue(question, 2_000):
            continue
        won += 1
        attack.limit = attack.nodes + 300_000
        assert attack.wins_with(mine, theirs, question.plan.move, FOREVER), (mine, theirs)
    assert won > 20


def test_an_answer_comes_in_parts() -> None:
    """Asked for a few positions at a time, the search goes on where it was, to the same answer."""
    prospects = Prospects(geometry(FOUR_ON_FIVE.lines))
    for mine, theirs in sampled(25, 8, 20):
        whole, parts = ProofSearch(prospects), ProofSearch(prospects)
        answer = whole.pursue(whole.question(mine, theirs), 100_000)
        question, asked = parts.question(mine, theirs), 0
        while parts.pursue(question, 20) is None:
            asked += 1
            assert parts.nodes >= 20 * asked
        assert question.answer is answer


def test_results_are_those_of_the_program_that_made_the_books_without_lengths() -> None:
    """On 6x6 with four in a row, by the search alone."""
    positions = sampled(36, 9, 40) + sampled(36, 7, 20)
    with books.compiled(books.RESULTS) as program:
        codes = books.search(FOUR_ON_SIX, positions, program)
    told = {0: Result.DRAW, WON: Result.WIN, LOST: Result.LOSS}
    search = LineSearch(1_400_000, use_book=False)
    for pair, code in zip(positions, codes, strict=True):
        assert search.best(LineView(FOUR_ON_SIX.lines, *pair)).result is told[code], pair


def test_a_forced_block_is_no_harder_than_another_move() -> None:
    """X to move wins, late: 3,647 positions instead of 945 while a block had the largest bias."""
    proofs = ProofSearch(Prospects(geometry(FOUR_ON_SIX.lines)))
    question = proofs.question(33_554_944, 545_259_521)
    assert proofs.pursue(question, 1_500)
