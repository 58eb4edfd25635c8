"""The limits for clocks: live matches cost nothing until they are due."""

import pytest

from tests.load.sweeper import measure


@pytest.mark.slow
async def test_waiting_costs_nothing() -> None:
    """100,000 live matches cost nothing; of 1,000 due at once, each is lost and posted once."""
    found = await measure(100_000, 1000, 20)
    assert found.full[0] < found.empty[0] + 2
    assert found.full[1] < found.empty[1] + 10
    assert found.after < found.full[1] + 20
    assert found.told < 60
