"""A new game, registered with its texts, works in every feature without further code.

It consists of what docs/new-game.md asks of a new game (`last_square.py`).
"""

from gettext import GNUTranslations
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

import discord
import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.i18n import DEFAULT_LOCALE, texts_for
from core.errors import PositionError
from core.games import GAMES
from tests.bot.i18n.catalogue import catalogue, enumerated
from tests.discord.conftest import Restart
from tests.discord.matches.last_square import KEY, LastSquare
from tests.discord.world import World, answer_to, labels, refused, text


def add_texts(monkeypatch: pytest.MonkeyPatch, path: Path) -> GNUTranslations:
    """Add the texts in `path` to the English catalogue, which fills the gaps of the others."""
    with path.open("rb") as source:
        catalogue = read_po(source, locale="en")
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    added = GNUTranslations(compiled)
    for locale in (DEFAULT_LOCALE, *map(str, discord.Locale)):
        last: Any = texts_for(locale)._translations  # noqa: SLF001
        while last._fallback is not None:  # noqa: SLF001
            last = last._fallback  # noqa: SLF001
        monkeypatch.setattr(last, "_fallback", added)
    return added


@pytest.fixture(autouse=True)
def own_texts(monkeypatch: pytest.MonkeyPatch) -> GNUTranslations:
    """Register the game, and return its texts."""
    monkeypatch.setitem(GAMES, KEY, LastSquare())
    return add_texts(monkeypatch, Path(__file__).with_name("last_square.po"))


def test_a_new_game_has_all_texts_that_are_looked_up(own_texts: GNUTranslations) -> None:
    """Authors of games may copy its catalogue: none of the texts of a game is missing there."""
    built = set(chain.from_iterable(enumerated.__wrapped__().values()))
    own = own_texts._catalog  # type: ignore[attr-defined]  # noqa: SLF001
    assert built - set(catalogue()) == set(own) - {""}


async def test_a_new_game_is_played_by_buttons_and_by_command(world: World) -> None:
    """A challenge, a press, a command and the end; each seat has its own emoji."""
    await world.challenge(game=KEY)
    assert "Last Square" in text(world.last)
    assert "💚 **alice**" in text(world.last) and "🔵 **bob**" in text(world.last)
    await world.press(world.alice, "a1")
    await world.bob.slash(world.channel, "move", where="b1")
    assert "Last move: 🔵 b1" in text(world.last)
    await world.press(world.alice, "c1")
    assert "💚 **alice** wins with c1" in text(world.last)


async def test_the_options_of_a_new_game_are_offered_and_named(world: World) -> None:
    """The variant is an option of the command and part of the title."""
    await world.challenge(game=KEY, variant="misere")
    assert "the last square loses" in text(world.last)
    await world.play("a1 b1 c1")
    assert "**bob** wins" in text(world.last)


async def test_the_rules_of_a_new_game_are_told(world: World) -> None:
    """`/rules` explains it."""
    assert "**Last Square**" in text(await world.carol.slash(world.channel, "rules", game=KEY))


async def test_the_refusals_of_a_new_game_have_words(world: World) -> None:
    """Its own refusal has its own words; the shared ones have the common words."""
    await world.challenge(game=KEY)
    for move, words in (
        ("b1", "Nobody begins with b1"),
        ("d1", "d1 is off the board"),
        ("a1-b1", "isn't a move"),
        ("swap", "You can't swap sides here"),
    ):
        assert words in refused(await world.alice.slash(world.channel, "move", where=move))


async def test_a_refusal_without_words_is_answered(
    world: World, own_texts: GNUTranslations
) -> None:
    """A game whose author has forgotten a text leaves nobody without an answer."""
    del own_texts._catalog["game.lastsquare.illegal.middle_first"]  # type: ignore[attr-defined]  # noqa: SLF001
    await world.challenge(game=KEY)
    words = refused(await world.alice.slash(world.channel, "move", where="b1"))
    assert "Something went wrong on my side" in words


@pytest.mark.parametrize(
    "text", ["", "neither a1", "normal b1", "normal a1 a1", "normal d1", "normal A1", "normal a1 "]
)
def test_only_its_own_notation_is_a_position(text: str) -> None:
    """Every other text is refused, as the contract of games says."""
    assert LastSquare().parse("misere c1 b1").notation == "misere c1 b1"
    with pytest.raises(PositionError):
        LastSquare().parse(text)


async def test_a_match_of_a_new_game_is_stored(world: World, restart: Restart) -> None:
    """A match continues after a restart from its database row."""
    await world.played("c1", game=KEY, variant="misere")
    await restart()
    stored = await world.stored()
    assert (stored.match.game.key, str(stored.match.position)) == (KEY, " 1 . . B\n   a b c")
    await world.press(world.bob, "b1")
    assert "Last move: 🔵 b1" in text(world.last)


async def test_a_match_of_a_new_game_is_replayed_and_analysed(world: World) -> None:
    """A finished match can be replayed and reviewed."""
    await world.played("a1 b1 c1", game=KEY)
    seen = await world.bob.click(world.last, label="Replay")
    await world.bob.click(answer_to(seen), label="Next")
    assert "Last move: 💚 a1" in text(answer_to(seen))
    review = text(await world.carol.click(world.last, label="Analyse"))
    assert "1. 💚 a1 – 💚 wins in 1 move" in review
    assert "2. 🔵 b1 – 💚 wins in 1 move" in review


@pytest.mark.parametrize("level", ["easy", "strong"])
async def test_the_computer_plays_a_new_game(world: World, level: str) -> None:
    """The computer plays it, by chance and by search, and gives hints."""
    await world.alice.slash(world.channel, f"play {KEY}", level=level)
    assert "Hint" in labels(world.last)
    assert "wins in 2 moves" in text(await world.alice.slash(world.channel, "hint"))
    await world.press(world.alice, "a1")
    stored = await world.stored()
    assert stored.match.ply == 2
    await world.press(world.alice, str(stored.match.position.legal_moves()[0]))
    assert "**alice** wins" in text(world.last)
