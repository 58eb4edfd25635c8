"""The short form of the soak; the long one is `python -m tests.load.soak`."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.postgresql import running

from .soak import Soak


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_nothing_is_lost_nothing_stuck(database: str, tmp_path: Path) -> None:
    """After minutes of faults every acknowledged move is stored, and each channel can play."""
    with running(durable=True) if database == "postgresql" else nullcontext() as postgres:
        soak = Soak(1, minutes=3, games=30, rooms=6, folder=tmp_path, postgres=postgres)
        report = await soak.run()
    assert not report.wrong, "\n".join(report.lines())
