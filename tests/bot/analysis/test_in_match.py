"""What an analysis of a position means in a match, which may end before the board does."""

import pytest

from bot.analysis.model import BestLine, in_match
from core.engine.analysis import Value
from core.engine.player import Engine
from core.games import GAMES
from core.grid import Move
from core.match import Match

DRAWN = Value((1, 1), None)


@pytest.mark.parametrize(
    ("notation", "plies"),
    [("free --O/OO./XX./.../--X X", 1), ("free -OO/O../XX./..X/--- O", 4)],
)
def test_a_win_that_comes_too_late_is_a_draw(notation: str, plies: int) -> None:
    """Ply 100 of Nine Holes may still complete a line, and after it the match is drawn."""
    game = GAMES["nineholes"]
    analysis = Engine().analyse(game.parse(notation))
    assert analysis.value == Value((1, 2), plies)
    assert in_match(analysis, game, 100 - plies) is analysis
    late = in_match(analysis, game, 101 - plies)
    assert (late.value, late.outlook, late.best) == (DRAWN, (0.5, 0.5), analysis.best)


def test_other_games_have_no_last_ply() -> None:
    """A win is as far away as the engine says, however long the match has been."""
    game = GAMES["tictactoe"]
    analysis = Engine().analyse(game.parse("classic 3 XX./OO./..."))
    assert in_match(analysis, game, 1_000) is analysis


def test_a_line_ends_where_the_match_would() -> None:
    """A position that occurs for the third time on the way is a draw, and nothing follows."""
    match = Match.start("nineholes")
    for move in "a1-a2 a5-a4 a2-b2 a4-b4 b2-a2 b4-a4 a2-b2 a4-b4".split():
        match = match.play(move)
    analysis = Engine().analyse(match.position)
    moves = tuple(map(Move.parse, ("b2-a2", "b4-a4", "a2-b2", "a4-b4")))
    assert BestLine.in_match(match, analysis, moves).moves == moves[:2]
    assert BestLine.in_match(match, analysis, moves[:2]).moves == moves[:2]
    assert BestLine.in_match(match.at(4), analysis, moves).moves == moves
