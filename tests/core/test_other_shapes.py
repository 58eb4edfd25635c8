"""Boards show what only other games have."""

from core.match import Match
from core.match.diagram import Look, diagram
from tests.core.boards import after
from tests.core.either import LETTERS, Either


def test_a_mark_can_be_nobodys() -> None:
    """It is drawn and printed as itself, and not as that of a seat."""
    match = after(Match.start(Either()), "a2-b1")
    assert match.position.rows() == ["XO.", ".X."]
    _, row = diagram(match)
    assert [(cell.content, cell.look) for cell in row[:2]] == [
        (LETTERS["."], Look.PLAIN),
        (LETTERS["X"], Look.LAST),
    ]
