"""The promise about clocks: live matches cost nothing until something is due in them."""

import pytest

from tests.load.sweeper import measure


@pytest.mark.slow
async def test_waiting_costs_nothing() -> None:
    """With 100,000 live matches; and when 1,000 are due at once, each is lost and told of once."""
    found = await measure(100_000, 1000, 20)
    assert found.full[0] < found.empty[0] + 2
    assert found.full[1] < found.empty[1] + 10
    assert found.after < found.full[1] + 20
    assert found.told < 60
