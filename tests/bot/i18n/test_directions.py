"""In Arabic and Hebrew nothing is turned around: names, moves, commands and boards are isolated."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.forms import Form
from bot.help.view import commands_view
from bot.i18n import Texts, channel_texts, own_texts, texts_for
from bot.i18n.languages import RIGHT_TO_LEFT
from bot.identity import MatchId, MessageId, Posted, escape
from bot.matches.model import StoredMatch
from bot.refusals import Refusal
from bot.render.links import where_words
from bot.render.refusals import refusal_text
from bot.render.spoken import board_text
from bot.render.telling import InEmoji
from bot.render.words import DOT, bold, ratings, title
from bot.tournaments.model import Format, Pairing, TournamentGame
from bot.tournaments.view import corrected_text
from core.errors import NotYourTurn
from core.games import GAMES
from core.grid import Move
from tests.bot.i18n.catalogue import catalogue
from tests.bot.i18n.test_texts import placeholders
from tests.bot.playing import HERE, begin
from tests.bot.playing import NAMES as PLAYERS
from tests.bot.tournaments.test_view import stored
from tests.bot.tournaments.tournaments import started, with_played

OPENING, LEFT_TO_RIGHT, CLOSING = "\u2066\u2067\u2068", "\u2066", "\u2069"
RIGHT_TO_LEFT_ISOLATE = "\u2067"
FORBIDDEN = re.compile("[\u202a-\u202e]")
# Texts of both directions, with characters that would turn the rest around.
NAMES = st.text(st.sampled_from("ab אבג 12 .:!()[]*_|\u202e\u2067\u2069\u200f"), max_size=12)


def depth_at(text: str, at: int) -> int:
    """Return how many isolates are open at a place in its line."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return sum(c in OPENING for c in before) - before.count(CLOSING)


def written(language: str) -> Texts:
    """Return the English texts, with the marks of this language's direction."""
    return Texts(texts_for("en")._translations, language)  # noqa: SLF001


@pytest.mark.parametrize("language", RIGHT_TO_LEFT)
def test_a_sign_stays_before_its_number(language: str) -> None:
    """The button of a move that captures two squares says +2, not 2+; a match is #12, not 12#."""
    assert "\u2068+2\u2069" in channel_texts(language)("select.gain", points=2)
    assert "\u2068#12\u2069" in own_texts(language)("history.numbered", id=12, line="")


@pytest.mark.parametrize("language", RIGHT_TO_LEFT)
def test_a_link_ends_where_its_address_ends(language: str) -> None:
    """Discord ends a link at the next blank; a mark of direction before that broke the address."""
    texts, board, posted = own_texts(language), MessageId(30), Posted(HERE, MessageId(30))
    shown = StoredMatch(MatchId(1), HERE, begin(), PLAYERS, MatchId(1), (0, 0), board_id=board)
    refused = Refusal(NotYourTurn(), shown)
    refused.playing = [shown]
    told = [
        refusal_text(refused, texts),
        refusal_text(Refusal("refusal.shared", see=posted), texts),
        texts.sentences([where_words(HERE, board, texts)]),
    ]
    links = re.findall(r"https:[^\s)]+", "\n".join(told))
    assert links == ["https://discord.com/channels/10/20/30"] * 4


@pytest.fixture(params=RIGHT_TO_LEFT)
def texts(request: pytest.FixtureRequest) -> Texts:
    return written(request.param)


@pytest.mark.parametrize("language", RIGHT_TO_LEFT)
@given(name=NAMES)
def test_a_value_turns_nothing_around(language: str, name: str) -> None:
    """With any member's name, the isolate around it ends where the name does."""
    texts = written(language)
    said = texts("refusal.not_your_turn", player=escape(name))
    assert not FORBIDDEN.search(said)
    assert all(depth_at(said, at) >= 0 for at in range(len(said) + 1))
    assert depth_at(said, len(said)) == 0


def test_every_value_is_isolated(texts: Texts) -> None:
    """All values of all texts are isolated, except those in timestamps and links; so is code."""
    for key, forms in catalogue().items():
        values = {name: f"<{name}>" for form in forms for name in placeholders(form)}
        told = texts(key, **values)
        bare = re.sub(r"<t:<\w+>(:\w)?>|\]\(<\w+>\)", "", told)
        for value in values.values():
            for found in re.finditer(re.escape(value), bare):
                assert depth_at(bare, found.start()) > 0, key
        for found in re.finditer(r"`[^`]*`", told):
            assert depth_at(told, found.start()) > 0, key
            assert not set(OPENING + CLOSING) & set(found[0]), f"{key}: copied with the code"


