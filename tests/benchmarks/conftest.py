"""Fixtures of the benchmarks: the number of positions, and the tables that are printed."""

import os
from operator import attrgetter

import pytest

from tests.benchmarks.tables import MOVES_HEAD, RIVALS_HEAD, MovesRow, RivalsRow, markdown

MOVES = pytest.StashKey[list[MovesRow]]()
RIVALS = pytest.StashKey[list[RivalsRow]]()


@pytest.fixture(scope="session")
def random_positions() -> int:
    """The number of random positions of a board: POSITIONS of the environment, or 3,000."""
    return int(os.environ.get("POSITIONS", "3000"))


@pytest.fixture
def moves_table(request: pytest.FixtureRequest) -> list[MovesRow]:
    """The rows on our own moves, printed in the end."""
    return request.config.stash.setdefault(MOVES, [])


@pytest.fixture
def rivals_table(request: pytest.FixtureRequest) -> list[RivalsRow]:
    """The rows on other players' moves, printed in the end."""
    return request.config.stash.setdefault(RIVALS, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the tables."""
    moves, rivals = config.stash.get(MOVES, []), config.stash.get(RIVALS, [])
    rivals = sorted(rivals, key=attrgetter("board", "player"))
    tables = (MOVES_HEAD, [m.cells() for m in moves]), (RIVALS_HEAD, [r.cells() for r in rivals])
    for head, rows in tables:
        if rows:
            terminalreporter.write_line(f"\n{markdown(head, rows)}")
