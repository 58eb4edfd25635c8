"""Standings: points, tie-breaks, and results that count for nobody."""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.model import Format, How, Pairing, Stage, Tournament, TournamentGame
from bot.tournaments.pairings import next_pairings
from bot.tournaments.standings import Score, standings
from tests.bot.tournaments.tournaments import (
    DRAWN,
    LOST,
    QUICK,
    SEEDS,
    WON,
    begun,
    left,
    played_out,
    started,
    with_played,
    without,
)

# St. Petersburg 1914, the final: both games of each player (across) against each other one (down).
PETERSBURG = {
    "Lasker": "    ½1 11 1½ 11",
    "Capablanca": "½0    ½1 10 11",
    "Alekhine": "00 ½0    11 1½",
    "Tarrasch": "0½ 01 00    0½",
    "Marshall": "00 00 0½ 1½   ",
}


def crosstable(rows: dict[str, str]) -> Tournament:
    """Return a double round robin with these results, its entrants in the order of the rows."""
    tournament = started(Format.DOUBLE_ROUND_ROBIN, len(rows))
    cells = [row.split() for row in rows.values()]
    for number, row in enumerate(cells):
        row.insert(number, "")
    points = {"1": 1.0, "½": 0.5, "0": 0.0}
    for number, (first, second) in enumerate(permutations(range(len(rows)), 2)):
        game = first > second  # the second game has the seats changed
        own, other = points[cells[first][second][game]], points[cells[second][first][game]]
        pairing = Pairing(1, number + 1, 1, (first, second))
        tournament = with_played(tournament, TournamentGame(pairing, (own, other)))
    return tournament


def lines(tournament: Tournament) -> list[tuple[int, float, float | None]]:
    """Return the standings as entrant, points and tie-break."""
    return [(one.entrant, one.points, one.tie_break) for one in standings(tournament)]


def test_sonneborn_berger_of_a_published_crosstable() -> None:
    """Tarrasch and Marshall had 2 points each.

    Tarrasch has half of Lasker's 7, Capablanca's 5 and half of Marshall's 2, which makes 9.5;
    Marshall has half of Alekhine's 4 and one and a half of Tarrasch's 2, which makes 5.
    """
    scores = lines(crosstable(PETERSBURG))
    assert [(list(PETERSBURG)[entrant], points) for entrant, points, _ in scores] == [
        *(("Lasker", 7.0), ("Capablanca", 5.0), ("Alekhine", 4.0), ("Tarrasch", 2.0)),
        ("Marshall", 2.0),
    ]
    assert [tie_break for *_, tie_break in scores] == [22.5, 15.5, 9.5, 9.5, 5.0]


def swiss(*games: tuple[int, int, int, tuple[float, float]], byes: str = "") -> Tournament:
    """Return a Swiss tournament with games as (round, entrant, entrant, points), from 1.

    `byes` are "round:entrant".
    """
    size = max(max(first, second) for _, first, second, _ in games)
    tournament = started(Format.SWISS, size)
    for table, (number, first, second, points) in enumerate(games, 1):
        pairing = Pairing(number, table, 1, (first - 1, second - 1))
        tournament = with_played(tournament, TournamentGame(pairing, points))
    for one in byes.split():
        number, entrant = map(int, one.split(":"))
        bye = Pairing(number, len(games) + number, 1, (entrant - 1,))
        tournament = with_played(tournament, TournamentGame(bye, (1.0,), How.BYE))
    return tournament


def test_buchholz_with_a_bye_counts_the_own_points_but_no_more_than_draws() -> None:
    """Three rounds of five members, who have 3, 2, 1, 2 and 1 points; 5, 3 and 4 had byes."""
    tournament = swiss(
        *((1, 1, 3, WON), (1, 2, 4, WON)),
        *((2, 1, 2, WON), (2, 4, 5, WON)),
        *((3, 1, 5, WON), (3, 2, 3, WON)),
        byes="1:5 2:3 3:4",
    )
    scores = {one.entrant + 1: (one.points, one.tie_break) for one in standings(tournament)}
    assert scores == {
        1: (3.0, 1 + 2 + 1),
        2: (2.0, 2 + 3 + 1),
        3: (1.0, 3 + 1.0 + 2),
        4: (2.0, 2 + 1 + 1.5),
        5: (1.0, 1.0 + 2 + 3),
    }
    assert [one.entrant + 1 for one in standings(tournament)] == [1, 2, 4, 3, 5]


def test_buchholz_takes_the_rounds_that_an_opponent_missed_at_the_end_as_draws() -> None:
    """1 to 4 win in round 1. Then 5, whom 1 has beaten, withdraws with no points."""
    tournament = started(Format.SWISS, 8)
    tournament = begun(tournament, *next_pairings(tournament))
    tournament = with_played(
        tournament,
        *(
            TournamentGame(one.pairing, WON if one.pairing.entrants[0] < 4 else LOST)
            for one in tournament.being_played
        ),
    )
    tournament = left(tournament, 4)
    for _ in range(2):
        due = next_pairings(tournament)
        tournament = with_played(
            begun(tournament, *due), *(TournamentGame(one, DRAWN) for one in due if not one.is_bye)
        )
    score = {one.entrant: one.points for one in standings(tournament)}
    assert score[4] == 0.0
    others = [one.opponent(0) for one in tournament.games_of(0)]
    assert others[0] == 4
    expected = 2 * 0.5 + sum(score[one] for one in others[1:] if one is not None)
    assert next(one.tie_break for one in standings(tournament) if one.entrant == 0) == expected
    (gone,) = (one for one in standings(tournament) if one.entrant == 4)
    assert gone.tie_break == score[0], "of the two rounds that it missed, it has its own 0 points"


