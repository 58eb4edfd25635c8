"""The strength of the levels in seeded matches."""

import pytest

from tests.strength.matchups import MATCHUPS, Matchup

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("matchup", MATCHUPS, ids=str)
def test_a_level_is_as_strong_as_it_is_said_to_be(matchup: Matchup) -> None:
    """It wins and loses within its bounds."""
    tally = matchup.play()
    assert tally.games >= 100
    assert matchup.holds(tally), f"{matchup.bound}: {tally}"
