"""The message around a board of legal moves."""

from typing import Any

import pytest

from bot.forms import Form
from bot.gateway.components import Part, Upload, gallery
from bot.i18n import own_texts
from bot.identity import escape
from bot.matches.drawing import Marked, Seen
from bot.matches.menus import legal_view
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
    """The emoji of ten stands for higher numbers too, but pictures and words have all numbers."""
    match = begin(ALICE, ROBOT, ROBOT, game="tribolo")
    move = match.position.legal_moves()[0]
    names = ["Alice", None, None]
    marked = Marked(match, names, gains={move: points})
    bold = [escape(name or "Computer") for name in names]
    view: Any = legal_view(marked, bold, own_texts("en-GB"), Seen((part,), form))
    assert ("ten or more" in str(view.to_components())) == explained
