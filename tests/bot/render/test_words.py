"""Every ending and every variant has words."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from bot.i18n import Texts, texts_for
from bot.identity import escape
from bot.render import spoken, words
from bot.render.telling import InEmoji, InWords
from core.game import Game
from core.games import GAMES
from core.match import Match
from core.options import Choice
from core.outcome import Outcome
from core.position import Position
from tests.bot.i18n.catalogue import endings
from tests.bot.playing import X_WINS, begin
from tests.core.boards import ALICE, BOB, CAROL, after
from tests.core.either import Either

# The marks that keep the direction of a text
_DIRECTIONS = dict.fromkeys(range(0x2066, 0x206A))

NAMES = [escape(name) for name in ("Alice", "Bob", "Carol")]


def plain(text: str) -> str:
    return text.translate(_DIRECTIONS)


@pytest.fixture
def texts() -> Texts:
    return texts_for("en-GB")


def test_every_ending_has_words(texts: Texts) -> None:
    """Every way to end a match is described in its own words."""
    said = {
        name: InEmoji(texts).result(match, NAMES[: match.game.seats])
        for name, match in endings().items()
    }
    assert len(set(said.values())) == len(said)
    assert not any("{" in one for one in said.values())
    assert "100" in said["draw.ply_limit"]


def test_a_result_names_its_players_and_squares(texts: Texts) -> None:
    """It names the owner of the line, who wins or in misère loses, and a player who resigned."""
    won = InEmoji(texts).result(after(begin(), X_WINS), NAMES[:2])
    assert "❌\u00a0Alice" in won and "a1 b1 c1" in won
    lost = InEmoji(texts).result(after(begin(options={"variant": "misere"}), X_WINS), NAMES[:2])
    assert "🔵\u00a0Bob" in lost.partition("wins")[0]
    resigned = InEmoji(texts).result(begin().resign(ALICE), NAMES[:2])
    assert "🔵\u00a0Bob" in resigned.partition("wins")[0]


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


@pytest.mark.parametrize(
    ("locale", "said"),
    [("en-GB", "a, b, c"), ("ja", "a、b、c"), ("zh-CN", "a、b、c"), ("ar", "a، b، c")],
)
def test_a_list_is_as_the_language_writes_it(locale: str, said: str) -> None:
    """Some languages have a comma of their own between the parts of a list."""
    assert plain(texts_for(locale).listed("abc")) == said


@pytest.mark.parametrize(
    ("locale", "two", "three"),
    [
        ("en-GB", "a and b", "a, b and c"),
        ("de", "a und b", "a, b und c"),
        ("id", "a dan b", "a, b, dan c"),
        ("ja", "a、b", "a、b、c"),
        ("zh-CN", "a、b", "a、b、c"),
        ("ar", "a وb", "a، b وc"),
        ("he", "a וגם b", "a, b וגם c"),
    ],
)
def test_members_who_act_together_are_joined_with_and(locale: str, two: str, three: str) -> None:
    """In a sentence, "and" stands before the last of several members, channels or permissions.

    Lists of one or none have no "and". In Hebrew the word suits names in any script; in Chinese and
    Japanese the comma suits words and names alike.
    """
    texts = texts_for(locale)
    assert plain(texts.joined("ab")) == two
    assert plain(texts.joined("abc")) == three
    assert plain(texts.joined("a")) == "a" and texts.joined("") == ""


@pytest.mark.parametrize("locale", ["ja", "zh-CN", "zh-TW", "ar"])
def test_every_list_of_a_board_has_that_comma(locale: str) -> None:
    """Names, moves and squares are told with the language's own comma, none with the English."""
    texts, match = texts_for(locale), Match.start("tribolo", rng=Random(3))
    for _ in range(4):
        match = match.play(match.position.legal_moves()[0])
    said = [
        InEmoji(texts).last_moves(match) or "",
        InEmoji(texts).line(match, match.position.legal_moves()[:1]),
        InWords(texts).players(match, NAMES),
        *spoken.row_lines(match, texts),
        InEmoji(texts).result(match.agree_draw(), NAMES),
        words.permissions_words(["view_channel", "send_messages"], texts),
    ]
    assert sum(plain(texts("list.comma")) in one for one in map(plain, said)) > 3
    assert not [one for one in said if ", " in one]


