"""The one font of the pictures, which comes with matplotlib, and what of a text it can write."""

import re
from functools import cache
from pathlib import Path

import matplotlib
from matplotlib.ft2font import FT2Font

FONT = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")

# What stands for any number of letters that the font lacks.
_BOX = "□"
_ELLIPSIS = "…"
# They change how their neighbours look, and are nothing by themselves.
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufe00-\ufe0f\U000e0000-\U000e01ef]")


@cache
def _known() -> frozenset[int]:
    """Return the code points that the font has."""
    return frozenset(FT2Font(FONT).get_charmap())


def writable(text: str, most: int) -> str:
    """Return `text` as the font can write it: in one line, of at most so many characters."""
    # No name is longer, and nobody's text is worth more time.
    plain = " ".join(_UNSEEN.sub("", text[: 10 * most]).split())
    letters = (c if c.isprintable() and ord(c) in _known() else "\0" for c in plain)
    shown = re.sub("\0+", _BOX, "".join(letters))
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + _ELLIPSIS
