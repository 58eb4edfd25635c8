"""Boards in words: every square is told once, and alt texts are plain and short enough."""

import re
from functools import cache
from itertools import product
from random import Random

import pytest

from bot.i18n import texts_for
from bot.i18n.languages import LANGUAGES
from bot.render.spoken import MAX_ALT, alt_text, row_lines
from bot.render.telling import InEmoji, InWords
from bot.render.words import NO_BREAK_SPACE
from core.engine.levels import Level
from core.match import Match
from core.players import Computer
from core.position import mover_of
from tests.bot.playing import X_WINS, begin
from tests.core.boards import ALICE, BOB, CAROL, after
from tests.core.playthroughs import play_at_random

TEXTS = texts_for("en")
_WORDS = {"B": "circle", "R": "triangle", "G": "heart", "#": "wall", ".": "empty"}


@cache
def full(seed: int) -> Match:
    """Return a match on the largest board, played at random to its end."""
    match = Match.start("tribolo", {"size": "full"}, players=[ALICE, BOB, CAROL], rng=Random(seed))
    return play_at_random(match, Random(seed))


def plain(text: str) -> str:
    """Return a text without the marks of direction of Arabic and Hebrew."""
    return re.sub(r"[\u2066-\u2069]", "", text)


def read(line: str) -> dict[str, str]:
    """Return the contents of a row in words, by the letter of the column."""
    told = line.removesuffix(".").partition(": ")[2]
    if told.startswith("all "):
        return dict.fromkeys("abcdefghijklmnop", told.removeprefix("all "))
    contents = "|".join(_WORDS.values())
    found: dict[str, str] = {}
    for content, columns in re.findall(rf"({contents}) (.*?)(?=, (?:{contents}) |$)", told):
        for run in re.findall(r"(\w) to (\w)|(\w)", columns):
            first, last = (run[0], run[1]) if run[0] else (run[2], run[2])
            found |= {chr(code): content for code in range(ord(first), ord(last) + 1)}
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_rows_tell_every_square(seed: int) -> None:
    """Reading them gives the board back."""
    match = full(seed)
    for ply in range(0, match.ply, 9):
        position = match.at(ply).position
        for row, line in zip(position.rows(), row_lines(match.at(ply), TEXTS), strict=True):
            assert read(line) == {
                chr(ord("a") + at): _WORDS[letter] for at, letter in enumerate(row)
            }


@pytest.mark.parametrize("language", ["ja", "zh-CN", "zh-TW"])
def test_no_blank_follows_a_full_width_stop(language: str) -> None:
    """A full-width stop has the width of a letter, which includes the blank."""
    told = alt_text(after(begin(), X_WINS).at(3), ["Ann", "Ben"], texts_for(language))
    assert told.count("。") == 5 and "。 " not in told


# A seed, and how many sevenths of the match are over.
MOMENTS = tuple(product(range(5), range(8)))
# A start, an end, and the moments with the longest rows of all, in one language or another.
TELLING = ((1, 0), (2, 7), (0, 4), (3, 4), (4, 4))