def test_points_are_told_without_decimals() -> None:
    """Many languages write 0,5 where others write 0.5; a half is a half in all of them."""
    told = [words.points_words(quarters / 4) for quarters in (0, 1, 2, 3, 4, 6, 49)]
    assert told == ["0", "¼", "½", "¾", "1", "1½", "12¼"]


def test_points_stay_beside_their_player() -> None:
    """There is no blank between the two at which a client could break the line."""
    series = words.score(begin(), NAMES[:2], {ALICE: 1.5}, texts_for("en"))
    assert series == "Series: Alice\u00a01½\u00a0– Bob\u00a00"
    rated = words.ratings(NAMES[:1], [(1000, 1078, True)], texts_for("en"))
    assert rated == "📈 Rating: Alice\u00a01078?\u00a0(+78)"


def test_an_end_names_the_last_to_leave(texts: Texts) -> None:
    """With more than two players, the text names one of them, and needs no plural."""
    match = begin(game="tribolo")
    said = InEmoji(texts).result(match.resign(BOB).resign(CAROL), NAMES)
    assert "Alice wins" in said and "Carol resigned" in said and "Bob" not in said


def test_players_passed_over_are_told_until_their_next_turn(texts: Texts) -> None:
    """Green moves three times running: Blue and Red couldn't before its second move."""
    match = replace(begin(game="tribolo"), initial=GAMES["tribolo"].parse("G.../.BG./.G.R B"))
    told = []
    for move in ("d2", "b3", "d3", "c3", "c1"):
        match = match.play(move)
        told.append(InEmoji(texts).passed_over(match, NAMES))
    skipped = "No legal move, so skipped: 🔵\u00a0Alice, 🔺\u00a0Bob."
    assert told == [None, None, skipped, skipped, skipped]
    assert match.to_move == 0


def test_a_second_move_passes_nobody_over(texts: Texts) -> None:
    """A seat misses a turn for want of a move only in a game that says so (`Game.skips`)."""
    match = Match.start(Either(), players=(ALICE, BOB)).play("a2-a1").play("b2-b1")
    assert InEmoji(texts).passed_over(match, NAMES[:2]) is None
    assert (
        InEmoji(texts).last_moves(match) == "Last moves: 🔺\u00a0a2-\u2060a1, 🔺\u00a0b2-\u2060b1."
    )
    skipping = replace(match, game=_Skipping())
    said = InEmoji(texts).passed_over(skipping, NAMES[:2])
    assert said == "No legal move, so skipped: 💚\u00a0Bob."


class _Skipping(Either):
    skips = True


def test_a_line_of_nobodys_marks_belongs_to_the_seat_that_completed_it(texts: Texts) -> None:
    """That seat wins with it, or loses in a game whose rules say so."""
    match = Match.start(Either(), players=(ALICE, BOB)).play("b2-a1").play("b2-b1").play("b2-c1")
    said = InEmoji(texts).result(match, NAMES[:2])
    assert said == "🏆 🔺\u00a0Alice wins with a1 b1 c1."
    assert spoken.row_lines(match, texts) == [
        "Row 2: X a, circle b, empty c.",
        "Row 1: all circle.",
    ]
    losing = InEmoji(texts).result(replace(match, game=_Losing()), NAMES[:2])
    assert losing == "🏆 💚\u00a0Bob wins! 🔺\u00a0Alice completed a1 b1 c1."


class _Losing(Either):
    """The player who completes three equal marks loses."""

    def outcome_after(self, history: Sequence[Position]) -> Outcome | None:
        outcome = super().outcome_after(history)
        return outcome and replace(outcome, ranks=outcome.ranks[::-1])


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (60, "1 minute"),
        (90 * 60, "1 hour 30 minutes"),
        (86_400, "24 hours"),
        (30 * 3600, "30 hours"),
        (53 * 3600, "2 days 5 hours"),
        (2 * 86_400 + 61, "2 days 1 minute 1 second"),
    ],
)
def test_durations(seconds: int, told: str) -> None:
    """They are told in all units that they need; up to two days are hours."""
    assert words.duration(seconds, texts_for("en")) == told
