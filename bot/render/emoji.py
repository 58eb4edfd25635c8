"""The emoji of boards and buttons (Unicode, https://unicode.org/emoji/charts/).

Marks differ in shape and not only in colour; a bright mark is the same shape, framed.
"""

from typing import NamedTuple

from core.marks import Shape
from core.position import Blank


class Emoji(NamedTuple):
    """A mark on a plain square, and on one of the last move or of the winning line."""

    plain: str
    bright: str


MARKS = {
    Shape.CROSS: Emoji("❌", "❎"),
    Shape.RING: Emoji("⭕", "🅾️"),
    Shape.DISC: Emoji("🔵", "🧿"),
    Shape.TRIANGLE: Emoji("🔺", "🔻"),
    Shape.HEART: Emoji("💚", "❇️"),
}
# On a button a blank must be small; in text it carries the grid, on light and dark themes alike,
# and has no mark's colour (in Twemoji, which Discord shows, 🟦 and 🔵 are the same blue).
BUTTON_BLANKS = {Blank.OPEN: "▫️", Blank.CLOSED: "🔒", Blank.WALL: "🧱"}
TEXT_BLANKS = {Blank.OPEN: "🔳", Blank.CLOSED: "🔒", Blank.WALL: "🧱"}

# The target of a hint.
STAR = "⭐"
# The target of a legal move. Its shape differs from that of an empty square and of every mark.
TARGET = "🔶"
CORNER = "⬛"
ZERO_WIDTH = "\u200b"
_REGIONAL_INDICATOR_A = 0x1F1E6
_KEYCAP = "\ufe0f\u20e3"
# Keycaps end at ten. The clock at eleven is as wide as they are.
_BEYOND_NINE = {9: "🔟", 10: "🕚"}


def column_letter(column: int) -> str:
    """Return the letter of a column as an emoji.

    Two regional indicators in a row would become a flag: keep ZERO_WIDTH between them.
    """
    return chr(_REGIONAL_INDICATOR_A + column)


def points(count: int) -> str:
    """Return a number of points as an emoji; ten stands for higher numbers too."""
    return _BEYOND_NINE[9] if count > 9 else f"{count}{_KEYCAP}"


def row_number(row: int) -> str:
    """Return the number of a row (0 is row 1, up to row 11) as an emoji."""
    return _BEYOND_NINE.get(row) or f"{row + 1}{_KEYCAP}"


SWAP = "🔃"
UNDO = "↩️"
RESIGN = "🏳️"
DRAW = "🤝"
REMATCH = "🔁"
NEW_GAME = "🎲"
COMPUTER = "🤖"
CHALLENGE = "⚔️"
TABLE = "🪑"
HINT = "💡"
ANALYSE = "🔍"
LEGAL = TARGET
REPLAY = "🎞️"
FIRST = "⏮️"
BACK = "◀️"
NEXT = "▶️"
LAST = "⏭️"
EXPORT = "💾"
SHARE = "📣"
