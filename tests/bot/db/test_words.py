"""The program's words fit their columns: PostgreSQL refuses longer ones, and SQLite takes them."""

from enum import StrEnum

import bot.app  # noqa: F401 - defines the words of all features
from bot.tournaments.model import Format

# As `bot.db.tables` has them.
_WIDTH, _WIDTH_OF_FORMATS = 16, 32


def test_words_fit_their_columns() -> None:
    """A longer one, such as an achievement's, would fail when it is first written."""
    assert [
        word
        for kind in StrEnum.__subclasses__()
        if kind.__module__.partition(".")[0] in ("bot", "core")
        for word in kind
        if len(word) > (_WIDTH_OF_FORMATS if kind is Format else _WIDTH)
    ] == []
