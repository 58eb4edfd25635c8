"""The next event of a match and its time: the deadline, the reminder, or none."""

import pytest

from bot.matches.clock import DEFAULT_CLOCK, IDLE, Timing, timing, timing_elsewhere
from bot.times import DAY, HOUR, MINUTE
from core.match import Match
from core.players import Member
from tests.bot.playing import NOW, X_WINS, begin
from tests.core.boards import ALICE, BOB, ROBOT, after


@pytest.mark.parametrize(
    ("clock", "notice"),
    [
        (5 * MINUTE, 2 * MINUTE),
        (8 * MINUTE, 2 * MINUTE),
        (HOUR, 15 * MINUTE),
        (7 * DAY, 42 * HOUR),
        (4 * MINUTE - 1, 0),
        (MINUTE, 0),
    ],
)
def test_when_the_reminder_comes(clock: int, notice: int) -> None:
    """It comes with a quarter of the clock left, two minutes at least; a short clock has none."""
    assert timing(begin(), clock, NOW) == Timing(NOW + clock, NOW + clock - notice)


@pytest.mark.parametrize("players", [(ALICE, ROBOT), (ROBOT, ALICE), (ALICE, ALICE)])
def test_a_lone_member_has_a_week(players: tuple[Member, Member]) -> None:
    """Against the computer or oneself the clock is ignored; a week, to the full hour, applies."""
    found = timing(begin(*players), DEFAULT_CLOCK, NOW)
    assert found.deadline is None
    assert found.due_at is not None
    assert NOW + IDLE < found.due_at <= NOW + IDLE + HOUR
    assert timing(begin(*players), None, NOW) == found


def test_members_without_a_clock_have_a_month() -> None:
    """To the full hour, as against the computer."""
    found = timing(begin(), None, NOW)
    assert found.deadline is None
    assert found.due_at is not None
    assert NOW + 30 * DAY < found.due_at <= NOW + 30 * DAY + HOUR


@pytest.mark.parametrize(
    ("match", "clock"), [(after(begin(), X_WINS), DEFAULT_CLOCK), (begin().resign(BOB), None)]
)
def test_matches_without_a_next_event(match: Match, clock: int | None) -> None:
    """A finished match has no next event, with a clock or without one."""
    assert timing(match, clock, NOW) == Timing()


@pytest.mark.parametrize(
    ("left", "clock", "gets"),
    [
        (HOUR, DAY, HOUR),
        (MINUTE, DAY, 5 * MINUTE),
        (MINUTE, 2 * MINUTE, 2 * MINUTE),
        (-MINUTE, DAY, -MINUTE),
    ],
    ids=["enough", "little", "a short clock", "nothing"],
)
def test_the_clock_of_a_match_that_moves_elsewhere(left: int, clock: int, gets: int) -> None:
    """It goes on; a player with little time gets a few minutes to follow the match.

    A deadline has passed only if nobody could move, and then it is put off for other reasons.
    """
    was = Timing(NOW + left, NOW + left)
    assert timing_elsewhere(was, clock, NOW).deadline == NOW + gets


@pytest.mark.parametrize("was", [Timing(NOW + MINUTE), Timing(due_at=NOW + MINUTE), Timing()])
def test_no_clock_runs_in_a_match_that_moves_elsewhere(was: Timing) -> None:
    """Nothing changes: the clock stands still, or the match has none."""
    assert timing_elsewhere(was, DAY, NOW) == was
