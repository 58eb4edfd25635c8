"""A small tournament against the loopback Discord, with the bot killed in the middle."""

from pathlib import Path

import pytest

from .tournament import play


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["round_robin", "swiss", "knockout"])
async def test_a_tournament_goes_on_where_its_bot_was_killed(kind: str, tmp_path: Path) -> None:
    result = await play(9, kind, seed=1, kills=2, database="sqlite", folder=tmp_path)
    assert result.wrong == [] and result.kills > 0
