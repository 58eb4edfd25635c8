"""The catalogue and the code hold together: no text is missing, none left over, all can be said."""

from collections.abc import Iterator
from itertools import chain
from string import Formatter

import pytest

from bot.i18n import Texts, texts_for
from bot.matches.model import StoredMatch
from bot.refusals import Refusal
from bot.render import terms, words
from bot.render.refusals import refusal_text
from core.errors import (
    BadNotation,
    GameError,
    HasLeft,
    Illegal,
    IllegalMove,
    MatchOver,
    NotAPlayer,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    StalePly,
)
from core.game import Game
from core.games import GAMES
from core.grid import Move
from core.options import Choice
from tests.bot.catalogue import calls, catalogue, endings, enumerated, forms, own_reasons
from tests.bot.playing import HERE, begin
from tests.core.boards import ALICE, ROBOT


@pytest.fixture
def texts() -> Texts:
    return texts_for("en-GB")


# --- the two together


def test_forms_are_enumerated() -> None:
    """Whoever puts a key together in a new way has to say here which keys that makes."""
    assert {form for form in forms() if "{}" in form} == set(enumerated())


def test_every_key_that_is_used_exists() -> None:
    """The code asks for no text that the catalogue doesn't have."""
    plain = {form for form in forms() if "{}" not in form}
    built = set(chain.from_iterable(enumerated().values()))
    assert sorted((plain | built) - set(catalogue())) == []


def test_every_key_that_exists_is_used() -> None:
    """The catalogue has no text that the code never asks for."""
    plain = {call.form for call in calls()} | forms()
    built = set(chain.from_iterable(enumerated().values()))
    assert sorted(set(catalogue()) - plain - built) == []


def test_every_text_says_something() -> None:
    """No text is empty, has blanks at its ends, or places that can't be filled."""
    for key, text in catalogue().items():
        assert text.strip(), key
        assert text == text.strip() or key == "board.versus", key
        for _, name, spec, conversion in Formatter().parse(text):
            assert name is None or name.isidentifier(), key
            assert not spec, key
            assert conversion is None, key


def test_the_code_gives_what_the_texts_ask_for() -> None:
    """Every {place} of a text is filled by each call that is written out in the code."""
    short = []
    for call in calls():
        for key in enumerated().get(call.form, [call.form]):
            asked = {name for _, name, _, _ in Formatter().parse(catalogue()[key]) if name}
            if call.values is not None and not asked <= call.values:
                short.append(f"{call.where}: {key} lacks {sorted(asked - call.values)}")
    assert short == []
    assert sum(call.values is not None for call in calls()) > 50


def test_unknown_keys_are_errors(texts: Texts) -> None:
    """A missing text fails loudly, not as a key in somebody's chat."""
    with pytest.raises(KeyError, match=r"no\.such\.key"):
        texts("no.such.key")
    with pytest.raises(KeyError):
        texts("board.turn")  # without its values


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "xx-YY", ""])
def test_every_locale_has_texts(locale: str) -> None:
    """Locales without a catalogue get English."""
    assert texts_for(locale)("level.easy") == "easy"


# --- said aloud


def test_every_ending_has_words(texts: Texts) -> None:
    """Each way in which a match can end is said with the names that it needs."""
    said = {}
    for name, match in endings().items():
        said[name] = words.result(match, ["Alice", "Bob", "Carol"][: match.game.seats], texts)
        assert "{" not in said[name]
    assert len(set(said.values())) == len(said) == 15
    assert "❌ Alice" in said["won.line"]
    assert "⭕ Bob" in said["lost.line"].partition("wins")[0]
    assert "a1 b1 c1" in said["won.line"]
    assert "⭕ Bob" in said["won.resignation"].partition("wins")[0]
    assert "100" in said["draw.ply_limit"]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_has_a_title(texts: Texts, game: Game) -> None:
    """Each variant has a title of its own."""
    titles = [
        terms.title(game, game.resolve({option.name: choice}), texts)
        for option in game.declared
        if isinstance(option, Choice)
        for choice in option.choices
    ]
    assert len(set(titles)) == len(titles)
    assert all(title.startswith(texts(f"game.{game.key}")) for title in titles)


REFUSED: list[GameError] = [
    BadNotation("castle"),
    NotYourTurn(),
    StalePly(1, 2),
    MatchOver(),
    NotAPlayer(),
    HasLeft(),
    NothingToUndo(),
    OptionError("rows", 99, (3, 10)),
    OptionError("line", 5, (3, 3)),
    OptionError("variant", "giant", ("classic", "torus")),
    *(IllegalMove(Move.parse("a1-b2"), reason) for reason in (*Illegal, *own_reasons())),
]


@pytest.mark.parametrize("error", REFUSED, ids=repr)
def test_every_error_of_the_core_has_words(texts: Texts, error: GameError) -> None:
    """Whatever the core refuses is told in a sentence, with the board's link where there is one."""
    names = ("Alice", None)
    board = StoredMatch(1, HERE, begin(ALICE, ROBOT), names, 1, (0, 0), board_id=30)
    told = refusal_text(Refusal(error, board), texts, str)
    assert "{" not in told
    assert told.partition("\n")[0][-1] in ".!"
    assert "https://discord.com/channels/10/20/30" in told


def test_the_errors_of_the_core_are_all_tested() -> None:
    """Each error that a player can run into stands in the list above."""

    def leaves(kind: type[GameError]) -> Iterator[type[GameError]]:
        below = kind.__subclasses__()
        yield from chain.from_iterable(map(leaves, below)) if below else [kind]

    unsaid = {kind.__name__ for kind in leaves(GameError)} - {type(e).__name__ for e in REFUSED}
    # No player writes these: stored texts (a CorruptRowError by the time it shows), and records.
    assert unsaid == {"PositionError", "RecordError"}
