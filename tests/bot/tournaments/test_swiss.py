"""Swiss tournaments: who is paired with whom, the bye, and the seats."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.tournaments.model import Format, How, Tournament, TournamentGame
from bot.tournaments.pairings import next_pairings
from bot.tournaments.swiss import _Record, _seated
from tests.bot.tournaments.tournaments import (
    DRAWN,
    LOST,
    QUICK,
    SEEDS,
    WON,
    begun,
    is_over,
    left,
    played_out,
    started,
    with_played,
)


def after_round(tournament: Tournament, *points: tuple[float, float]) -> Tournament:
    """Return the tournament after its next round: these results at the first tables, then draws."""
    due = next_pairings(tournament)
    tournament = begun(tournament, *due)
    results = iter(points)
    return with_played(
        tournament, *(TournamentGame(one, next(results, DRAWN)) for one in due if not one.is_bye)
    )


def told(tournament: Tournament) -> list[tuple[int, ...]]:
    """Return the entrants of the next round, from 1 as tournaments count them."""
    return [tuple(number + 1 for number in one.entrants) for one in next_pairings(tournament)]


def test_the_first_round_pairs_the_upper_half_with_the_lower_and_the_weakest_has_the_bye() -> None:
    assert told(started(Format.SWISS, 9)) == [(1, 5), (6, 2), (3, 7), (8, 4), (9,)]


def test_winners_meet_winners_and_a_clash_of_seats_changes_the_order_of_the_lower_half() -> None:
    """All stronger ones have won. In halves 1 would meet 3, but both have moved first."""
    tournament = after_round(started(Format.SWISS, 8), WON, LOST, WON, LOST)
    assert told(tournament) == [(4, 1), (2, 3), (5, 8), (7, 6)]


def test_an_odd_one_of_a_score_floats_to_the_top_of_the_next() -> None:
    """Of the winners 1, 2 and 3 the last meets 4, the first of the losers."""
    tournament = after_round(started(Format.SWISS, 6), WON, LOST, WON)
    assert told(tournament) == [(2, 1), (4, 3), (6, 5)]


def test_nobody_floats_twice_running_in_one_direction() -> None:
    """The bye is a float down, so of the winners 1, 2 and 5, not 5 but 2 meets a loser.

    4, who has met 3 at a higher score, can't meet 1 again, and now meets 5 at a lower one.
    """
    assert told(after_round(started(Format.SWISS, 5), WON, LOST)) == [(5, 1), (2, 3), (4,)]
    tournament = after_round(started(Format.SWISS, 6), WON, DRAWN, DRAWN)
    assert told(tournament) == [(2, 1), (6, 5), (4, 3)]
    assert told(after_round(tournament, WON, WON, WON)) == [(6, 2), (1, 3), (5, 4)]


def test_the_bye_goes_to_the_lowest_score_and_there_to_the_weakest_who_had_none() -> None:
    """It doesn't go to 1, who leads alone. All others have a point; 5 and 4 have had a bye."""
    tournament = after_round(after_round(started(Format.SWISS, 5), WON, LOST), LOST, LOST)
    assert told(tournament) == [(1, 4), (2, 5), (3,)]


def test_a_win_by_forfeit_counts_as_a_bye() -> None:
    """1 to 4 have a point each, 3 by forfeit and 4 by a bye, so the next bye is 2's."""
    tournament = started(Format.SWISS, 6)
    first, *others = next_pairings(tournament)
    tournament = begun(left(begun(tournament, first), 5), *others)
    won = [TournamentGame(one.pairing, WON) for one in tournament.being_played]
    tournament = after_round(with_played(tournament, *won), LOST, WON)
    assert told(tournament) == [(4, 5), (1, 3), (2,)]


@pytest.mark.parametrize(
    ("seats", "due", "how_much"),
    [
        ("", 0, "none"),
        ("1", -1, "strong"),
        ("12", 1, "mild"),
        ("2112", 1, "mild"),
        ("122", 1, "absolute"),  # the same seat twice running
        ("1121", -1, "absolute"),  # twice more often than the other
        ("2212", 1, "absolute"),
    ],
)
def test_the_seat_that_is_due(seats: str, due: int, how_much: str) -> None:
    """It is the one had less often, else not the last one; 1 is the first seat, -1 the second."""
    record = _Record(0, seats=tuple(1 if one == "1" else -1 for one in seats))
    strengths = ("none", "mild", "strong", "absolute")
    assert record.preference == (due, strengths.index(how_much))


def test_a_seat_that_is_due_to_both_goes_to_who_missed_it_when_their_seats_last_differed() -> None:
    better, worse = _Record(0, seats=(-1, 1, 1, -1)), _Record(1, seats=(1, -1, 1, -1))
    assert better.preference == worse.preference
    assert _seated((better, worse)) == (worse, better)


