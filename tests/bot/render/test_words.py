"""Every ending and every variant has words."""

import pytest

from bot.i18n import Texts, texts_for
from bot.identity import escape
from bot.render import words
from core.game import Game
from core.games import GAMES
from core.options import Choice
from tests.bot.i18n.catalogue import endings

NAMES = [escape(name) for name in ("Alice", "Bob", "Carol")]


@pytest.fixture
def texts() -> Texts:
    return texts_for("en-GB")


def test_every_ending_has_words(texts: Texts) -> None:
    """Every way to end a match is described, with the names it needs."""
    said = {}
    for name, match in endings().items():
        said[name] = words.result(match, NAMES[: match.game.seats], texts)
        assert "{" not in said[name]
    assert len(set(said.values())) == len(said) == 15
    assert "❌ Alice" in said["won.line"]
    assert "🔵 Bob" in said["lost.line"].partition("wins")[0]
    assert "a1 b1 c1" in said["won.line"]
    assert "🔵 Bob" in said["won.resignation"].partition("wins")[0]
    assert "100" in said["draw.ply_limit"]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_has_a_title(texts: Texts, game: Game) -> None:
    """Each variant has a title of its own."""
    titles = [
        words.title(game, game.resolve({option.name: choice}), texts)
        for option in game.declared
        if isinstance(option, Choice)
        for choice in option.choices
    ]
    assert len(set(titles)) == len(titles)
    assert all(title.startswith(texts(f"game.{game.key}")) for title in titles)
