"""Reviews and lines of play of a match that may end before its board is decided."""

from bot.analysis.model import BestLine, Verdict, review
from core.engine.player import Engine
from core.grid import Move
from core.match import Match
from tests.core.boards import after


def test_no_win_is_told_that_the_loser_can_escape_by_repetition() -> None:
    """X would win in three plies by `a3-b3`, but O's answer `c2-b2` repeats a position again."""
    moves = "a1-a2 a5-b4 b1-c3 b5-b2 c1-b3 c5-c4 b3-a3 b4-a4 a3-b3 a4-b4 b3-a3 b2-c2"
    match = after(Match.start("nineholes", variant="step"), moves)
    analysis = Engine().analyse(match.position)
    known = analysis.in_match(match.game, match.positions)
    assert BestLine.in_match(match, analysis, analysis.best).analysis == known != analysis
    steps = review(match.play("a3-a4"), [None] * 12 + [analysis])
    assert steps[12].before == Verdict(outlook=0.5)


def test_a_line_begins_with_a_move_that_wins_in_the_match() -> None:
    """`a4-a3` wins on the board, but in the match only `b4-b3` does, so a hint shows `b4-b3`."""
    moves = "a1-b4 a5-b3 c1-a2 c5-c2 b1-a3 b5-b2 b4-c4 c2-c3 c4-b4 c3-c2 a3-a4 b3-c3"
    match, engine = after(Match.start("nineholes", variant="step"), moves), Engine()
    analysis = engine.analyse(match.position)
    line = BestLine.in_match(match, analysis, engine.line(match.position, analysis, 3))
    assert (line.moves, line.analysis.best) == ((Move.parse("b4-b3"),),) * 2
    steps = review(match.play("a4-a3"), [None] * 12 + [analysis])
    assert steps[12].better == Move.parse("b4-b3")


def test_a_line_ends_where_the_match_would() -> None:
    """If a position on the way occurs for the third time, that is a draw, and the line ends."""
    moves = "a1-a2 a5-a4 a2-b2 a4-b4 b2-a2 b4-a4 a2-b2 a4-b4"
    match = after(Match.start("nineholes"), moves)
    analysis = Engine().analyse(match.position)
    line = tuple(map(Move.parse, ("b2-a2", "b4-a4", "a2-b2", "a4-b4")))
    assert BestLine.in_match(match, analysis, line).moves == line[:2]
    assert BestLine.in_match(match, analysis, line[:2]).moves == line[:2]
    assert BestLine.in_match(match.at(4), analysis, line).moves == line
