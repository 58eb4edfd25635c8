"""The short form of the soak; the long one is `python -m tests.load.soak`."""

from pathlib import Path

import pytest

from .soak import soak


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
async def test_nothing_is_lost_nothing_stuck(seed: int, tmp_path: Path) -> None:
    """After minutes of faults every acknowledged move is stored, and each channel can play."""
    report = await soak(seed, minutes=3, games=30, rooms=6, folder=tmp_path)
    assert not report.wrong, "\n".join(report.lines())
