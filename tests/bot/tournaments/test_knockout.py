"""Knockouts: who goes on, byes, and what follows a drawn game."""

from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from bot.identity import TournamentId
from bot.tournaments.knockout import seed_order
from bot.tournaments.model import Format, How, Pairing, TournamentGame
from bot.tournaments.pairings import may_correct, next_pairings
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


def test_the_bracket_has_the_usual_order() -> None:
    assert [seed + 1 for seed in seed_order(8)] == [1, 8, 4, 5, 2, 7, 3, 6]


def test_the_strongest_have_the_byes() -> None:
    pairings = next_pairings(started(Format.KNOCKOUT, 5))
    assert [set(one.entrants) for one in pairings] == [{0}, {3, 4}, {1}, {2}]


def test_a_drawn_game_is_replayed_with_the_seats_changed_and_then_a_draw_decides() -> None:
    tournament = replace(started(Format.KNOCKOUT, 4), worse_seat=1)
    first = next_pairings(tournament)[0]
    a, b = first.entrants
    tournament = begun(tournament, *next_pairings(tournament))
    tournament = with_played(tournament, TournamentGame(first, DRAWN))
    (second,) = next_pairings(tournament)
    assert second == Pairing(1, 1, 2, (b, a))
    tournament = with_played(tournament, TournamentGame(second, DRAWN))
    (third,) = next_pairings(tournament)
    assert third == Pairing(1, 1, 3, (a, b), draw_wins=b)
    other = tournament.being_played[0].pairing
    tournament = with_played(tournament, TournamentGame(third, DRAWN), TournamentGame(other, WON))
    (final,) = next_pairings(tournament)
    assert final.round == 2 and set(final.entrants) == {b, other.entrants[0]}


def test_in_the_armageddon_a_draw_counts_for_the_first_seat_where_that_is_the_worse() -> None:
    tournament = replace(started(Format.KNOCKOUT, 4), worse_seat=0)
    for game in range(1, 3):
        tournament = with_played(
            tournament,
            *(TournamentGame(one, DRAWN) for one in next_pairings(tournament) if one.game == game),
        )
    assert [one.draw_wins for one in next_pairings(tournament)] == [
        one.entrants[0] for one in next_pairings(tournament)
    ]


@QUICK
@given(st.integers(3, 70), SEEDS)
def test_all_but_one_go_out_once_and_pairings_are_the_winners_of_the_round_before(
    size: int, seed: int
) -> None:
    tournament = played_out(started(Format.KNOCKOUT, size), Random(seed))
    assert is_over(tournament)
    ties: dict[tuple[int, int], list[TournamentGame]] = {}
    for one in sorted(tournament.games, key=lambda one: one.pairing.key):
        ties.setdefault(one.pairing.key[:2], []).append(one)
    in_round = {*range(size)}
    for number in range(1, tournament.rounds + 1):
        tied = [games for (of, _), games in ties.items() if of == number]
        assert sorted(e for games in tied for e in games[0].pairing.entrants) == sorted(in_round)
        for games in tied:
            assert len(games) <= 3
            assert all(one.drawn for one in games[:-1]) and games[-1].winner is not None
            seats = [one.pairing.entrants for one in games]
            assert all(a == b[::-1] for a, b in pairwise(seats))
            assert [one.pairing.draw_wins for one in games[:2]] == [None] * len(games[:2])
        in_round = {games[-1].winner or 0 for games in tied}
    assert len(in_round) == 1
    byes = {one.pairing.entrants[0] for one in tournament.games if one.pairing.is_bye}
    assert byes == {*range((1 << tournament.rounds) - size)}, "of the strongest, in round 1"


