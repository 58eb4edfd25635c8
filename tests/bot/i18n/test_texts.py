"""The code and the catalogue agree: every text exists, is used, and can be formatted."""

import os
import re
import shutil
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from string import Formatter

import pytest

from bot.host_errors import LastingError
from bot.i18n import Texts, outdated, texts_for
from bot.i18n.languages import LANGUAGES
from bot.i18n.templates import bound
from bot.render.words import title
from core.games import GAMES
from core.outcome import NO_RESULT, Termination
from tests.bot.i18n.catalogue import calls, catalogue, endings, enumerated, forms

SEPARATORS = ("board.versus", "list.comma", "list.and", "list.last", "list.stop")


@pytest.fixture
def texts() -> Texts:
    return texts_for("en-GB")


def all_texts() -> Iterator[tuple[str, str]]:
    for key, forms_of_it in catalogue().items():
        yield from ((key, text) for text in forms_of_it)


def placeholders(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name)


# --- code and catalogue


def test_forms_are_enumerated() -> None:
    """A new way to build a key must be enumerated in `catalogue.py`."""
    assert {form for form in forms() if "{}" in form} == set(enumerated())


def test_every_way_to_end_is_enumerated() -> None:
    """A new termination with a result needs a golden record, from which `endings` has it."""
    ended = {match.outcome.termination for match in endings().values() if match.outcome}
    assert ended == {*Termination} - NO_RESULT


def test_every_used_key_exists() -> None:
    """The code looks up no text missing from the catalogue."""
    plain = {form for form in forms() if "{}" not in form}
    built = set(chain.from_iterable(enumerated().values()))
    assert sorted((plain | built) - set(catalogue())) == []


def test_every_key_is_used() -> None:
    """The catalogue has no text that the code never looks up."""
    plain = {call.form for call in calls()} | forms()
    built = set(chain.from_iterable(enumerated().values()))
    assert sorted(set(catalogue()) - plain - built) == []


def test_texts_are_well_formed() -> None:
    """No text is empty, has blanks at its ends, or has invalid placeholders."""
    for key, text in all_texts():
        assert text.strip(), key
        assert text == text.strip() or key in SEPARATORS, key
        for _, name, spec, conversion in Formatter().parse(text):
            assert name is None or name.isidentifier(), key
            assert not spec, key
            assert conversion is None, key


def test_calls_fill_every_placeholder() -> None:
    """Each literal lookup in the code fills every {placeholder} of its text."""
    short = []
    for call in calls():
        for key in enumerated().get(call.form, [call.form]):
            asked = frozenset().union(*map(placeholders, catalogue()[key]))
            if call.values is not None and not asked <= call.values:
                short.append(f"{call.where}: {key} lacks {sorted(asked - call.values)}")
    assert short == []
    assert sum(call.values is not None for call in calls()) > 50


def test_texts_with_a_count_have_plural_forms() -> None:
    """A text has {count} if and only if it has plural forms for translators."""
    for key, told in catalogue().items():
        counts = "count" in placeholders(told[-1])
        assert counts == (len(told) > 1), key
        assert len({placeholders(text) | {"count"} for text in told}) == 1, key


def test_only_a_game_of_holes_speaks_of_them() -> None:
    """A refusal of all games in which men move doesn't tell players to press an empty hole."""
    spoken = {key for key, text in all_texts() if re.search(r"\bholes?\b", text)}
    assert {key for key in spoken if not key.startswith("game.nineholes.")} <= {
        "achievement.once.how"
    }


def test_unknown_keys_are_errors(texts: Texts) -> None:
    """A missing text raises instead of showing its key to a member."""
    with pytest.raises(KeyError, match=r"no\.such\.key"):
        texts("no.such.key")
    with pytest.raises(KeyError):
        texts("board.turn")  # without its values


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "xx-YY", ""])
def test_every_locale_has_texts(locale: str) -> None:
    """A locale without a catalogue gets English."""
    assert texts_for(locale)("level.easy") == "easy"


