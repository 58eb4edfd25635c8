"""The texts that people read, from gettext catalogues whose message ids are keys.

A locale is looked up as gettext does it: `pt-BR` in `pt_BR`, then in `pt`. English fills the gaps.
"""

import gettext
from functools import cache
from pathlib import Path

DEFAULT_LOCALE = "en"
_DOMAIN = "rowbot"
_FOLDER = Path(__file__).parent


class OutdatedCatalogueError(Exception):
    """A catalogue of a checkout has changed since it was compiled."""

    def __init__(self, catalogues: list[Path]):
        names = ", ".join(path.parents[1].name for path in catalogues)
        super().__init__(f"Compile the catalogues of texts ({names}) with `pip install -e .`")


class Texts:
    """One language's texts by key."""

    def __init__(self, translations: gettext.NullTranslations):
        self._translations = translations

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text of `key` with `values` filled in.

        If the text has plural forms, the integer `count` among the values chooses one. Raises
        KeyError for an unknown key, and for a value that the text needs but doesn't get.
        """
        count = values.get("count")
        text = self._translations.ngettext(key, key, count) if isinstance(count, int) else key
        if text == key:
            text = self._translations.gettext(key)
        if text == key:
            raise KeyError(key)
        return text.format(**values)


@cache
def texts_for(locale: str) -> Texts:
    """Return the texts for a Discord locale such as ``en-US``, English if it has no catalogue.

    Raises OutdatedCatalogueError if the texts of a checkout aren't compiled.
    """
    if changed := outdated():
        raise OutdatedCatalogueError(changed)
    languages = [locale.replace("-", "_"), DEFAULT_LOCALE]
    return Texts(gettext.translation(_DOMAIN, _FOLDER, languages))


def outdated() -> list[Path]:
    """Return the catalogues (.po) that are newer than their compiled form (.mo), or lack one.

    An installed wheel has only the compiled form, so there are none.
    """
    sources = _FOLDER.glob(f"*/LC_MESSAGES/{_DOMAIN}.po")
    return [
        source for source in sources if _modified(source) > _modified(source.with_suffix(".mo"))
    ]


def _modified(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0