@pytest.mark.parametrize(
    "moments", [TELLING, pytest.param(MOMENTS, marks=pytest.mark.slow)], ids=["telling", "all"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_alt_texts_tell_every_row(language: str, moments: tuple[tuple[int, int], ...]) -> None:
    """Discord takes 1,024 characters: the largest board fits, with the longest names."""
    names, texts = ["W" * 32] * 3, texts_for(language)
    for seed, sevenths in moments:
        match = full(seed)
        shown = match.at(match.ply * sevenths // 7)
        alt = alt_text(shown, names, texts)
        assert len(alt) <= MAX_ALT
        assert alt.endswith(plain(texts.sentences(row_lines(shown, texts))))


def test_alt_texts_tell_move_turn_and_end() -> None:
    """The last move comes first, then the turn or the result, in plain text."""
    match = after(begin(), X_WINS)
    told = alt_text(match.at(3), ["Ann", "Ben"], TEXTS)
    assert told == (
        "Last move: X b1. Circle to move: Ben. Row 3: circle a, empty b c. "
        "Row 2: all empty. Row 1: X a b, empty c."
    )
    assert alt_text(match, ["Ann", "Ben"], TEXTS).startswith("Last move: X c1. 🏆 Ann (X) wins")


def test_rows_that_are_all_the_same_are_told_together() -> None:
    """From three rows on, so that listeners hear sooner what is on a large board."""
    match = after(Match.start("tictactoe", rows=8, players=[ALICE, BOB]), "c3 d6")
    assert row_lines(match, TEXTS) == [
        "Row 8: all empty.",
        "Row 7: all empty.",
        "Row 6: empty a b c, e to h, circle d.",
        "Row 5: all empty.",
        "Row 4: all empty.",
        "Row 3: empty a b, d to h, X c.",
        "Row 2: all empty.",
        "Row 1: all empty.",
    ]
    assert row_lines(match.at(1), TEXTS)[0] == "Rows 8 to 4: all empty."
    assert row_lines(match.at(0), TEXTS) == ["Rows 8 to 1: all empty."]
    filled = after(Match.start("nineholes", players=[ALICE, BOB]), "a1-a2")
    assert row_lines(filled, TEXTS)[:2] == ["Row 5: all circle.", "Row 4: all empty."]


def test_words_tell_where_a_piece_has_fallen() -> None:
    """They name the square, since the column alone doesn't tell."""
    match = after(Match.start("connectfour", players=[ALICE, BOB]), "d d")
    assert InWords(TEXTS).last_moves(match) == "Last move: circle d2."
    assert alt_text(match, ["Ann", "Ben"], TEXTS).startswith("Last move: circle d2. X to move")


def test_words_tell_the_ranks_of_three() -> None:
    """Who reads the end in words learns who came second, as those do who see the board.

    Squares alone don't tell it: who leaves comes after those who stay.
    """
    begun = Match.start("tribolo", players=[ALICE, BOB, CAROL], rng=Random(1))
    names = ("alice", "bob", "carol")
    told = InWords(TEXTS).players(begun.resign(ALICE).resign(CAROL), names)
    told = told.replace(NO_BREAK_SPACE, " ")
    assert told == "#1 triangle: bob 4, #2 heart: carol (has left) 4, #3 circle: alice (has left) 4"


def test_words_tell_who_ran_out_of_time_from_who_left() -> None:
    """Whose time ran out is still there, so nobody reads that they have left."""
    begun = Match.start("tribolo", players=[ALICE, BOB, CAROL], rng=Random(1))
    names = ("alice", "bob", "carol")
    late = names[mover_of(begun.position)]
    told = InWords(TEXTS).players(begun.time_out(), names)
    assert f"{late} (out of time)" in told and "has left" not in told


def test_who_stays_is_told_once_who_has_left() -> None:
    """The line stands until both have moved; at the end the result says it."""
    match = Match.start("tribolo", players=[ALICE, BOB, CAROL], rng=Random(1))
    for _ in range(4):
        match = match.play(match.position.legal_moves()[0])
    names = ("alice", "bob", "carol")
    telling = InWords(TEXTS)
    assert telling.departed(match, names) == []
    first, leaver, second = (mover_of(position) for position in match.positions[1:4])
    assert match.to_move == first
    (late,) = telling.departed(match.time_out(), names)
    assert late.startswith(names[first]) and late.endswith("ran out of time; the others play on.")
    match = match.resign((ALICE, BOB, CAROL)[leaver])
    (told,) = telling.departed(match, names)
    assert told.startswith(names[leaver]) and told.endswith(
        "has left the match; the others play on."
    )
    match = match.play(match.position.legal_moves()[0])
    assert match.to_move == second and telling.departed(match, names) == [told]
    match = match.play(match.position.legal_moves()[0])
    assert telling.departed(match, names) == []
    assert telling.departed(match.resign((ALICE, BOB, CAROL)[first]), names) == []


def test_alt_texts_tell_of_no_thinking() -> None:
    """In a replay, or after the end of a puzzle, the computer to move isn't at work."""
    match = begin(ALICE, Computer(Level.EASY)).play("b2")
    names = ["Ann", "Computer (easy)"]
    assert InWords(TEXTS).turn(match, names) == "Circle to move: Computer (easy) is thinking."
    assert "Circle to move: Computer (easy). Row 3" in alt_text(match, names, TEXTS)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Circle to move: Ben."),
        ("de", "Kreis am Zug: Ben."),
        ("sv-SE", "Cirkel vid draget: Ben."),
        ("ru", "Ходит круг: Ben."),
        ("ja", "マルの番：Ben。"),
    ],
)
def test_a_line_begins_with_a_capital(language: str, told: str) -> None:
    """Marks are words in lower case, and some languages begin lines with them."""
    match = after(begin(), X_WINS)
    assert InWords(texts_for(language)).turn(match.at(3), ["Ann", "Ben"]) == told


def test_only_marks_at_the_beginning_get_a_capital() -> None:
    """An emoji may stand before them; a member's name stays as it is."""
    match, in_words = after(begin(), X_WINS), InWords(TEXTS)
    assert (
        in_words.sentence(match, "💡 **circle** a1: circle wins") == "💡 **Circle** a1: circle wins"
    )
    assert in_words.sentence(match, "ben, X is yours") == "ben, X is yours"
    assert InEmoji(TEXTS).sentence(match, "circle") == "circle"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "🏆 Ben (circle) wins! Cat (triangle) resigned."),
        ("el", "🏆 Ben (κύκλος) κερδίζει! Παραίτηση: Cat (τρίγωνο)."),
        ("ru", "🏆 Побеждает Ben (круг)! Cat (треугольник) сдаёт партию."),
        ("ja", "🏆 Ben (マル) の勝ち！ Cat (三角) が投了しました。"),
    ],
)
def test_an_end_has_the_marks_behind_the_names(language: str, told: str) -> None:
    """A mark with a colon before a name would be a second colon, or begin a sentence small."""
    match = begin(game="tribolo").resign(CAROL).resign(BOB)
    names = ["Ben", "Cat", "Dan"]
    assert InWords(texts_for(language)).turn(match, names) == told


def test_a_line_after_a_word_in_bold_begins_with_a_capital() -> None:
    """The solution of a puzzle has such a line."""
    said = InWords(TEXTS).sentence(after(begin(), X_WINS), "✅ **Solved!** circle a3")
    assert said == "✅ **Solved!** Circle a3"
