"""The emoji of boards and buttons (Unicode, https://unicode.org/emoji/charts/).

Marks differ in shape and not only in colour; docs/marks.png shows them all, also as colour-blind
people see them.
"""

from typing import NamedTuple

from core.marks import Shape
from core.position import Blank


class Emoji(NamedTuple):
    """A mark: `plain`, `framed` where a move has just put it, `taken` on a square just taken.

    `framed` is a tile of the mark's colour, and also shows the deciding line; `taken` has the
    mark's shape. `colour` is the colour of all three in Twemoji, which Discord shows, as 0xRRGGBB.
    """

    plain: str
    framed: str
    taken: str
    colour: int


_RED, _BLUE, _GREEN = 0xDD2E44, 0x55ACEE, 0x77B255

MARKS = {
    Shape.CROSS: Emoji("❌", "🟥", "💢", _RED),
    Shape.DISC: Emoji("🔵", "⏺️", "🧿", _BLUE),
    Shape.TRIANGLE: Emoji("🔺", "🅰️", "🔻", _RED),
    Shape.HEART: Emoji("💚", "❇️", "🍀", _GREEN),
}
# Blanks are faint or grey, on light and dark themes alike, and have no mark's colour.
BLANKS = {Blank.OPEN: "▫️", Blank.CLOSED: "🔒", Blank.WALL: "🪨"}

# The target of a hint.
STAR = "⭐"
# The target of a legal move. Its shape differs from that of an empty square and of every mark.
TARGET = "🔶"
CORNER = "⬛"
ZERO_WIDTH = "\u200b"
_REGIONAL_INDICATOR_A = 0x1F1E6
_KEYCAP = "\ufe0f\u20e3"
_TEN = "🔟"


def column_letter(column: int) -> str:
    """Return the letter of a column as an emoji.

    Two regional indicators in a row would become a flag: keep ZERO_WIDTH between them.
    """
    return chr(_REGIONAL_INDICATOR_A + column)


def points(count: int) -> str:
    """Return a number of points as an emoji; ten stands for higher numbers too."""
    return _TEN if count > 9 else f"{count}{_KEYCAP}"


def row_number(row: int, digits: int = 1) -> str:
    """Return the number of a row (0 is row 1) in emoji, one for each of `digits` digits.

    With one digit, row 10 is the highest.
    """
    number = str(row + 1)
    if digits == 1 and number == "10":
        return _TEN
    return CORNER * (digits - len(number)) + "".join(f"{digit}{_KEYCAP}" for digit in number)


SWAP = "🔃"
UNDO = "↩️"
RESIGN = "🏳️"
TIMED_OUT = "⌛"
DRAW = "🤝"
REMATCH = "🔁"
NEW_GAME = "🎲"
COMPUTER = "🤖"
CHALLENGE = "⚔️"
TABLE = "🪑"
THREAD = "🧵"
RESTART = "🔄"
RULES = "📖"
COMMANDS = "📋"
HINT = "💡"
ANALYSE = "🔍"
REPLAY = "🎞️"
FIRST = "⏮️"
BACK = "◀️"
NEXT = "▶️"
LAST = "⏭️"
EXPORT = "💾"
SHARE = "📣"
