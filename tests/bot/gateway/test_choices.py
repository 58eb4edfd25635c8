"""Choices of options: Discord sends the choices that it knows, perhaps another version's."""

import pytest

from bot.forms import Form
from bot.gateway.commands import read_choice
from bot.i18n import own_texts
from bot.refusals import Refusal
from bot.render.refusals import refusal_text
from core.errors import OptionError


def test_a_choice_is_read() -> None:
    """Its word is the value of an enumeration's member, or one of several words."""
    assert read_choice("board", "words", Form) is Form.WORDS
    assert read_choice("board", "go", ("stay", "go")) == "go"


def test_a_choice_of_another_version() -> None:
    """The refusal names the option and the choices that there are."""
    with pytest.raises(OptionError) as refused:
        read_choice("board", "braille", Form)
    told = refusal_text(Refusal(refused.value), own_texts("en-US"))
    assert told == "`board` must be one of these: `emoji`, `picture`, `words`\u00a0– not braille."