# --- numbers


@pytest.mark.parametrize(
    ("key", "one", "two"),
    [
        ("profile.favourite", "1 match in all", "2 matches in all"),
        ("chart.line", "in 1 match,", "in 2 matches,"),
        ("replay.picture", "1 move.", "2 moves."),
        ("duration.seconds", "1 second.", "2 seconds."),
        ("duration.minutes", "1 minute.", "2 minutes."),
        ("duration.hours", "1 hour.", "2 hours."),
        ("duration.days", "1 day.", "2 days."),
    ],
)
def test_one_is_singular(texts: Texts, key: str, one: str, two: str) -> None:
    """One match, one move, one minute take the singular; zero and two take the plural."""
    values = dict.fromkeys(placeholders(catalogue()[key][0]) - {"count"}, "-")
    assert one in texts(key, count=1, **values) + "."
    assert two in texts(key, count=2, **values) + "."
    assert two.replace("2", "0") in texts(key, count=0, **values) + "."


POLISH = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 "
"&& (n%100<10 || n%100>=20) ? 1 : 2);\n"

msgid "won"
msgid_plural "won"
msgstr[0] "{count} wygrana"
msgstr[1] "{count} wygrane"
msgstr[2] "{count} wygranych"
"""


def test_a_changed_catalogue_must_be_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a checkout the bot doesn't start with texts older than their source."""
    assert outdated() == []
    monkeypatch.setattr("bot.i18n._FOLDER", tmp_path)
    source = tmp_path / "en" / "LC_MESSAGES" / "rowbot.po"
    source.parent.mkdir(parents=True)
    source.write_text(POLISH)
    assert outdated() == [source]
    with pytest.raises(LastingError, match="pip install"):
        texts_for("en-AU")
    source.with_suffix(".mo").touch()
    assert outdated() == []


def test_texts_change_beside_a_running_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose checkout is being updated can still read the texts of another language."""
    catalogues = Path(__file__).parents[3] / "bot" / "i18n"
    monkeypatch.setattr("bot.i18n._FOLDER", shutil.copytree(catalogues, tmp_path / "i18n"))
    assert texts_for("en-NZ")("game.tictactoe") == "Tic-tac-toe"
    later = time.time() + 60
    os.utime(tmp_path / "i18n" / "fr" / "LC_MESSAGES" / "rowbot.po", (later, later))
    assert texts_for("fr-CA")("game.tictactoe") == "Morpion"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mark_stays_on_the_line_of_its_move(language: str) -> None:
    """A phone ends no line after the mark of a mistake, or the star of a better move."""
    said = texts_for(language)("replay.mistake", mark="🔵", move="e5", better="b2")
    assert not re.search("[🔵⭐] ", said) and {"e5", "b2"} <= set(re.findall("[a-z][0-9]", said))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rank_stays_on_the_line_of_its_player(language: str) -> None:
    """A phone doesn't end a line with the rank, and have the player on the next."""
    said = texts_for(language)("outcome.rank", rank=3, player="alice")
    assert "\u00a0" in said and " " not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_stays_on_the_line_of_its_number(language: str) -> None:
    """A line doesn't end between a word and its number, nor begin with the dot between two."""
    said = texts_for(language)("results", wins=1, draws=2, losses=3)
    assert len(said.split("\u00a0· ")) == 3 and said.count(" ") == 2
    line = texts_for(language)("history.line.rated", when=0, title="", result="", change="+5")
    assert f"\u00a0{texts_for(language).isolated('+5')}" in line


def said_in(language: str) -> Iterator[tuple[str, str]]:
    """Yield the key of each text of a language, and the text as members read it."""
    for key, told in catalogue(language).items():
        values = {name: "-" for text in told for name in placeholders(text)}
        yield key, texts_for(language)(key, **values | ({"count": 1} if "count" in values else {}))


