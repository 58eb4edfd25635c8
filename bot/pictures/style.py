"""The colours and the font of all pictures."""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PANEL = "#1e1f22"
SQUARE = "#3a3d44"
RECENT = "#5a6070"
GOLD = "#f2c94c"
INK = "#141517"
TEXT = "#f2f3f5"
DIM = "#9aa0aa"

SKY = "#6cc4f5"
ORANGE = "#f5a623"
RED = "#ff7f6e"
GREEN = "#3ddc97"
PINK = "#e59ad0"
YELLOW = "#f7ea6b"

# Found without importing matplotlib, which takes 0.4 s, and which boards don't need.
_MATPLOTLIB = find_spec("matplotlib")
assert _MATPLOTLIB is not None and _MATPLOTLIB.origin is not None, "matplotlib is installed"
FONT = Path(_MATPLOTLIB.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
# The font has all printable characters below this one: Latin letters of most languages.
_ALL_BELOW = 0x250

# Replaces a run of characters that the font lacks.
_BOX = "□"
_ELLIPSIS = "…"
# Zero-width characters, variation selectors and tags: invisible, they only alter their neighbours.
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufe00-\ufe0f\U000e0000-\U000e01ef]")


@cache
def _known() -> frozenset[int]:
    """Return the code points for which the font has a glyph."""
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(FONT).get_charmap())


def _has(character: str) -> bool:
    """Return whether the font has a glyph for a printable character."""
    return ord(character) < _ALL_BELOW or ord(character) in _known()


def writable(text: str, most: int) -> str:
    """Return `text` in characters of the font, as one line of at most `most` characters."""
    # Ten times as many are enough, and limit the work for a text of any length.
    plain = " ".join(_INVISIBLE.sub("", text[: 10 * most]).split())
    letters = (c if c.isprintable() and _has(c) else "\0" for c in plain)
    shown = re.sub("\0+", _BOX, "".join(letters))
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + _ELLIPSIS
