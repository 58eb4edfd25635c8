"""The program that makes the results of connect four, which isn't in the wheel."""

import pytest

from core.engine.books.make import drops
from core.engine.books.make.generator import compiled
from core.engine.drops.results import results_of


@pytest.mark.slow
def test_the_program_finds_the_results_that_the_file_has() -> None:
    """Four positions, as `python -m core.engine.books.make` would find them."""
    with compiled(drops.RESULTS) as program:
        found = drops.results(program, 700_000, 1_000_000)
    stored = results_of(drops.BOARD)
    assert stored is not None and len(found) == 4
    assert {number: stored.get(number) for number in found} == found
