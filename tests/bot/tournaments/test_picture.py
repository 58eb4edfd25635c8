"""Pictures of tournaments: a small one whole, of a large one the part in play."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pictures.model import Cell, Side
from bot.tournaments.model import Format, TournamentGame
from bot.tournaments.pairings import next_pairings
from bot.tournaments.picture import bracket_shown, crosstable
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
)


def test_a_round_robin_has_a_column_for_each_opponent() -> None:
    """Entrant 1 has beaten 2 and is playing 4; entrant 3 has left, before half of their games."""
    tournament = started(Format.ROUND_ROBIN, 4)
    games = {frozenset(one.entrants): one for one in next_pairings(tournament)}
    tournament = begun(tournament, games[frozenset({0, 3})])
    tournament = left(tournament, 2)
    tournament = begun(tournament, *next_pairings(tournament))
    table = crosstable(tournament)
    assert table.heads == ("1", "2", "3", "4") and not table.cut
    assert [(row.number, row.name, row.points) for row in table.rows] == [
        *(("1", "Member 0", "0"), ("2", "Member 1", "0")),
        *(("3", "Member 3", "0"), ("4", "Member 2", "0")),
    ]
    assert table.rows[0].cells == (None, Cell(), Cell("•"), Cell("+"))
    assert table.rows[3].cells == (Cell("-"), Cell("-"), Cell("-"), None)
    assert [row.gone for row in table.rows] == [False, False, False, True]


def test_a_swiss_tournament_has_a_column_for_each_round_with_the_opponents_row() -> None:
    tournament = started(Format.SWISS, 5)
    due = next_pairings(tournament)
    tournament = begun(tournament, *due)
    tournament = with_played(tournament, TournamentGame(due[0], WON), TournamentGame(due[1], DRAWN))
    table = crosstable(tournament)
    assert table.heads == ("1", "2", "3")
    cells = {row.name: row.cells for row in table.rows}
    points = {row.name: row.points for row in table.rows}
    number = {row.name: row.number for row in table.rows}
    assert cells["Member 0"] == (Cell("1", number["Member 2"]), Cell(), Cell())
    assert cells["Member 1"] == (Cell("½", number["Member 3"]), Cell(), Cell())
    assert cells["Member 4"] == (Cell("+"), Cell(), Cell()) and points["Member 4"] == "1"
    assert points["Member 1"] == "½"


def test_rows_are_numbered_though_leaders_share_a_rank() -> None:
    """Before the first result nobody leads."""
    tournament = started(Format.ROUND_ROBIN, 4)
    assert not any(row.leads for row in crosstable(tournament).rows)
    due = next_pairings(tournament)
    tournament = with_played(begun(tournament, *due), *(TournamentGame(one, WON) for one in due))
    rows = crosstable(tournament).rows
    assert [(row.number, row.points, row.leads) for row in rows] == [
        *(("1", "1", True), ("2", "1", True)),
        *(("3", "0", False), ("4", "0", False)),
    ]


@pytest.mark.parametrize("kind", [Format.ROUND_ROBIN, Format.SWISS])
def test_of_more_than_32_the_first_are_shown(kind: Format) -> None:
    table = crosstable(started(kind, 40))
    assert table.cut and len(table.rows) == 32
    assert {len(row.cells) for row in table.rows} == {len(table.heads)}


def test_a_bracket_tells_seeds_points_and_who_has_won() -> None:
    tournament = started(Format.KNOCKOUT, 3)
    bye, tie = next_pairings(tournament)
    tournament = begun(tournament, bye, tie)
    shown = bracket_shown(tournament)
    assert shown.rounds[0][0] == (Side("1", "Member 0", won=True), Side(name="–"))
    assert {side.points for side in shown.rounds[0][1]} == {"•"}
    assert shown.rounds[1] == ((Side("1", "Member 0"), Side()),)
    tournament = with_played(tournament, TournamentGame(tie, LOST if tie.entrants[0] == 1 else WON))
    (_, lost), ((_, final),) = bracket_shown(tournament).rounds
    assert lost == (
        Side("2", "Member 1", "0", won=False),
        Side("3", "Member 2", "1", won=True),
    )
    assert final == Side("3", "Member 2")


@QUICK
@given(SEEDS, st.sampled_from([3, 8, 16, 17, 33, 90, 256]), st.integers(0, 30))
def test_a_large_bracket_is_cut_to_five_rounds_with_games_to_play(
    seed: int, size: int, steps: int
) -> None:
    """The omitted ties lie on sides with an ellipsis, and a game that is being played is shown."""
    rng, tournament = Random(seed), started(Format.KNOCKOUT, size)
    for _ in range(steps):
        tournament = begun(tournament, *next_pairings(tournament))
        running = tournament.being_played
        ended = rng.sample(running, rng.randint(0, len(running)))
        tournament = with_played(
            tournament, *(replace(game, points=rng.choice((WON, LOST))) for game in ended)
        )
    shown = bracket_shown(tournament)
    ties = [len(ties) for ties in shown.rounds]
    assert ties == [1 << at for at in reversed(range(len(ties)))] and len(ties) <= 5
    whole = len(ties) == tournament.rounds
    assert whole == (not (shown.before or shown.after or shown.above or shown.below))
    sides = [side for ties in shown.rounds for tie in ties for side in tie]
    assert any(side.points == "•" for side in sides) == bool(tournament.being_played)
    first = {side.name for tie in shown.rounds[0] for side in tie}
    for ties_of_round in shown.rounds[1:]:
        assert {side.name for tie in ties_of_round for side in tie} <= first | {""}


def test_a_finished_bracket_ends_with_the_final() -> None:
    shown = bracket_shown(played_out(started(Format.KNOCKOUT, 100), Random(3)))
    assert (shown.before, shown.after, shown.above, shown.below) == (True, False, False, False)
    assert sorted(str(side.won) for side in shown.rounds[-1][0]) == ["False", "True"]
