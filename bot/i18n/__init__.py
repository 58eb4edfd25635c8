"""The catalogues of everything that a person reads, and the one place where one is chosen.

A catalogue is a gettext file (`en.po`) whose message ids are keys; `tests/bot/test_texts.py` holds
the keys that the code uses and those in the file together.
"""

from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

DEFAULT_LOCALE = "en"
_FOLDER = Path(__file__).parent
_LANGUAGES = frozenset(path.stem for path in _FOLDER.glob("*.po"))


class Texts:
    """One language's texts by key."""

    def __init__(self, translations: GNUTranslations):
        self._translations = translations

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text of `key` with `values` filled in; raise KeyError for an unknown one."""
        text = self._translations.gettext(key)
        if text == key:
            raise KeyError(key)
        return text.format(**values)


def texts_for(locale: str) -> Texts:
    """Return the texts for a Discord locale such as ``en-US``; English where there is no other."""
    language = locale.partition("-")[0]
    return _load(language if language in _LANGUAGES else DEFAULT_LOCALE)


@cache
def _load(language: str) -> Texts:
    with (_FOLDER / f"{language}.po").open("rb") as source:
        catalogue = read_po(source, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Texts(GNUTranslations(compiled))
