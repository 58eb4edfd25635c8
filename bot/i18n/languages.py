"""The languages of Discord's clients: their names, and which run from right to left.

https://discord.com/developers/docs/reference#locales; Arabic and Hebrew are newer, and have no
names of commands.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from operator import contains, eq
from unicodedata import combining, normalize

from babel import Locale

RIGHT_TO_LEFT = ("ar", "he")
# These write the number of a month without a leading zero, before the word for month.
MONTHS_WITHOUT_ZERO = ("ja", "ko", "zh_CN", "zh_TW")

# Each language by its own name, and in the order of Discord's settings.
LANGUAGES: Mapping[str, str] = {
    "id": "Bahasa Indonesia",
    "da": "Dansk",
    "de": "Deutsch",
    "en-GB": "English",
    "es-ES": "Español",
    "es-419": "Español, LATAM",
    "fr": "Français",
    "hr": "Hrvatski",
    "it": "Italiano",
    "lt": "Lietuviškai",
    "hu": "Magyar",
    "nl": "Nederlands",
    "no": "Norsk",
    "pl": "Polski",
    "pt-BR": "Português do Brasil",
    "ro": "Română",
    "fi": "Suomi",
    "sv-SE": "Svenska",
    "vi": "Tiếng Việt",
    "tr": "Türkçe",
    "cs": "Čeština",
    "el": "Ελληνικά",
    "bg": "български",
    "ru": "Русский",
    "uk": "Українська",
    "he": "עברית",
    "ar": "العربية",
    "hi": "हिन्दी",
    "th": "ไทย",
    "zh-CN": "中文",
    "ja": "日本語",
    "zh-TW": "繁體中文",
    "ko": "한국어",
}


def language_name(locale: str) -> str:
    """Return the name of a locale's language in that language; the locale itself if unknown."""
    return LANGUAGES.get(locale, LANGUAGES["en-GB"] if locale.startswith("en") else locale)


def language_named(typed: str, reader: str) -> str | None:
    """Return the locale of the only language whose name or code is, or begins with, the typed text.

    Returns None if there is no such language, or several. A name may be the language's own, the
    English one, or the one in the language of the locale `reader`.
    """
    for fits in (eq, str.startswith):
        if found := _languages(typed, reader, fits):
            return found[0] if len(found) == 1 else None
    return None


def languages_like(typed: str, reader: str) -> list[str]:
    """Return the locales with a name or code that contains the typed text.

    Those that begin with it come first. The names are the same as for `language_named`.
    """
    found = (_languages(typed, reader, fits) for fits in (str.startswith, contains))
    return list(dict.fromkeys(chain.from_iterable(found)))


def _languages(typed: str, reader: str, fits: Callable[[str, str], bool]) -> list[str]:
    wanted = _folded(typed)
    return [
        locale for locale in LANGUAGES if any(fits(name, wanted) for name in _names(locale, reader))
    ]


@cache
def _names(locale: str, reader: str) -> frozenset[str]:
    """Return a language's names in itself, in English and in the `reader`'s, and its code."""
    language = Locale.parse(locale, sep="-")
    readers = {"en", reader} & {"en", *LANGUAGES}
    names = {language.get_display_name(Locale.parse(one, sep="-")) for one in readers}
    return frozenset(_folded(name) for name in (LANGUAGES[locale], locale, *names) if name)


def _folded(name: str) -> str:
    """Return a name without accents, capitals and the blanks around it, as some people type it."""
    letters = normalize("NFKD", name.strip().casefold())
    return "".join(letter for letter in letters if not combining(letter))
