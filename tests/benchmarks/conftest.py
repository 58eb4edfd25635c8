"""Fixtures of the benchmarks: the number of positions, and the tables that are printed."""

import os

import pytest

from tests.benchmarks.tables import MOVES_HEAD, RIVALS_HEAD, MovesRow, Race, markdown, rivals_rows

MOVES = pytest.StashKey[list[MovesRow]]()
RACES = pytest.StashKey[list[Race]]()


@pytest.fixture(scope="session")
def random_positions() -> int:
    """The number of random positions of a board: POSITIONS of the environment, or 3,000."""
    return int(os.environ.get("POSITIONS", "3000"))


@pytest.fixture
def moves_table(request: pytest.FixtureRequest) -> list[MovesRow]:
    """The rows on our own moves, printed in the end."""
    return request.config.stash.setdefault(MOVES, [])


@pytest.fixture
def races(request: pytest.FixtureRequest) -> list[Race]:
    """The races with other players, printed in the end."""
    return request.config.stash.setdefault(RACES, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the tables."""
    moves, races = config.stash.get(MOVES, []), config.stash.get(RACES, [])
    tables = (MOVES_HEAD, [m.cells() for m in moves]), (RIVALS_HEAD, [*rivals_rows(races)])
    for head, rows in tables:
        if rows:
            terminalreporter.write_line(f"\n{markdown(head, rows)}")
