"""Fixtures for orders that chance decides."""

import pytest

from tests.fuzzing.orders import answer_when_awaited, wait_for_threads
from tests.fuzzing.timers import simulate_all_time


@pytest.fixture(autouse=True)
def nothing_by_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing to threads and clocks; this comes before the database is opened."""
    wait_for_threads(monkeypatch)
    answer_when_awaited(monkeypatch)
    simulate_all_time(monkeypatch)