@QUICK
@given(st.integers(3, 40), SEEDS)
@example(3, 357)  # both finalists withdraw: who lost before doesn't come back
def test_nobody_waits_for_somebody_who_has_withdrawn(size: int, seed: int) -> None:
    tournament = played_out(started(Format.KNOCKOUT, size), Random(seed), leaving=0.2)
    assert is_over(tournament)
    winners = [one.winner for one in tournament.games if one.pairing.round == tournament.rounds]
    beaten = {
        entrant
        for one in tournament.games
        if one.winner is not None
        for entrant in one.pairing.entrants
        if entrant != one.winner
    }
    if any(entrant.here and entrant.number not in beaten for entrant in tournament.entrants):
        assert winners and winners[-1] is not None
        last = max(tournament.games, key=lambda one: one.pairing.key)
        assert last.winner is not None


def test_an_entrant_whose_opponents_have_both_gone_has_a_bye_in_a_later_round() -> None:
    tournament = started(Format.KNOCKOUT, 4)
    left_tie, right_tie = next_pairings(tournament)
    tournament = left(left(tournament, right_tie.entrants[0]), right_tie.entrants[1])
    tournament = with_played(begun(tournament, left_tie, right_tie), TournamentGame(left_tie, LOST))
    (final,) = next_pairings(tournament)
    assert final == Pairing(2, 1, 1, (left_tie.entrants[1],))
    tournament = begun(tournament, final)
    assert is_over(tournament)


def test_a_final_is_a_bye_if_half_of_the_bracket_has_withdrawn() -> None:
    tournament = started(Format.KNOCKOUT, 8)
    ties = next_pairings(tournament)
    gone = {number for tie in ties[2:] for number in tie.entrants}
    for number in gone:
        tournament = left(tournament, number)
    tournament = played_out(tournament, Random(1))
    final = max(tournament.games, key=lambda one: one.pairing.key)
    assert final.pairing.round == 3 and final.winner not in {*gone, None}


def test_a_bye_does_not_count_as_a_game_with_the_first_move() -> None:
    """The other finalist has had the second move: the lot decides who begins."""
    firsts = set[int]()
    for number in range(1, 20):
        tournament = replace(started(Format.KNOCKOUT, 3), id=TournamentId(number))
        bye, tie = next_pairings(tournament)
        assert bye.is_bye
        tournament = with_played(begun(tournament, bye), TournamentGame(tie, LOST))
        (final,) = next_pairings(tournament)
        firsts.add(final.entrants.index(0))
    assert firsts == {0, 1}


def test_a_result_stands_once_the_next_game_of_its_winner_has_begun() -> None:
    tournament = started(Format.KNOCKOUT, 4)
    ties = next_pairings(tournament)
    tournament = with_played(tournament, *(TournamentGame(one, WON) for one in ties))
    first = tournament.games[0]
    assert may_correct(tournament, first)
    corrected = with_played(tournament, replace(first, points=LOST, how=How.CORRECTED))
    assert ties[0].entrants[1] in next_pairings(corrected)[0].entrants
    tournament = begun(tournament, *next_pairings(tournament))
    assert not may_correct(tournament, first)
    final = tournament.being_played[0]
    assert may_correct(tournament, final), "it has no result yet"


def test_a_drawn_game_stands_once_it_is_played_again() -> None:
    tournament = started(Format.KNOCKOUT, 4)
    drawn, _ = next_pairings(tournament)
    tournament = with_played(tournament, first := TournamentGame(drawn, DRAWN))
    assert may_correct(tournament, first)
    again, _ = next_pairings(tournament)
    tournament = with_played(tournament, last := TournamentGame(again, DRAWN))
    assert [may_correct(tournament, one) for one in (first, last)] == [False, True]


def test_the_lot_for_the_first_seat_is_the_same_whenever_it_is_drawn() -> None:
    """In 64 ties of equals both win it, and another reading of the tournament draws the same."""
    tournament = started(Format.KNOCKOUT, 128)
    pairings = next_pairings(tournament)
    assert next_pairings(replace(tournament)) == pairings
    stronger = sum(one.entrants[0] < one.entrants[1] for one in pairings)
    assert 16 < stronger < 48
