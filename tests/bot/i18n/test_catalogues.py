"""The gate for translations: each catalogue says what the English one says, in the same form.

`docs/translating.md` tells what each of these means to a translator.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from gettext import c2py
from typing import Any

import pytest
from babel import Locale as Region
from discord import Locale
from discord.app_commands.commands import validate_name

from bot.app import create_bot
from bot.db.database import create_engine
from bot.gateway.commands import CommandTranslator
from bot.gateway.components import Upload
from bot.help.view import commands_view, moderators_view, rules_view, welcome_view
from bot.i18n import own_texts
from bot.i18n.languages import LANGUAGES, RIGHT_TO_LEFT
from bot.settings import Settings
from core.games import GAMES
from tests.bot.i18n.catalogue import BOT, catalogue, in_words, read
from tests.bot.i18n.catalogue import LANGUAGES as FOLDERS
from tests.discord.limits import MAX_WORDS, check

TRANSLATED = [folder for folder in FOLDERS if folder != "en"]
# https://discord.com/developers/docs/interactions/application-commands
MAX_NAME, MAX_DESCRIPTION, MAX_CHOICE, MAX_COMMAND = 32, 100, 100, 8000
# https://cldr.unicode.org/index/cldr-spec/plural-rules
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# Languages whose nouns stay in the singular after a number; Hebrew, where two is a figure, too.
SAME_FORM = {"he", "hu", "tr", "vi"}

HOLE = re.compile(r"\{(\w+)\}")
# What each translation must have as often as the English text: code, timestamps, links, emphasis,
# emoji. In an example of channels, the names are in the reader's language.
KEPT = {
    "code": re.compile(r"`#[^`]*`|(`[^`]*`)"),
    "timestamp": re.compile(r"<t:\{\w+\}(?::\w)?>"),
    "link": re.compile(r"\]\(\{\w+\}\)"),
    "bold": re.compile(r"\*\*"),
    "italic": re.compile(r"(?<!\*)\*(?!\*)"),
    "small": re.compile(r"^-# ", re.MULTILINE),
    "line break": re.compile(r"\n"),
    "mention": re.compile(r"<[@#]|@everyone|@here"),
    "emoji": re.compile(
        "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u231a-\u23f3\u25c0\u25b6\u2194-\u21aa]"
    ),
}
BUTTON = re.compile(r"button\.|replay\.(first|back|next|last)$|level\.|game\.[a-z]+$")
# The keys of buttons, entries of menus and permissions, by their English labels.
LABELS = {
    text: key
    for key, (text, *_) in catalogue().items()
    if re.match(r"button\.(?!begin\.)|menu\.|permission\.", key)
}
ITALICS = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")
MENUS = {key: text for key, text in catalogue().items() if key.startswith("menu.")}
# The choice of an option that names a button, too; Discord shows no italics there.
PRESSED_AS_CHOICE = {"button.start": "tournament.start.button"}
MENU = re.compile(r"select\.(game|level|member)|history\.open$")
# What a closed menu shows on a phone of 390 pixels, in letters of medium width.
PHONE_LETTERS = 32


def kept_in(text: str) -> dict[str, list[str]]:
    """Return the parts of a text that must be the same in every language."""
    return {name: sorted(kept.findall(text)) for name, kept in KEPT.items()}


kept_in_english = cache(kept_in)


def texts_of(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the English text and the translation of each text, in each of its forms."""
    english = catalogue()
    for key, forms in catalogue(language).items():
        if key in english:
            yield from ((key, english[key][-1], form) for form in forms)


@pytest.mark.parametrize("language", FOLDERS)
def test_no_key_stands_twice(language: str) -> None:
    """Babel would keep one of the texts, and a translator might mend the other."""
    source = (BOT / "i18n" / language / "LC_MESSAGES" / "rowbot.po").read_text(encoding="utf-8")
    keys = Counter(re.findall('^msgid "(.+)"$', source, re.MULTILINE))
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_keys_are_those_of_english(language: str) -> None:
    """No key is missing or added; each text has as many forms as the language, or one.

    Discord has no names of commands in the languages from right to left.
    """
    english, forms = catalogue(), read(language).num_plurals
    named = {key for key in english if key.startswith("name.")}
    wanted = {*english} - (named if language in RIGHT_TO_LEFT else set())
    own = {*catalogue(language)}
    assert own == wanted, f"lacks {sorted(wanted - own)}, has besides {sorted(own - wanted)}"
    for key, told in catalogue(language).items():
        assert len(told) == (forms if len(english[key]) > 1 else 1), key


