"""The files of books, results and tablebases, and the programs that make them."""

import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from core.engine.books import FOLDER
from core.engine.books.make import drops
from core.engine.books.make.__main__ import makers
from core.engine.books.make.generator import compiled
from core.engine.drops.results import results_of

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_every_file_is_there_and_in_the_wheel() -> None:
    """Without its book a board would still be offered as perfect, but not be played so."""
    made = {name for name, _ in makers()}
    assert made == {path.name for path in FOLDER.glob("*.*") if path.suffix != ".py"}
    packed = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    patterns = packed["core.engine.books"]
    assert all(any(fnmatch(name, pattern) for pattern in patterns) for name in made)


@pytest.mark.slow
def test_the_program_finds_the_results_that_the_file_has() -> None:
    """Four positions, as `python -m core.engine.books.make` would find them."""
    with compiled(drops.RESULTS) as program:
        found = drops.results(program, 700_000, 1_000_000)
    stored = results_of(drops.BOARD)
    assert stored is not None and len(found) == 4
    assert {number: stored.get(number) for number in found} == found
