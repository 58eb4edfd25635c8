"""The pseudo-locale: English with accents, longer, each line in brackets, made from the catalogue.

In the preview it shows which texts aren't translated, and where a longer text doesn't fit.
"""

import re

PSEUDO_LOCALE = "en-XA"

_PLAIN = "ABCDEFGHIJKLMNOPRSTUVWYZabcdefghijklmnoprstuvwyz"
_MARKED = "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞŔŠŢÛṼŴÝŽåƀçðéƒĝĥîĵķļɱñöþŕšţûṽŵýž"
_ACCENTS = str.maketrans(_PLAIN, _MARKED)
# Translations from English are longer by about this share.
_LONGER = 0.4
_FILLING = "one two three four five six seven eight nine ten " * 10
# Values, code, timestamps, links and emphasis stay; so do the blanks and marks at the ends.
_KEPT = re.compile(r"(`[^`]*`|<[^>]*>|\]\([^)]*\)|\{\w+\})")
_ENDS = re.compile(r"(\s*(?:-# |- |#+ )?)(.*?)(\s*)")


def accented(text: str) -> str:
    """Return an English text of the catalogue in the pseudo-locale."""
    return "\n".join(map(_line, text.split("\n")))


def _line(text: str) -> str:
    found = _ENDS.fullmatch(text)
    assert found is not None, "every part may be empty"
    before, middle, after = found.groups()
    parts = _KEPT.split(middle)
    words = "".join(part for number, part in enumerate(parts) if number % 2 == 0)
    if not any(letter.isalpha() for letter in words):
        return text
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    longer = _FILLING[: round(len(words) * _LONGER)].strip().translate(_ACCENTS)
    return f"{before}⟦{''.join(parts)} {longer}⟧{after}"