@pytest.mark.parametrize("language", FOLDERS)
def test_plural_forms_are_those_of_unicode(language: str) -> None:
    """Each category of CLDR has a form of its own, in its order; `many` of a million has none.

    For Arabic, Babel's formula picked the form of 100 for 11 to 99, and the other way round.
    """
    form, category = c2py(read(language).plural_expr), Region.parse(language).plural_form
    used = sorted({(form(number), CATEGORIES.index(category(number))) for number in range(1, 1000)})
    forms, places = [form for form, _ in used], [place for _, place in used]
    assert places == sorted(places)
    assert language in SAME_FORM or len({*forms}) >= len({*places})


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_form_is_that_of_english(language: str) -> None:
    """Values, code, timestamps, links, emphasis and emoji are the same, and no text is empty.

    A form for a single number, such as the dual, may have the number in words.
    """
    spoken = {text for forms in catalogue(language).values() for text in in_words(language, forms)}
    for key, english, told in texts_of(language):
        assert told.strip(), key
        said = {"count"} if told in spoken else set()
        assert {*HOLE.findall(told)} | said == {*HOLE.findall(english)}, key
        assert not re.search(r"[{}]", HOLE.sub("", told)), key
        assert kept_in(told) == kept_in_english(english), key
        assert told[:1].isspace() <= english[:1].isspace(), key
        assert told[-1:].isspace() <= english[-1:].isspace(), key


def test_a_dual_says_two_without_a_figure() -> None:
    """Arabic says "two hours" in one word, as CLDR does, and "one hour" in two, as does Hebrew."""
    arabic, hebrew = own_texts("ar"), own_texts("he")
    assert arabic("duration.hours", count=2) == "ساعتان"
    assert arabic("duration.hours", count=1) == "ساعة واحدة"
    assert "ניצחון בטורניר אחד" in hebrew("profile.tournaments", count=1)
    for key, forms in catalogue("ar").items():
        dual = forms[2] if len(forms) > 1 else ""
        assert "{count}" not in dual or dual in (forms[0], forms[3]), key


@pytest.mark.parametrize("language", FOLDERS)
def test_a_button_is_called_by_its_label(language: str) -> None:
    """A text that names a button in italics uses the label that members see.

    Discord shows the menus of members in English where it has no names of commands.
    """
    texts = catalogue(language)
    shown = texts if language not in RIGHT_TO_LEFT else {**texts, **MENUS}
    for key, (*_, english) in catalogue().items():
        for label in LABELS.keys() & {*ITALICS.findall(english)}:
            assert all(f"*{shown[LABELS[label]][0]}*" in form for form in texts[key]), key
    for button, key in PRESSED_AS_CHOICE.items():
        assert texts[button][0] in texts[key][0], key


@pytest.mark.parametrize("language", sorted({*FOLDERS} - {*RIGHT_TO_LEFT}))
def test_a_command_and_its_button_are_one_word(language: str) -> None:
    """The beginning of the name is in the label: one doesn't say sign up, and the other join.

    The rule isn't for options: `line`, `swap`, and `start`, which is a noun in many languages.
    """

    def letters(word: str) -> str:
        return re.sub("[- \u0307]", "", word.casefold())

    texts = catalogue(language)
    names = {key.removeprefix("name.") for key in texts if key.startswith("name.")}
    pressed = {name: f"button.{name}" for name in names - {"start", "line", "swap"}}
    pressed |= {"best_line": "button.line", "solution": "button.puzzle.solution"}
    pressed = {name: button for name, button in pressed.items() if button in texts}
    for name, button in pressed.items():
        label = letters(texts[button][0])
        for word in re.split("[-_]", texts[f"name.{name}"][0]):
            assert letters(word)[:3] in label, name
    assert len(pressed) > 10


@pytest.mark.parametrize("language", FOLDERS)
def test_the_word_for_all_channels_is_taken(language: str) -> None:
    """The bot takes the word that refusals and the description of `channels` tell one to write."""
    texts, word = own_texts(language), catalogue(language)["settings.everywhere"][0]
    assert word in texts("option.settings.channels")
    assert f"`{word}`" in texts("refusal.settings.word", word="-")


@pytest.mark.parametrize("language", FOLDERS)
def test_channels_are_written_like_one_example(language: str) -> None:
    """Descriptions of options and refusals show the same channels, in the reader's language."""
    texts = catalogue(language)
    shown = [texts[f"option.{name}.channels"][0] for name in ("settings", "tournament")]
    for key in ("refusal.settings.word", "refusal.tournament.channel"):
        (example,) = re.findall(r"`(#[^`]*)`", texts[key][0])
        assert all(example in text for text in shown), key


