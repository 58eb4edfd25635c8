"""The values of puzzles."""

import pytest

from bot.puzzles.model import streaks


@pytest.mark.parametrize(
    ("days", "today", "expected"),
    [
        ([], 9, (0, 0)),
        ([9], 9, (1, 1)),
        ([8], 9, (1, 1)),
        ([7], 9, (0, 1)),
        ([1, 2, 3, 5, 6, 8, 9], 9, (2, 3)),
        ([1, 2, 3, 5, 6, 8, 9], 10, (2, 3)),
        ([1, 2, 3, 5, 6, 8, 9], 11, (0, 3)),
    ],
)
def test_streaks(days: list[int], today: int, expected: tuple[int, int]) -> None:
    """A streak stands until a whole day has passed without a solution."""
    assert streaks(days, today) == expected