@QUICK
@given(
    st.integers(3, 40),
    SEEDS,
    st.sampled_from([None, 3, 7]),
    st.sampled_from([0.0, 0.1]),
)
def test_nobody_meets_anybody_twice_or_has_two_rounds_without_a_game(
    size: int, seed: int, wanted: int | None, leaving: float
) -> None:
    tournament = played_out(started(Format.SWISS, size, wanted), Random(seed), leaving)
    assert is_over(tournament)
    met = Counter(frozenset(one.pairing.entrants) for one in tournament.games)
    assert all(count == 1 for pair, count in met.items() if len(pair) == 2)
    for entrant in tournament.entrants:
        own = [*tournament.games_of(entrant.number)]
        idle = [one for one in own if one.how is not How.PLAYED and one.points_of(entrant.number)]
        byes = [one for one in own if one.pairing.is_bye]
        assert len(byes) <= 1
        assert not byes or all(one.pairing.round >= byes[0].pairing.round for one in idle)
        rounds = [one.pairing.round for one in own]
        last = tournament.round if entrant.here else entrant.withdrawn_after or 0
        assert rounds == [*range(1, last + 1)], "paired once in each round"
    for number in range(1, tournament.round + 1):
        tables = [one.pairing.table for one in tournament.games if one.pairing.round == number]
        assert sorted(tables) == [*range(1, len(tables) + 1)]


@QUICK
@given(st.integers(6, 40), SEEDS)
def test_seats_are_balanced_and_never_the_same_three_times_running(size: int, seed: int) -> None:
    """From six entrants on, that is always possible in the usual number of rounds."""
    tournament = played_out(started(Format.SWISS, size), Random(seed))
    for entrant in range(size):
        seats = [
            one.pairing.entrants.index(entrant)
            for one in tournament.games_of(entrant)
            if not one.pairing.is_bye
        ]
        assert all(len({*three}) == 2 for three in zip(seats, seats[1:], seats[2:], strict=False))
        assert abs(2 * sum(seats) - len(seats)) <= 2


@QUICK
@given(st.integers(3, 30), SEEDS)
@example(22, 141_015)  # the lots of two ways to pair them had the same sum
def test_a_round_begun_in_part_is_paired_the_same(size: int, seed: int) -> None:
    """A round that was begun in part and is asked for again comes out the same."""
    rng, tournament = Random(seed), started(Format.SWISS, size)
    while due := next_pairings(tournament):
        some = rng.sample(due, rng.randint(0, len(due) - 1))
        rest = next_pairings(begun(tournament, *some))
        assert {*some, *rest} == {*due} and len(rest) == len(due) - len(some)
        tournament = begun(tournament, *due)
        assert not next_pairings(tournament)
        ended = [
            TournamentGame(one.pairing, rng.choice((WON, DRAWN, LOST)))
            for one in tournament.being_played
        ]
        tournament = with_played(tournament, *ended)


def test_an_entrant_who_withdraws_in_a_round_still_counts_as_paired_in_it() -> None:
    """The rest of a round that has begun stays as it was, and the opponent has won."""
    tournament = started(Format.SWISS, 8)
    first, *others = next_pairings(tournament)
    tournament = left(begun(tournament, first), others[0].entrants[0])
    assert next_pairings(tournament) == tuple(others)
    over = tournament.walkover(others[0])
    assert over is not None and over.points == (0.0, 1.0)
    tournament = begun(tournament, *others)
    tournament = with_played(
        tournament, *(TournamentGame(one.pairing, WON) for one in tournament.being_played)
    )
    everybody = {number for one in next_pairings(tournament) for number in one.entrants}
    assert everybody == {*range(8)} - {others[0].entrants[0]}


def test_a_tournament_ends_when_nobody_is_left_to_meet() -> None:
    """Four of six withdraw, and the two others have met already."""
    tournament = started(Format.SWISS, 6)
    first = next_pairings(tournament)[0]
    tournament = after_round(tournament)
    for entrant in {*range(6)} - {*first.entrants}:
        tournament = left(tournament, entrant)
    assert not next_pairings(tournament) and is_over(tournament)


def test_a_corrected_result_changes_rounds_that_have_not_begun_alone() -> None:
    tournament = after_round(started(Format.SWISS, 8), WON, WON, WON, WON)
    second = next_pairings(tournament)
    tournament = begun(tournament, *second[:2])
    wrong = tournament.games[0]
    tournament = with_played(tournament, replace(wrong, points=LOST, how=How.CORRECTED))
    rest = next_pairings(tournament)
    placed = [number for one in (*second[:2], *rest) for number in one.entrants]
    assert sorted(placed) == [*range(8)]
    assert sorted(one.table for one in (*second[:2], *rest)) == [1, 2, 3, 4]
