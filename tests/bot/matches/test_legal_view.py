"""The message around a board of legal moves."""

from typing import Any

import pytest

from bot.forms import Form
from bot.gateway.components import Part, Upload, gallery
from bot.i18n import own_texts
from bot.identity import escape
from bot.matches.board_pictures import Marked, Seen
from bot.matches.moves import legal_view
from core.grid import Move
from tests.bot.playing import begin
from tests.core.boards import ALICE, ROBOT

PICTURE = gallery(Upload("board.png", b""), "a board")


@pytest.mark.parametrize(
    ("part", "form", "points", "explained"),
    [
        ("a board", Form.EMOJI, 10, True),
        ("a board", Form.EMOJI, 9, False),
        ("a board", Form.WORDS, 10, False),
        (PICTURE, Form.EMOJI, 10, False),
        (PICTURE, Form.PICTURE, 10, False),
    ],
)
def test_ten_is_explained_where_it_stands(
    part: Part, form: Form, points: int, explained: bool
) -> None:
    """It is explained with emoji, where ten stands for more as well, not with pictures or words."""
    match = begin(ALICE, ROBOT, ROBOT, game="tribolo")
    move = match.position.legal_moves()[0]
    names = ["Alice", None, None]
    marked = Marked(match, names, gains={move: points})
    bold = [escape(name or "Computer") for name in names]
    view: Any = legal_view(marked, bold, own_texts("en-GB"), Seen((part,), form))
    assert ("ten or more" in str(view.to_components())) == explained


@pytest.mark.parametrize(
    ("language", "told"), [("en-GB", "-# a1 (+2), b3 (+12)"), ("ja", "-# a1（+2）、b3（+12）")]
)
def test_moves_are_listed_as_the_language_does(language: str, told: str) -> None:
    """The list has the language's own comma and parentheses."""
    match = begin(ALICE, ROBOT, ROBOT, game="tribolo")
    marked = Marked(match, ["Alice", None, None], gains={Move.parse("a1"): 2, Move.parse("b3"): 12})
    seen = Seen(("a board",), Form.EMOJI)
    view: Any = legal_view(marked, [escape("A")] * 3, own_texts(language), seen)
    assert view.to_components()[-1]["content"].endswith(told)


def test_all_moves_of_a_large_board_fit() -> None:
    """They fit even in Arabic, where each is between marks of direction."""
    match = begin(ALICE, ROBOT, game="tictactoe", options={"rows": 10, "columns": 10})
    gains = dict.fromkeys(match.position.legal_moves())
    seen = Seen(("a board",), Form.WORDS)
    names = [escape("A" * 32)] * 2
    view: Any = legal_view(Marked(match, ["A", None], gains=gains), names, own_texts("ar"), seen)
    assert sum(len(part["content"]) for part in view.to_components()) < 1500
