"""The program's words fit their columns: PostgreSQL refuses longer ones, and SQLite takes them."""

from enum import StrEnum

from sqlalchemy import String

import bot.app  # noqa: F401 - defines the words of all features
from bot.db.tables import metadata
from bot.tournaments.model import Format

_PERIODS = ("period", "season_told")  # values such as 2026-11, which aren't words


def test_words_fit_their_columns() -> None:
    """A longer word, such as a new achievement, would fail when it is first written."""
    widths = {
        str(column): column.type.length
        for table in metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, String) and column.type.length and column.name not in _PERIODS
    }
    formats, narrowest = widths["tournaments.format"], min(widths.values())
    assert [
        word
        for kind in StrEnum.__subclasses__()
        if kind.__module__.partition(".")[0] in ("bot", "core")
        for word in kind
        if len(word) > (formats if kind is Format else narrowest)
    ] == []