def test_a_win_by_forfeit_counts_the_own_points_but_no_more_than_the_opponent_has() -> None:
    """1 wins on the board, and by forfeit against 4, who has 0 points and a missed round."""
    tournament = started(Format.SWISS, 4)
    games = [
        TournamentGame(Pairing(1, 1, 1, (0, 1)), WON),
        TournamentGame(Pairing(1, 2, 1, (2, 3)), WON),
    ]
    forfeited = TournamentGame(Pairing(2, 1, 1, (0, 3)), WON, How.FORFEIT)
    drawn = TournamentGame(Pairing(2, 2, 1, (1, 2)), DRAWN)
    tournament = with_played(tournament, *games, forfeited, drawn)
    first = standings(tournament)[0]
    assert (first.entrant, first.points, first.tie_break) == (0, 2.0, 0.5 + 0.5)


def test_a_win_by_forfeit_counts_no_more_than_the_own_points() -> None:
    """4 has a point and a missed round, which makes 1.5. 3, who has 1 point, gets only 1 of it."""
    tournament = swiss((1, 4, 1, WON), (1, 2, 3, WON), (2, 1, 2, DRAWN))
    forfeited = TournamentGame(Pairing(2, 9, 1, (2, 3)), WON, How.FORFEIT)
    scores = standings(with_played(tournament, forfeited))
    tie_breaks = {one.entrant + 1: one.tie_break for one in scores}
    assert tie_breaks[3] == 1.5 + 1.0
    assert tie_breaks[2] == 0.5 + 1.0, "nor has who won by forfeit missed that round"


def test_games_decide_only_between_equals_who_have_all_met() -> None:
    """1, 2 and 4 have a point and the same opponents' points; 2 and 4 have drawn, 1 met neither."""
    games = ((1, 1, 3, LOST), (1, 4, 2, DRAWN), (2, 3, 4, DRAWN), (2, 2, 5, DRAWN))
    scores = standings(swiss(*games, byes="1:5 2:1"))
    ranked = [(one.entrant + 1, one.rank) for one in scores]
    assert ranked == [(3, 1), (5, 2), (1, 3), (2, 3), (4, 3)]


def test_a_forfeit_does_not_decide_between_equals_of_a_swiss_tournament() -> None:
    """1 and 2 have a point and the same opponents; 2, who has won on the board, stands first."""
    games = ((2, 3, 1, WON), (2, 2, 4, WON), (3, 4, 1, WON), (3, 3, 2, WON), (1, 3, 4, DRAWN))
    forfeited = TournamentGame(Pairing(1, 9, 1, (0, 1)), WON, How.FORFEIT)
    scores = standings(with_played(swiss(*games), forfeited))
    assert [(one.entrant + 1, one.points) for one in scores][2:] == [(2, 1.0), (1, 1.0)]
    assert scores[2].tie_break == scores[3].tie_break


@pytest.mark.parametrize("kind", [Format.ROUND_ROBIN, Format.SWISS])
def test_an_entrant_who_has_withdrawn_stands_below_equals_who_have_not(kind: Format) -> None:
    """Else the strongest would stand first before the first result, and win a medal by leaving."""
    tournament = without(started(kind, 3), 0)
    assert [one.entrant for one in standings(tournament)] == [1, 2, 0]


def test_equals_are_ranked_by_their_games_with_each_other() -> None:
    """2 and 1 have the same points and the same Sonneborn-Berger score; 2 has beaten 1."""
    tournament = started(Format.ROUND_ROBIN, 4)
    results = {(0, 1): LOST, (0, 2): WON, (0, 3): DRAWN, (1, 2): DRAWN, (1, 3): LOST, (2, 3): LOST}
    # 1: 1.5, 2: 1.5, 3: 0.5, 4: 2.5. 1 has 0.5 + 2.5/2 = 1.75, 2 has 1.5 + 0.25 = 1.75.
    for table, (pair, points) in enumerate(results.items(), 1):
        tournament = with_played(tournament, TournamentGame(Pairing(1, table, 1, pair), points))
    assert lines(tournament)[1:3] == [(1, 1.5, 1.75), (0, 1.5, 1.75)]


@pytest.mark.parametrize("kind", [Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN])
def test_equals_in_all_tie_breaks_share_the_place(kind: Format) -> None:
    """Each of three has beaten the next one: no seeding makes one of them the winner."""
    tournament = started(kind, 4)
    beats = {(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)}
    while due := next_pairings(tournament):
        results = (TournamentGame(one, WON if one.entrants in beats else LOST) for one in due)
        tournament = with_played(tournament, *results)
    assert [(one.entrant, one.rank) for one in standings(tournament)] == [
        *((0, 1), (1, 1), (2, 1)),
        (3, 4),
    ]


