"""Ratings: the value of a result, and the periods in which it counts."""

from collections.abc import Callable
from datetime import datetime
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from bot.ratings.model import (
    START,
    Change,
    Rating,
    month_before,
    month_of,
    periods_of,
    rate,
    start_of_day,
    week_of,
)
from bot.ratings.standings import RatingKey, Sheet
from tests.bot.playing import ALICE_ID, BOB_ID

NEW = Rating()
STRONG, WEAK = Rating(32.0, 3.0), Rating(19.5, 5.5)


def at(moment: str) -> int:
    """Return a UTC moment in Unix seconds."""
    return int(datetime.fromisoformat(f"{moment}+00:00").timestamp())


def test_a_rating_is_provisional_for_about_six_matches() -> None:
    """That holds for two equal members, for one who loses all, and for three players."""

    def matches(seats: int, ranks: Callable[[int], list[int]]) -> int:
        ratings, number = [NEW] * seats, 0
        while ratings[0].provisional:
            ratings = rate(ratings, ranks(number))
            number += 1
        return number

    assert matches(2, lambda number: [1 + number % 2, 2 - number % 2]) == 6
    assert matches(2, lambda _: [1, 1]) == 6
    assert matches(2, lambda _: [2, 1]) == 7
    assert matches(3, lambda number: [1 + (number + seat) % 3 for seat in range(3)]) == 6


def test_newcomers_stand_at_1000() -> None:
    """A newcomer's rating is OpenSkill's default, and sigma changes no points."""
    assert (NEW.mu, NEW.sigma) == (25.0, 25.0 / 3)
    assert NEW.points == Rating(25.0, 1.0).points == START == 1000


def test_400_points_are_odds_of_ten_to_one() -> None:
    """As in Elo's scale, such a favourite has ten times as much to lose as to win."""
    favourite, other = Rating(25.0 + 400 / 29.48, 0.5), Rating(25.0, 0.5)
    assert favourite.points - other.points == 400
    gained = rate([favourite, other], [1, 2])[0].mu - favourite.mu
    lost = favourite.mu - rate([favourite, other], [2, 1])[0].mu
    assert lost / gained == pytest.approx(10, rel=0.05)


@given(st.integers(2, 3), st.integers(1, 100))
def test_equal_members_who_draw_keep_their_points(seats: int, matches: int) -> None:
    """Draws made them certain of their ratings, and that raised the points from 1000 to 1362."""
    ratings = [NEW] * seats
    for _ in range(matches):
        ratings = rate(ratings, [1] * seats)
    assert {rating.points for rating in ratings} == {START}


@given(st.lists(st.sampled_from([[1, 2], [2, 1], [1, 1]]), max_size=30))
def test_what_one_gains_the_other_loses(results: list[list[int]]) -> None:
    """Two members who only play each other share 2000 points, so neither order nor draws pay."""
    ratings = [NEW, NEW]
    for ranks in results:
        ratings = rate(ratings, ranks)
    assert sum(rating.points for rating in ratings) == pytest.approx(2 * START, abs=1)


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ([1, 2], [1078, 922]),
        ([2, 1], [922, 1078]),
        ([1, 1], [1000, 1000]),
        ([1, 2, 3], [1085, 1021, 894]),
        ([3, 1, 2], [894, 1085, 1021]),
        ([1, 1, 2], [1021, 1021, 958]),
        ([1, 2, 2], [1085, 958, 958]),
        ([1, 1, 1], [1000, 1000, 1000]),
    ],
    ids=str,
)
def test_the_first_match_of_newcomers(ranks: list[int], points: list[int]) -> None:
    """A win, a draw, three players, shared ranks: equal results give equal ratings at every seat.

    A first win brings as much as a first loss costs.
    """
    assert [rating.points for rating in rate([NEW] * len(ranks), ranks)] == points


@pytest.mark.parametrize("ranks", [[1, 2], [2, 1], [1, 1]], ids=str)
def test_the_numbers_are_openskills(ranks: list[int]) -> None:
    """Between unequal players they equal OpenSkill's Plackett-Luce model to the last bit."""
    model = PlackettLuce()
    teams = [[model.create_rating([r.mu, r.sigma])] for r in (STRONG, WEAK)]
    expected = model.rate(teams, ranks=[float(rank) for rank in ranks])
    found = rate([STRONG, WEAK], ranks)
    assert [(r.mu, r.sigma) for r in found] == [(t[0].mu, t[0].sigma) for t in expected]