@pytest.mark.parametrize("language", FOLDERS)
def test_no_comma_joins_another_name_to_a_list(language: str) -> None:
    """A name that follows a list of members can't be taken for the last of them.

    In Japanese, Korean and Chinese there is only a comma before the last name of a list.
    """
    texts = catalogue(language)
    before_last = re.escape(texts["list.and"][0].strip())
    joined = re.compile(rf"\{{(?:opponents|others|members|winners)\}}{before_last}\s*\{{")
    assert [key for key, forms in texts.items() if any(map(joined.search, forms))] == []


@pytest.mark.parametrize("language", [*TRANSLATED, "en-XA"])
def test_texts_fit(language: str) -> None:
    """Buttons, menus and whole messages are within Discord's limits."""
    texts = own_texts(language)
    for key in catalogue():
        if BUTTON.match(key):
            assert len(texts(key)) <= MAX_WORDS["label"], key
        if MENU.match(key):
            assert len(texts(key)) <= MAX_WORDS["placeholder"], key
    links = dict.fromkeys(("help.privacy_link", "help.terms_link"), "https://example.com/" * 5)
    moderators = moderators_view(texts, manages_channels=True)
    views = [commands_view(texts, on_server=True), moderators, welcome_view(links, texts)]
    views += [
        rules_view(game, Upload("game.png", b""), texts, playable=True) for game in GAMES.values()
    ]
    for view in views:
        check(view)


@pytest.mark.parametrize("language", FOLDERS)
def test_a_closed_menu_shows_all_of_its_text_on_a_phone(language: str) -> None:
    """A text isn't cut off before the words that say what the menu does.

    Marks above letters take no room. The wide letters of Chinese, Japanese and Korean count twice.
    """
    for key, (text, *_) in catalogue(language).items():
        if MENU.match(key):
            wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
            marks = sum(unicodedata.category(letter) == "Mn" for letter in text)
            assert len(text) + wide - marks <= PHONE_LETTERS, f"{key}: {text}"


# --- commands, as the bot sends them to Discord


@cache
def bot() -> Any:
    return create_bot(Settings.model_construct(), create_engine("sqlite:///unused.db"))


async def commands() -> list[dict[str, Any]]:
    """Return all commands in all languages, as Discord takes them."""
    tree, translator = bot().tree, CommandTranslator()
    return [await c.get_translated_payload(tree, translator) for c in tree.get_commands()]


def nodes(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a command, its subcommands, and the options of each."""
    yield command
    for option in command.get("options", ()):
        yield from nodes(option)


def worded(node: dict[str, Any], field: str) -> dict[str, str]:
    """Return a name or a description in each language; the English one has an empty key."""
    return {"": node[field], **(node.get(f"{field}_localizations") or {})}


async def test_names_of_commands_are_valid() -> None:
    """Names are lower-case words, and in no language are two names on one level the same."""
    told = await commands()
    locales = [str(locale) for locale in Locale]
    for command in told:
        if command["type"] != 1:  # an entry of a menu may have any name
            assert all(1 <= len(name) <= MAX_NAME for name in worded(command, "name").values())
            continue
        for node in nodes(command):
            for locale, name in worded(node, "name").items():
                assert validate_name(name) == name, (locale, node["name"])
            for locale in locales:
                siblings = [worded(one, "name") for one in node.get("options", ())]
                named = [names.get(locale, names[""]) for names in siblings]
                assert len(set(named)) == len(named), (locale, node["name"], named)
    for locale in locales:
        every = [worded(one, "name") for one in told if one["type"] == 1]
        named = [names.get(locale, names[""]) for names in every]
        assert len(set(named)) == len(named), (locale, named)


async def test_commands_fit() -> None:
    """Descriptions and choices are short enough, and so is each command, in its longest words.

    discord.py gives the description "…" to whatever has none.
    """
    for command in await commands():
        if command["type"] != 1:
            continue
        size = 0
        for node in nodes(command):
            for locale, description in worded(node, "description").items():
                assert len(description) <= MAX_DESCRIPTION, (locale, node["name"])
                assert description.strip("…"), (locale, node["name"])
            for choice in node.get("choices", ()):
                for locale, name in worded(choice, "name").items():
                    assert 1 <= len(name) <= MAX_CHOICE, (locale, node["name"], name)
                size += max(map(len, worded(choice, "name").values())) + len(str(choice["value"]))
            size += sum(max(map(len, worded(node, f).values())) for f in ("name", "description"))
        assert size <= MAX_COMMAND, f"/{command['name']} is too long: give choices by autocomplete"


def test_offered_languages_have_catalogues() -> None:
    """Each catalogue is a language that `/settings set` offers, and each of those has one."""
    shown = [own_texts(locale).locale for locale in LANGUAGES]
    assert len({*shown}) == len(shown)
    assert {*shown} == {*FOLDERS}
