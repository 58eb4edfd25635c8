"""The colours of all pictures, and the texts that they can show."""

import re
from unicodedata import normalize

from bot.pictures.fonts import font_of

PANEL = "#1e1f22"
SQUARE = "#3a3d44"
RECENT = "#4e5261"
GOLD = "#f2c94c"
INK = "#141517"
TEXT = "#f2f3f5"
DIM = "#a4aab4"

SKY = "#6cc4f5"
ORANGE = "#f5a623"
RED = "#ff7f6e"
GREEN = "#3ddc97"
PINK = "#e59ad0"
YELLOW = "#f7ea6b"

# Replaces a run of characters that no font has.
_BOX = "□"
_ELLIPSIS = "…"
# Zero-width characters, marks of direction, variation selectors and tags: they are invisible, and
# only alter their neighbours.
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\U000e0000-\U000e01ef]"
)


def writable(text: str, most: int) -> str:
    """Return `text` in characters of the fonts, as one line of at most `most` characters."""
    # Ten times as many characters are enough, and limit the work for a text of any length.
    plain = " ".join(_INVISIBLE.sub("", text[: 10 * most]).split())
    shown = re.sub("\0+", _BOX, "".join(map(_drawn, plain)))
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + _ELLIPSIS


def _drawn(character: str) -> str:
    """Return what stands for a character: itself, else plain letters like it, else a null."""
    for text in (character, normalize("NFKC", character)):
        if all(one.isprintable() and font_of(one) for one in text):
            return text
    return "\0"
