"""Round robins: everybody meets everybody, by the tables that FIDE prints."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.model import Format, How, Pairing, TournamentGame
from bot.tournaments.pairings import next_pairings
from bot.tournaments.round_robin import schedule
from tests.bot.tournaments.tournaments import (
    QUICK,
    SEEDS,
    WON,
    begun,
    boards,
    is_over,
    left,
    played_out,
    started,
    with_played,
)

# FIDE Handbook C.05, annex 1.
BERGER_6 = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""
BERGER_8 = """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
"""


def printed(size: int) -> list[list[str]]:
    rounds: dict[int, list[str]] = {}
    for one in schedule(size, 1):
        rounds.setdefault(one.round, []).append("-".join(str(n + 1) for n in one.entrants))
    return list(rounds.values())


@pytest.mark.parametrize(("size", "table"), [(6, BERGER_6), (8, BERGER_8)])
def test_the_rounds_are_those_of_the_berger_table(size: int, table: str) -> None:
    assert printed(size) == [line.split() for line in table.strip().splitlines()]


def test_of_an_odd_number_whoever_would_meet_the_last_one_sits_out() -> None:
    assert printed(5) == [
        [pair for pair in line.split() if "6" not in pair] for line in BERGER_6.strip().splitlines()
    ]


@QUICK
@given(st.integers(3, 64))
def test_everybody_meets_everybody_once_and_has_either_seat_equally_often(size: int) -> None:
    games = schedule(size, 1)
    assert Counter(frozenset(one.entrants) for one in games) == Counter(
        map(frozenset, combinations(range(size), 2))
    )
    assert len({one.key for one in games}) == len(games)
    firsts = Counter(one.entrants[0] for one in games)
    assert all(abs(2 * firsts[entrant] - (size - 1)) <= 1 for entrant in range(size))


@QUICK
@given(st.integers(3, 40))
def test_twice_round_gives_both_seats_and_never_the_same_three_times_running(size: int) -> None:
    games = schedule(size, 2)
    pairs = {(a, b) for a in range(size) for b in range(size) if a != b}
    assert len(games) == len(pairs) and {one.entrants for one in games} == pairs
    for entrant in range(size):
        seats = [one.entrants.index(entrant) for one in games if entrant in one.entrants]
        assert all(len({*three}) == 2 for three in zip(seats, seats[1:], seats[2:], strict=False))


@QUICK
@given(st.integers(3, 12), SEEDS, st.booleans())
def test_whatever_ends_first_all_games_are_played_once(size: int, seed: int, twice: bool) -> None:
    kind = Format.DOUBLE_ROUND_ROBIN if twice else Format.ROUND_ROBIN
    tournament = played_out(started(kind, size), Random(seed))
    assert is_over(tournament)
    assert {one.pairing for one in boards(tournament)} == {*schedule(size, kind.cycles)}


@QUICK
@given(st.integers(3, 12), SEEDS)
def test_an_entrant_who_withdraws_forfeits_each_game_that_had_not_begun(
    size: int, seed: int
) -> None:
    tournament = played_out(started(Format.ROUND_ROBIN, size), Random(seed), leaving=0.1)
    assert {one.pairing for one in tournament.games} == {*schedule(size, 1)}
    for one in tournament.games:
        gone = [not tournament.entrants[number].here for number in one.pairing.entrants]
        if one.how is How.FORFEIT:
            assert any(gone)
            assert one.points == tuple(float(not absent) for absent in gone) or all(gone)


def test_nobody_has_two_games_at_once() -> None:
    """While 1 and 2 play, 0 has nobody to meet, and only the games of 3, who has left, are due."""
    tournament = started(Format.ROUND_ROBIN, 4)
    first = next_pairings(tournament)
    assert [one.entrants for one in first] == [(0, 3), (1, 2)]
    tournament = begun(tournament, *first)
    assert not next_pairings(tournament)
    tournament = left(tournament, 3)
    assert next_pairings(tournament) == (
        Pairing(2, 1, 1, (3, 2)),
        Pairing(3, 1, 1, (1, 3)),
    ), "the games of who has left are over, the others wait for the game of 1 and 2"


def test_a_game_waits_for_those_of_the_rounds_before_that_have_not_begun() -> None:
    """3 and 1 are free, but have games of round 2 ahead, with 5 and 0 who still play round 1."""
    tournament = started(Format.ROUND_ROBIN, 6)
    first = next_pairings(tournament)
    assert [one.entrants for one in first] == [(0, 5), (1, 4), (2, 3)]
    tournament = with_played(
        begun(tournament, *first), *(TournamentGame(one, WON) for one in first[1:])
    )
    assert [one.entrants for one in next_pairings(tournament)] == [(4, 2)]
