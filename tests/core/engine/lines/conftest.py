"""The programs that make books, compiled once for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engine.books.make import held
from core.engine.books.make.generator import LENGTHS, RESULTS, compiled


@pytest.fixture(scope="session")
def lengths_program() -> Iterator[Path]:
    """Yield the program that finds results and distances."""
    with compiled(LENGTHS) as program:
        yield program


@pytest.fixture(scope="session")
def results_program() -> Iterator[Path]:
    """Yield the program that finds results alone."""
    with compiled(RESULTS) as program:
        yield program


@pytest.fixture(scope="session")
def holding_program() -> Iterator[Path]:
    """Yield the program that finds replies that hold."""
    with compiled(held.SOURCE) as program:
        yield program
