"""The times that members type."""

import pytest

from bot.times import DAY, HOUR, MINUTE, read_duration, read_timestamp


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("45m", 45 * MINUTE),
        ("2h", 2 * HOUR),
        ("2d 5h", 2 * DAY + 5 * HOUR),
        (" 1D2H 3M ", DAY + 2 * HOUR + 3 * MINUTE),
        ("90m", 90 * MINUTE),
        ("0m", 0),
        *((typed, None) for typed in ("", " ", "2", "h", "5h 2d", "2h30", "-2h", "1.5h", "٢h")),
        ("99999d", None),
    ],
)
def test_durations(typed: str, seconds: int | None) -> None:
    """They name days, hours and minutes in this order, at least one of them."""
    assert read_duration(typed) == seconds


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("<t:1764489600>", 1_764_489_600),
        (" <t:1764489600:F> ", 1_764_489_600),
        *(
            (typed, None)
            for typed in ("1764489600", "<t:>", "<t:-5>", "<t:1764489600:FF>", "<t:٢>")
        ),
    ],
)
def test_timestamps(typed: str, moment: int | None) -> None:
    """They are those that Discord shows in each reader's own time zone, in any style."""
    assert read_timestamp(typed) == moment
