"""Boards also suit other games, with marks that are nobody's and several moves a turn."""

from core.match import Match
from core.match.diagram import Look, diagram, news
from core.outcome import Outcome, Termination
from tests.core.boards import after
from tests.core.either import LETTERS, Either


def test_a_mark_can_be_nobodys() -> None:
    """It is drawn and printed as itself, not as the mark of a seat."""
    match = after(Match.start(Either()), "a2-b1")
    assert match.position.rows() == ["XO.", ".X."]
    _, row = diagram(match)
    assert [(cell.content, cell.look) for cell in row[:2]] == [
        (LETTERS["."], Look.PLAIN),
        (LETTERS["X"], Look.LAST),
    ]


def test_two_moves_running_are_both_news() -> None:
    """With two players, the one who waits sees both of the other's moves, not only the last."""
    match = after(Match.start(Either()), "a2-a1 b2-b1")
    assert match.to_move == 1
    assert [news(match.at(ply)) for ply in range(3)] == [0, 0, 0]
    _, row = diagram(match)
    assert [cell.look for cell in row] == [Look.LAST, Look.LAST, Look.PLAIN]


class Hasty(Either):
    """The same game, drawn after two moves."""

    ply_limit = 2


def test_a_game_only_declares_its_ply_limit() -> None:
    """A match that is still open at the declared limit is drawn; the game has no code for it."""
    match = after(Match.start(Hasty()), "b2-a1")
    assert match.outcome is None
    assert after(match, "b2-b1").outcome == Outcome.drawn(2, Termination.PLY_LIMIT)
