"""The strength of the levels in seeded matches, and in misère on 3x3 by their chances."""

from pathlib import Path

import pytest

from tests.strength.exact import row
from tests.strength.matchups import MATCHUPS, Matchup

pytestmark = pytest.mark.slow
MEASUREMENTS = Path(__file__).parents[2] / "docs" / "measurements.md"


@pytest.mark.parametrize("matchup", MATCHUPS, ids=str)
def test_a_level_is_as_strong_as_it_is_said_to_be(matchup: Matchup) -> None:
    """It wins and loses within its bounds."""
    tally = matchup.play()
    assert tally.games >= 100
    assert matchup.holds(tally), f"{matchup.bound}: {tally}"


def test_the_levels_of_misere_on_3x3_are_as_the_table_has_them() -> None:
    assert f"\n{row()}\n" in MEASUREMENTS.read_text("utf-8")
