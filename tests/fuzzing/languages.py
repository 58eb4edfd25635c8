"""Telling the language of a text by its words."""

import re
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

import bot.i18n

_CATALOGUES = Path(bot.i18n.__file__).parent
# Code, links, mentions, timestamps, emoji, and bold text, which may be names.
_NO_WORDS = re.compile(r"`[^`]*`|https?://\S+|<[^>]*>|\*\*.*?\*\*|\{[^}]*\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LATIN = re.compile(r"[A-Za-z]")
_OTHERS = {"en": "de", "de": "en"}
# Fewer words than this decide nothing: they may be names, or the same in both languages.
_FEWEST = 3


@cache
def _vocabulary(language: str) -> frozenset[str]:
    """Return the words of a catalogue."""
    with (_CATALOGUES / language / "LC_MESSAGES" / "rowbot.po").open("rb") as file:
        catalogue = read_po(file)
    texts = [str(message.string) for message in catalogue]
    return frozenset(word for text in texts for word in _words(text))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(_NO_WORDS.sub(" ", text))]


def foreign(text: str, locale: str) -> str | None:
    """Return the first line of a text that is in a language other than the locale's."""
    return next((line for line in text.splitlines() if _is_foreign(line, locale)), None)


def _is_foreign(line: str, locale: str) -> bool:
    words, language = _words(line), locale.partition("-")[0]
    latin = [word for word in words if _LATIN.match(word)]
    if language not in _OTHERS:
        return len(latin) == len(words) and _known(latin, "en") >= _FEWEST
    if len(latin) < len(words) / 2 and len(words) >= _FEWEST:
        return True
    own, other = _vocabulary(language), _vocabulary(_OTHERS[language])
    strange = sum(word in other and word not in own for word in words)
    return strange >= _FEWEST and not any(word in own and word not in other for word in words)


def _known(words: list[str], language: str) -> int:
    vocabulary = _vocabulary(language)
    return sum(word in vocabulary for word in words)
