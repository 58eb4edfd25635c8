"""The promise about leaderboards: 100,000 players, 50 ms a page, along indexes."""

import pytest

from tests.load.leaderboard import report_on


async def test_every_query_follows_an_index() -> None:
    """No query reads a whole table, nor sorts."""
    report = await report_on(500)
    assert len(report.plans) >= 5
    assert report.bad_plans == []


@pytest.mark.slow
async def test_a_page_takes_50_ms_at_most() -> None:
    """The first, the middle and the last page of 100,000 players, with the asker's own line."""
    report = await report_on(100_000)
    assert report.bad_plans == []
    assert {name: t for name, t in report.times.items() if t[0] > 50} == {}
