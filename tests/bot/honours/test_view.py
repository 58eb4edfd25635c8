"""The end of a season as a message."""

from typing import Any

import pytest

from bot.honours.model import Season
from bot.honours.view import season_view
from bot.i18n import channel_texts
from bot.ratings.model import Leaders


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en-GB", "🏆 **Season 2026-09 is over**"),
        ("de", "🏆 **Saison 09/2026 ist zu Ende**"),
        ("ru", "🏆 **Сезон 09.2026 завершён**"),
        ("ja", "🏆 **2026年9月シーズン終了**"),
        ("ko", "🏆 **2026년 9월 시즌이 끝났어요**"),
        ("zh-TW", "🏆 **2026年9月賽季已結束**"),
    ],
)
def test_a_season_is_a_month_as_the_language_writes_it(language: str, title: str) -> None:
    """The database's form, 2026-09, is that of some languages only."""
    view: Any = season_view(Season("2026-09", Leaders(), {}), channel_texts(language), None)
    assert view.to_components()[0]["content"].startswith(title)
