"""The meaning of an analysis in a match, which may end before the board does."""

from collections.abc import Sequence

import pytest

from core.engine.analysis import Value
from core.engine.player import Engine
from core.games import GAMES
from core.match import Match
from tests.core.boards import after

DRAWN = Value((1, 1), None)


@pytest.mark.parametrize(
    ("notation", "plies"),
    [("free --O/OO./XX./.../--X X", 1), ("free -OO/O../XX./..X/--- O", 4)],
)
def test_a_win_that_comes_too_late_is_a_draw(notation: str, plies: int) -> None:
    """Ply 100 of Nine Holes may still complete a line, and after it the match is drawn."""
    game = GAMES["nineholes"]
    position = game.parse(notation)
    start = Match.start("nineholes").position
    analysis = Engine().analyse(position)
    assert analysis.value == Value((1, 2), plies)
    later = map(start.play, start.legal_moves())
    others = [one.play(move) for one in later for move in one.legal_moves()]
    assert analysis.in_match(game, [*others[: 100 - plies], position]) is analysis
    late = analysis.in_match(game, [*others[: 101 - plies], position])
    assert (late.value, late.outlook, late.best) == (DRAWN, (0.5, 0.5), analysis.best)


def test_no_win_is_told_that_the_loser_can_escape_by_repetition() -> None:
    """X wins in three plies by `a3-b3`, but O can answer `c2-b2`, to a position that came twice.

    Had that come only once, the win would hold.
    """
    moves = "a1-a2 a5-b4 b1-c3 b5-b2 c1-b3 c5-c4 b3-a3 b4-a4 a3-b3 a4-b4 b3-a3 b2-c2"
    match = after(Match.start("nineholes", variant="step"), moves)
    analysis = Engine().analyse(match.position)
    assert analysis.value == Value((1, 2), 3)
    known = analysis.in_match(match.game, match.positions)
    assert (known.value, known.outlook, known.best) == (None, (0.5, 0.5), analysis.best)
    assert analysis.in_match(match.game, match.positions[7:]) is analysis


@pytest.mark.parametrize(
    ("moves", "on_board", "in_match"),
    [
        (
            "c1-a4 a5-c2 b1-b3 c5-b2 a1-a2 b5-c3 a4-b4 c3-c4 b4-a4 c4-c3 a4-b4 c3-c4",
            ("b3-a3", "b4-a4"),
            ("b3-a3",),
        ),
        (
            "a1-b4 a5-b3 c1-a2 c5-c2 b1-a3 b5-b2 b4-c4 c2-c3 c4-b4 c3-c2 a3-a4 b3-c3",
            ("a4-a3",),
            ("b4-b3",),
        ),
    ],
)
def test_the_best_moves_are_those_that_win_in_the_match(
    moves: str, on_board: Sequence[str], in_match: Sequence[str]
) -> None:
    """By the board alone other moves win as soon, but a repetition can answer them.

    After one of the best moves the other side can't escape.
    """
    match = after(Match.start("nineholes", variant="step"), moves)
    analysis = Engine().analyse(match.position)
    assert tuple(map(str, analysis.best)) == on_board
    known = analysis.in_match(match.game, match.positions)
    assert tuple(map(str, known.best)) == in_match
    assert known.value == analysis.value == Value((1, 2), 3)
    lost = match.play(in_match[0])
    analysis = Engine().analyse(lost.position)
    assert analysis.value == Value((1, 2), 2)
    assert analysis.in_match(lost.game, lost.positions) is analysis


def test_other_games_have_no_last_ply() -> None:
    """A win is as far away as the engine says, however long the match has been."""
    game = GAMES["tictactoe"]
    position = game.parse("classic 3 XX./OO./...")
    analysis = Engine().analyse(position)
    assert analysis.in_match(game, [position] * 1_000) is analysis


@pytest.mark.parametrize(("game", "value"), [("nineholes", DRAWN), ("tribolo", None)])
def test_a_draw_and_an_unknown_value_hold_in_every_match(game: str, value: Value | None) -> None:
    """They do however long the match is, and however often the position has come."""
    position = Match.start(game).position
    analysis = Engine().analyse(position)
    assert analysis.value == value
    assert analysis.in_match(GAMES[game], [position] * 101) is analysis
