"""The measurements can be made; their results depend on the machine."""

import pytest

from . import answers, costs


@pytest.mark.slow
async def test_costs_of_each_bot() -> None:
    """Each bot has a row, and the first one is compared with each of the others."""
    names = ["rowbot", "bare", "pictures", "10"]
    _, *lines = await costs.measure(names, {"rows": 4, "columns": 4, "level": "easy"}, rounds=1)
    assert [line.split()[0] for line in lines] == [*names, *["rowbot"] * 3]
    _, *lines = await costs.measure(["rowbot", "bare"], {"level": "easy"}, rounds=1, saturate=1)
    assert [line.split()[0] for line in lines] == ["rowbot", "bare"]


@pytest.mark.slow
@pytest.mark.parametrize("bare", [False, True])
async def test_answers_under_limits(bare: bool) -> None:
    """No press is refused, and all old boards go."""
    found = await answers.measure(rate=10, seconds=3, bare=bare, limits=True)
    assert (found.presses, found.refused, found.unanswered, found.left) == (30, 0, 0, 0)
    assert found.limits is not None and len([*found.lines()]) > 5
