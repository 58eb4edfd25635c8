"""The fonts of pictures, and the texts that they can show.

They are DejaVu Sans, which matplotlib brings, and Noto for other scripts. DejaVu Sans has Latin,
Cyrillic, Greek, Arabic and Hebrew. Other scripts have families of their own in Noto (SIL Open Font
License), which the host's system may have; Debian's packages are called fonts-noto-core and
fonts-noto-cjk. Both Pillow and matplotlib shape letters with Raqm, and set text of either
direction.
"""

import os
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from unicodedata import normalize

# Found without importing matplotlib, which would take 0.4 s, and isn't needed for boards.
_MATPLOTLIB = find_spec("matplotlib")
assert _MATPLOTLIB is not None and _MATPLOTLIB.origin is not None, "matplotlib is installed"
FONT = Path(_MATPLOTLIB.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
# The font has all printable characters below this one: Latin letters of most languages.
_ALL_BELOW = 0x250

# The folders in which a system keeps fonts.
_FOLDERS = (Path("/usr/local/share/fonts"), Path("/usr/share/fonts"))
# The files that each script needs; one of them is enough.
SCRIPTS = {
    "Devanagari": ("NotoSansDevanagari-Regular.ttf", "NotoSansDevanagari-VF.ttf"),
    "Thai": ("NotoSansThai-Regular.ttf", "NotoSansThai-VF.ttf"),
    "Chinese, Japanese and Korean": ("NotoSansCJK-Regular.ttc", "NotoSansCJK-VF.otf.ttc"),
}

# Replaces a run of characters that no font has.
_BOX = "□"
_ELLIPSIS = "…"
# Zero-width characters, marks of direction, variation selectors and tags: they are invisible, and
# only alter their neighbours.
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\U000e0000-\U000e01ef]"
)


@cache
def _found() -> dict[str, Path]:
    """Return the font of each script that the system has."""
    wanted = {name: script for script, names in SCRIPTS.items() for name in names}
    found: dict[str, Path] = {}
    for path in (path for folder in _FOLDERS for path in sorted(folder.rglob("*.tt?"))):
        if path.name in wanted and os.access(path, os.R_OK):
            found.setdefault(wanted[path.name], path)
    return found


def scripts_without_font() -> list[str]:
    """Return the scripts without a font, which pictures show as boxes."""
    return [script for script in SCRIPTS if script not in _found()]


@cache
def fonts() -> tuple[Path, ...]:
    """Return all fonts, in the order in which a character is looked up."""
    return (FONT, *_found().values())


@cache
def _characters(font: Path) -> frozenset[int]:
    # matplotlib can read them as well, but importing it takes a board's process 0.15 s and 26 MiB
    # more.
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with TTFont(font, fontNumber=0, lazy=True) as opened:
        return frozenset(opened.getBestCmap())


@cache
def font_of(character: str) -> Path | None:
    """Return the font that has a glyph for a printable character, None if none has."""
    if ord(character) < _ALL_BELOW:
        return FONT
    return next((font for font in fonts() if ord(character) in _characters(font)), None)


def runs(text: str) -> Iterator[tuple[str, Path]]:
    """Yield the parts of a text with the font of each; all characters must have one."""
    for font, part in groupby(text, lambda character: font_of(character) or FONT):
        yield "".join(part), font


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


@cache
def families() -> list[str]:
    """Return the names of all fonts for matplotlib, which looks up each character in turn."""
    from matplotlib.font_manager import fontManager
    from matplotlib.ft2font import FT2Font

    for font in fonts():
        fontManager.addfont(font)
    return [FT2Font(font).family_name for font in fonts()]
