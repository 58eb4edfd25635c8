"""The languages that Discord shows: their names, and which run from right to left.

https://discord.com/developers/docs/reference#locales; Arabic and Hebrew are newer, and have no
names of commands.
"""

from collections.abc import Mapping

RIGHT_TO_LEFT = ("ar", "he")

# Each by its own name, as Discord's settings list it, in their order.
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


def languages_like(typed: str) -> list[str]:
    """Return the locales whose name or code has what was typed, those that begin with it first."""
    wanted = typed.strip().casefold()
    words = {locale: (name.casefold(), locale.casefold()) for locale, name in LANGUAGES.items()}
    beginning = [key for key, said in words.items() if any(w.startswith(wanted) for w in said)]
    within = [key for key, said in words.items() if any(wanted in w for w in said)]
    return list(dict.fromkeys(beginning + within))
