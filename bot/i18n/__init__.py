"""The texts that people read, from gettext catalogues whose message ids are keys.

A locale is looked up as gettext does it: `pt-BR` in `pt_BR`, then in `pt`, else in English.

A message for one member alone is in the member's language, a message for a channel in the
channel's. OwnTexts and ChannelTexts are different types, so that the type checker tells them apart.
"""

import gettext
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from bot.host_errors import LastingError
from bot.i18n.languages import MONTHS_WITHOUT_ZERO, RIGHT_TO_LEFT
from bot.i18n.pseudo import PSEUDO_LOCALE, accented
from bot.i18n.templates import bound, isolating, left_to_right, renamed, right_to_left
from bot.identity import isolated

DEFAULT_LOCALE = "en"
_DOMAIN = "rowbot"
_FOLDER = Path(__file__).parent


class Texts:
    """One language's texts by key."""

    def __init__(self, translations: gettext.NullTranslations, locale: str = DEFAULT_LOCALE):
        self.locale = locale
        self._translations = translations
        self._right_to_left = locale in RIGHT_TO_LEFT
        self._templates: dict[str, str] = {}

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text of `key` with `values` filled in.

        If the text has plural forms, the integer `count` among the values chooses one. Raises
        KeyError for an unknown key, and for a value that the text needs but doesn't get.
        """
        count = values.get("count")
        text = self._found(key, count if isinstance(count, int) else None)
        if text is None:
            raise KeyError(key)
        template = self._templates.get(text)
        if template is None:
            template = self._templates[text] = self._template(text)
        return template.format(**values)

    def name(self, word: str) -> str:
        """Return the name of a command or an option in this language, the `word` itself if none."""
        return self._found(f"name.{word}", None) or word

    def listed(self, parts: Iterable[str]) -> str:
        """Return a list with this language's comma between its parts, in its direction."""
        return self.row(self("list.comma"), map(self.isolated, parts))

    def joined(self, parts: Iterable[str]) -> str:
        """Return a list with this language's "and" before its last part, in its direction.

        For three parts or more, some languages also have a comma there.
        """
        *others, last = [*map(self.isolated, parts)] or [""]
        said = [self("list.comma").join(others), last] if others else [last]
        return self.row(self("list.last" if len(others) > 1 else "list.and"), said)

    def sentences(self, parts: Iterable[str]) -> str:
        """Return sentences in succession; after a full-width stop there is no blank."""
        return self.row("" if self("list.stop") == "。" else " ", parts)

    def month(self, period: str) -> str:
        """Return a month such as 2026-09 as this language writes it."""
        year, month = period.split("-")
        number = str(int(month)) if self.locale in MONTHS_WITHOUT_ZERO else month
        return self("season.month", year=year, month=number)

    def row(self, separator: str, parts: Iterable[str]) -> str:
        """Return texts of this language side by side, in its direction; of none, an empty text."""
        row = separator.join(parts)
        return right_to_left(row) if row and self._right_to_left else row

    def isolated(self, text: str) -> str:
        """Return a text so that it keeps its direction, and text around it keeps its own."""
        return isolated(text) if self._right_to_left else text

    def address(self, url: str) -> str:
        """Return a URL for a text, with a blank that keeps an isolate's end out of the link."""
        return f"{url} " if self._right_to_left else url

    def left_to_right(self, text: str) -> str:
        """Return lines that run from left to right in every language, such as those of a board."""
        return "\n".join(map(left_to_right, text.split("\n"))) if self._right_to_left else text

    def _found(self, key: str, count: int | None) -> str | None:
        text = key if count is None else self._translations.ngettext(key, key, count)
        if text == key:
            text = self._translations.gettext(key)
        if text == key:
            return None
        # Names of commands stay as they are, also in the pseudo-locale.
        changes = self.locale == PSEUDO_LOCALE and not key.startswith("name.")
        return accented(text) if changes else text

    def _template(self, text: str) -> str:
        """Return a text of the catalogue as a template for its values; made once for each text."""
        everywhere = self._found("settings.everywhere", None) or "everywhere"
        template = renamed(bound(text), self.name, everywhere)
        return isolating(template) if self._right_to_left else template


class OwnTexts(Texts):
    """The texts in the language of the only member who sees a message."""


class ChannelTexts(Texts):
    """The texts in the language of a channel, for messages that all its members see."""


@cache
def own_texts(locale: str) -> OwnTexts:
    """Return the texts for a member's Discord locale such as ``en-US``; raise LastingError."""
    return OwnTexts(*_translations(locale))


@cache
def channel_texts(locale: str | None) -> ChannelTexts:
    """Return the texts for a channel's locale, English if none is known; raise LastingError."""
    return ChannelTexts(*_translations(locale or DEFAULT_LOCALE))


@cache
def texts_for(locale: str) -> Texts:
    """Return the texts for a Discord locale such as ``en-US``, English if it has no catalogue.

    Raises LastingError if the texts of a checkout aren't compiled.
    """
    return Texts(*_translations(locale))


@cache
def _translations(locale: str) -> tuple[gettext.NullTranslations, str]:
    """Return the catalogue for a locale, and the language that it is in."""
    _check_compiled(_FOLDER)
    languages = [locale.replace("-", "_"), DEFAULT_LOCALE]
    found = gettext.translation(_DOMAIN, _FOLDER, languages)
    written_in = found.info().get("language", DEFAULT_LOCALE)
    return found, locale if locale == PSEUDO_LOCALE else written_in


@cache
def _check_compiled(_folder: Path) -> None:
    """Raise LastingError if the texts aren't compiled; only the first call looks.

    Later on, a host may be updating the checkout of a running bot, which has loaded the compiled
    texts.
    """
    check_compiled()


def check_compiled() -> None:
    """Raise LastingError if the texts of a checkout have changed since they were compiled."""
    if outdated():
        raise LastingError(
            "The texts have changed since Rowbot was installed. Install it again:"
            " .venv/bin/pip install -e ."
        )


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