def test_mentions_stay_whole(texts: Texts) -> None:
    """A mention has no marks of direction between its brackets, since Discord wouldn't read it."""
    mention = re.compile(r"<(?:#|@&?|t:)\{\w+\}(?::\w)?>")
    mentioning = [key for key, forms in catalogue().items() if any(map(mention.search, forms))]
    assert {"tournament.game.on", "invitation.until"} <= {*mentioning}
    for key in mentioning:
        (form,) = catalogue()[key]
        told = texts(key, **{name: f"‹{name}›" for name in placeholders(form)})
        for found in mention.findall(form):
            assert texts.isolated(found.replace("{", "‹").replace("}", "›")) in told


def test_emphasis_ends_beside_letters_and_blanks(texts: Texts) -> None:
    """Discord doesn't read bold text whose end is between punctuation and a mark of direction."""
    for key, forms in catalogue().items():
        values = {name: name for form in forms for name in placeholders(form)}
        assert not re.search(r"[.!?)]\*\*[\u2066-\u2069]", texts(key, **values)), key
    assert bold(escape("a (b)"), texts) == f"**{texts.isolated('a (b)')}**"


def test_rows_of_boards_run_from_left_to_right(texts: Texts) -> None:
    """Each row of emoji begins at the left, as the names of columns do."""
    board = board_text(begin(), Form.EMOJI, texts)
    assert all(row[0] == LEFT_TO_RIGHT and row[-1] == CLOSING for row in board.split("\n"))


NAMED = [escape("alice"), escape("bob")]


def shown_ratings(texts: Texts) -> str:
    names = [bold(name, texts) for name in NAMED]
    return ratings(names, [(1000, 1078, True), (1000, 922, True)], texts) or ""


def shown_title(texts: Texts) -> str:
    tictactoe = GAMES["tictactoe"]
    return title(tictactoe, tictactoe.resolve({"variant": "torus"}), texts)


def shown_result(texts: Texts) -> str:
    ended = with_played(
        started(Format.SWISS, 4), TournamentGame(Pairing(1, 1, 1, (0, 3)), (1.0, 0.0))
    )
    return corrected_text(stored(ended, "en"), ended.games[0], texts)


@pytest.mark.parametrize(
    ("shown", "between"),
    [
        (shown_ratings, DOT),
        (shown_title, DOT),
        (shown_result, "–"),
        (lambda texts: InEmoji(texts).players(begin(), NAMED), "board.versus"),
        (lambda texts: texts.listed(NAMED), "list.comma"),
        (lambda texts: texts.joined(NAMED), "list.and"),
        (
            lambda texts: InEmoji(texts).line(begin(), [Move.parse("a1"), Move.parse("b2")]),
            "list.comma",
        ),
        (lambda texts: InEmoji(texts).line(begin(), [Move.parse("a1")]), "\u00a0"),
    ],
    ids=["ratings", "title", "result", "players", "names", "joined", "moves", "move"],
)
def test_parts_stand_in_their_order(
    texts: Texts, shown: Callable[[Texts], str], between: str
) -> None:
    """An isolate that has only isolates in it runs from left to right, the second part first.

    So the text between the parts is in an isolate that runs from right to left.
    """
    told = shown(texts)
    separator = texts(between) if between in catalogue() else between
    before = told[: told.index(separator)]
    while (closed := re.sub("[\u2066-\u2068][^\u2066-\u2069]*\u2069", "", before)) != before:
        before = closed
    assert [one for one in before if one in OPENING][-1:] == [RIGHT_TO_LEFT_ISOLATE]


def test_a_mark_stands_before_its_player(texts: Texts) -> None:
    """In Tribolo the name came first, as an isolate of isolates alone runs from left to right."""
    match, names = begin(game="tribolo"), [bold(escape(name), texts) for name in "abc"]
    telling = InEmoji(texts)
    told = telling.players(match, names)
    for seat, name in enumerate(names):
        assert f"{RIGHT_TO_LEFT_ISOLATE}{telling.mark(match, seat)}\u00a0{name}{CLOSING}" in told


def test_commands_stand_before_what_they_do(texts: Texts) -> None:
    """Each line of the list of commands runs from right to left, though it begins with Latin."""
    listed: Any = commands_view(texts, on_server=True)
    told = listed.to_components()[0]["content"].split("\n")
    lines = [line for line in told if "`/" in line]
    assert len(lines) > 30
    assert all(line.startswith(RIGHT_TO_LEFT_ISOLATE) for line in lines)


def test_other_languages_have_no_isolates() -> None:
    """Languages that run from left to right get no marks of direction."""
    said = channel_texts("de")("refusal.not_your_turn", player="bob")
    assert not set(OPENING + CLOSING) & set(said)


@pytest.mark.parametrize("language", ["en", "ar", "he"])
def test_a_list_of_nothing_is_empty(language: str) -> None:
    """It has no marks of direction, so that `channels_words(()) or …` takes the second text."""
    assert texts_for(language).listed([]) == texts_for(language).joined([]) == ""