def test_a_korean_particle_fits_the_name_before_it() -> None:
    """`analyse` is 분석 in Korean, which takes the particle 으로: 로 follows a vowel or an ㄹ."""
    named = "([가-힣])`(을|를|은|는|이|가|과|와|이나|나|으로|로|이라고|라고)(?![가-힣])"
    found = [(key, *name) for key, said in said_in("ko") for name in re.findall(named, said)]
    rieul, wrong = 8, []
    for key, last, particle in found:
        final = (ord(last) - ord("가")) % 28
        bare = not final or (final == rieul and particle in ("으로", "로"))
        if bare != (particle in ("를", "는", "가", "와", "나", "로", "라고")):
            wrong.append((key, last, particle))
    assert wrong == [] and len(found) > 50


def test_a_hungarian_article_fits_the_name_after_it() -> None:
    """`clock` is idő in Hungarian, which takes the article az: a stands before a consonant."""
    named = r"\b([Aa]z?) `/?(\w)"
    found = [(key, *name) for key, said in said_in("hu") for name in re.findall(named, said)]
    assert [one for one in found if (one[1].lower() == "az") != (one[2] in "aáeéiíoóöőuúüű")] == []
    assert len(found) > 10


def test_no_line_begins_with_a_dot_or_a_dash_between_two_parts(texts: Texts) -> None:
    """The blank before it doesn't break, neither in a text of the catalogue nor in a title."""
    assert [text for _, text in all_texts() if re.search(" [·–—] ", bound(text))] == []
    tictactoe = GAMES["tictactoe"]
    said = title(tictactoe, tictactoe.resolve({"variant": "misere"}), texts)
    assert "\u00a0· misère" in said


def test_a_greek_semicolon_asks() -> None:
    """It is the Greek question mark, and stands only where the English text asks."""
    told, english = catalogue("el"), catalogue()
    most = {key: max(text.count(";") for text in told[key]) for key in told}
    assert [key for key in told if most[key] > english[key][-1].count("?")] == []


NARROW_COLON = "[\u3040-\u30ff\u3400-\u9fff]:"


@pytest.mark.parametrize(
    ("language", "wrong"),
    [
        # 으로 fits no value that ends in a vowel, as 무승부: after a vowel it must be 로.
        ("ko", r"\}\**(을|를|은|는|이|가|과|와|이나|나|으로|로)(?![가-힣])"),
        # The blank before a colon or a question mark is one that doesn't break.
        ("fr", r"[\w)}*`] [:;!?»]|« "),
        # A narrow colon, with a blank after it, is for other scripts.
        *((language, NARROW_COLON) for language in ("ja", "zh_CN", "zh_TW")),
    ],
)
def test_what_a_language_never_has(language: str, wrong: str) -> None:
    """A Korean particle after a value, a French blank that breaks, a narrow Chinese colon."""
    told = catalogue(language)
    assert [key for key in told if any(re.search(wrong, text) for text in told[key])] == []


def test_the_compiled_catalogue_is_complete(texts: Texts) -> None:
    """The compiled catalogue has every text of the source."""
    for key, told in catalogue().items():
        values = {name: "{" + name + "}" for text in told for name in placeholders(text)}
        if len(told) == 1:
            assert texts(key, **values).replace("\u00a0", " ") == told[0]
        else:
            both = (texts(key, **values | {"count": count}) for count in (1, 2))
            said = [one.replace("\u00a0", " ") for one in both]
            assert said == [text.format(**values | {"count": n}) for n, text in enumerate(told, 1)]


@pytest.mark.parametrize(
    ("language", "people"),
    [
        *(("ar", "غيرهم"), ("de", "Person"), ("ja", "人"), ("ko", "명"), ("th", "คน")),
        *(("tr", "kişi"), ("vi", "người"), ("zh-CN", "人"), ("zh-TW", "人")),
    ],
)
def test_one_text_counts_left_out_members_games_and_channels(language: str, people: str) -> None:
    """The line that counts it is the same for members, games and channels.

    In nine languages it called the other games of a round people.
    """
    assert people not in texts_for(language)("list.more", count=1)
