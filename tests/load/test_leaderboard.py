"""The limits for leaderboards: 100,000 players, 50 ms per page, indexes only."""

import pytest

from tests.load.leaderboard import report_on


async def test_every_query_uses_an_index() -> None:
    """No query scans a whole table or sorts."""
    report = await report_on(500)
    assert len(report.plans) >= 5
    assert report.bad_plans == []


@pytest.mark.slow
async def test_a_page_takes_at_most_50_ms() -> None:
    """The first, middle and last page of 100,000 players, with the asker's own line."""
    report = await report_on(100_000)
    assert report.bad_plans == []
    assert {name: t for name, t in report.times.items() if t[0] > 50} == {}