def test_ratings_use_the_values_before_the_match() -> None:
    """No new rating depends on another's new one, in whatever order they are written."""
    sheet = Sheet({RatingKey(ALICE_ID, "go"): STRONG, RatingKey(BOB_ID, "go"): WEAK})
    other = Sheet({RatingKey(BOB_ID, "go"): WEAK, RatingKey(ALICE_ID, "go"): STRONG})
    changes = sheet.count("go", [ALICE_ID, BOB_ID], [2, 1], 0)
    assert changes == tuple(reversed(other.count("go", [BOB_ID, ALICE_ID], [1, 2], 0)))
    assert sheet.ratings == other.ratings
    strong, weak = rate([STRONG, WEAK], [2, 1])
    assert sheet.ratings == {RatingKey(ALICE_ID, "go"): strong, RatingKey(BOB_ID, "go"): weak}
    assert changes == (
        Change(STRONG.points, strong.points),
        Change(WEAK.points, weak.points),
    )
    # Rating the loser against the winner's new rating would give another number.
    assert rate([STRONG, weak], [2, 1])[0].mu != strong.mu


@pytest.mark.parametrize("seats", list(permutations(range(3))))
def test_seats_make_no_difference(seats: tuple[int, ...]) -> None:
    """Three players get the same ratings in any order of seats."""
    before, ranks = [STRONG, NEW, WEAK], [2, 1, 3]
    expected = rate(before, ranks)
    found = rate([before[seat] for seat in seats], [ranks[seat] for seat in seats])
    for seat, rating in zip(seats, found, strict=True):
        assert rating.mu == pytest.approx(expected[seat].mu)
        assert rating.sigma == pytest.approx(expected[seat].sigma)


def test_an_upset_is_worth_more() -> None:
    """Beating a stronger player gains more than beating a weaker one."""
    upset = rate([WEAK, STRONG], [1, 2])[0].mu - WEAK.mu
    expected = rate([STRONG, WEAK], [1, 2])[0].mu - STRONG.mu
    assert upset > expected > 0


@pytest.mark.parametrize(
    ("moment", "month", "week", "before"),
    [
        ("2026-11-21T10:00:00", "2026-11", "2026-W47", "2026-10"),
        ("2026-10-31T23:59:59", "2026-10", "2026-W44", "2026-09"),
        ("2026-11-01T00:00:00", "2026-11", "2026-W44", "2026-10"),
        ("2026-11-01T23:59:59", "2026-11", "2026-W44", "2026-10"),
        ("2026-11-02T00:00:00", "2026-11", "2026-W45", "2026-10"),
        ("2026-12-31T23:59:59", "2026-12", "2026-W53", "2026-11"),
        ("2027-01-01T00:00:00", "2027-01", "2026-W53", "2026-12"),
        ("2027-01-03T23:59:59", "2027-01", "2026-W53", "2026-12"),
        ("2027-01-04T00:00:00", "2027-01", "2027-W01", "2026-12"),
        ("2024-12-30T00:00:00", "2024-12", "2025-W01", "2024-11"),
        ("2024-02-29T12:00:00", "2024-02", "2024-W09", "2024-01"),
        ("2024-03-31T23:59:59", "2024-03", "2024-W13", "2024-02"),
        ("2023-03-01T00:00:00", "2023-03", "2023-W09", "2023-02"),
    ],
)
def test_periods_in_utc(moment: str, month: str, week: str, before: str) -> None:
    """Months, ISO weeks and the last season, at their borders, New Year and leap days."""
    seconds = at(moment)
    assert month_of(seconds) == month
    assert week_of(seconds) == week
    assert month_before(seconds) == before
    assert periods_of(seconds) == ("", month, week)


def test_a_day_is_a_day_in_utc() -> None:
    """The daily limit starts anew at midnight UTC."""
    midnight = at("2026-11-21T00:00:00")
    assert start_of_day(midnight) == start_of_day(midnight + 86_399) == midnight
    assert start_of_day(midnight - 1) == midnight - 86_400