@pytest.mark.parametrize(
    ("size", "games", "counts"), [(6, 2, False), (6, 3, True), (5, 1, False), (5, 2, True)]
)
def test_withdrawing_before_half_of_a_round_robin_counts_for_nobody(
    size: int, games: int, *, counts: bool
) -> None:
    """Entrant 1 loses some games and withdraws; from half of the games on, the points stay."""
    tournament = started(Format.ROUND_ROBIN, size)
    while sum(one.over for one in tournament.games_of(0)) < games:
        due = next_pairings(tournament)
        results = (TournamentGame(one, LOST if one.entrants[0] == 0 else WON) for one in due)
        tournament = with_played(tournament, *results)
    beaten_by = {one.winner for one in tournament.games_of(0)}
    tournament = without(tournament, 0)
    tournament = begun(tournament, *(one for one in next_pairings(tournament) if 0 in one.entrants))
    forfeited = [one for one in tournament.games_of(0) if one.how is How.FORFEIT]
    assert len(forfeited) == size - 1 - games
    points = {one.entrant: one.points for one in standings(tournament)}
    others = {
        e: sum(o.points_of(e) for o in tournament.games_of(e) if o.opponent(e) != 0) for e in points
    }
    winners = beaten_by | {one.winner for one in forfeited}
    assert winners == {*range(1, size)}
    for entrant in winners:
        assert entrant is not None
        assert points[entrant] == others[entrant] + counts


@QUICK
@given(SEEDS, st.sampled_from(Format), st.integers(3, 20), st.sampled_from([0.0, 0.05]))
def test_results_in_any_order_give_the_same_standings(
    seed: int, kind: Format, size: int, leaving: float
) -> None:
    rng = Random(seed)
    tournament = played_out(started(kind, size), rng, leaving)
    lines = standings(tournament)
    shuffled = rng.sample(tournament.games, len(tournament.games))
    assert standings(replace(tournament, games=tuple(shuffled))) == lines
    assert sorted(one.entrant for one in lines) == [*range(size)]
    ranks = [one.rank for one in lines]
    assert ranks == sorted(ranks) and ranks[0] == 1
    if kind is not Format.KNOCKOUT:
        merits = [(one.points, one.tie_break) for one in lines]
        assert merits == sorted(merits, reverse=True)
        assert all(rank in (at, ranks[at - 2]) for at, rank in enumerate(ranks, 1))


@QUICK
@given(SEEDS, st.integers(3, 40))
def test_a_knockout_ranks_by_the_round_of_going_out(seed: int, size: int) -> None:
    tournament = played_out(started(Format.KNOCKOUT, size), Random(seed))
    winner, second, *others = standings(tournament)
    assert (winner.rank, winner.out_in) == (1, None)
    assert (second.rank, second.out_in) == (2, tournament.rounds)
    assert [one.rank for one in others] == [
        3 if one.out_in == tournament.rounds - 1 else 1 + (1 << (tournament.rounds - one.out_in))
        for one in others
        if one.out_in is not None
    ]
    assert winner.points == tournament.rounds


def test_nobody_wins_a_final_without_points() -> None:
    """Both who were in it are second, as if somebody had won it; the others keep their ranks."""
    final = started(Format.KNOCKOUT, 4)
    for points in (WON, (0.0, 0.0)):
        due = next_pairings(final)
        final = with_played(final, *(TournamentGame(one, points) for one in due))
    assert [one.rank for one in standings(final)] == [2, 2, 3, 3]


def test_the_winner_of_a_tie_stands_first_among_those_still_in_a_knockout() -> None:
    """Seed 4 has beaten seed 1, and the other game of the first round is still being played."""
    first, other = next_pairings(started(Format.KNOCKOUT, 4))
    tournament = begun(started(Format.KNOCKOUT, 4), first, other)
    upset = WON if first.entrants[0] == 3 else LOST
    scores = standings(with_played(tournament, TournamentGame(first, upset)))
    assert [(one.entrant, one.rank, one.points) for one in scores] == [
        (3, 1, 1),
        (1, 1, 0),
        (2, 1, 0),
        (0, 3, 0),
    ]


@QUICK
@given(SEEDS, st.integers(3, 40), st.integers(1, 60))
def test_an_entrant_who_is_out_of_a_knockout_has_the_final_rank(
    seed: int, size: int, games: int
) -> None:
    """It doesn't change while the others play: nobody who loses at once is told to be last."""
    ended = played_out(started(Format.KNOCKOUT, size), Random(seed))
    last = {one.entrant: one.rank for one in standings(ended)}
    going = replace(ended, games=ended.games[:games], stage=Stage.RUNNING)
    for one in standings(going):
        assert one.rank == (1 if one.out_in is None else last[one.entrant])


def test_before_the_first_result_the_seeding_stands() -> None:
    for kind in Format:
        scores: tuple[Score, ...] = standings(started(kind, 5))
        assert [one.entrant for one in scores] == [0, 1, 2, 3, 4]
