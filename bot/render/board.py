"""The board of a match as a text in emoji."""

from bot.i18n import Texts
from bot.render.emoji import (
    BLANKS,
    CORNER,
    MARKS,
    STAR,
    TARGET,
    ZERO_WIDTH,
    column_letter,
    points,
    row_number,
)
from core.match.diagram import Cell, Diagram, Look
from core.position import Blank

# Keycaps end at ten. Boards with more rows have two digits in every row.
_LAST_KEYCAP = 10


def text_board(board: Diagram, texts: Texts) -> str:
    """Return a board in emoji with coordinates, a line for each row."""
    digits = len(str(len(board))) if len(board) > _LAST_KEYCAP else 1
    lines = [row_number(row[0].square.row, digits) + "".join(map(_emoji, row)) for row in board]
    letters = ZERO_WIDTH.join(column_letter(cell.square.column) for cell in board[0])
    return texts.left_to_right("\n".join([*lines, CORNER * digits + letters]))


def _emoji(cell: Cell) -> str:
    if not isinstance(cell.content, Blank):
        mark = MARKS[cell.content.shape]
        if cell.look in (Look.LAST, Look.DECIDING, Look.PICKED):
            return mark.framed
        return mark.taken if cell.look is Look.TAKEN else mark.plain
    if cell.look is Look.HINTED:
        return STAR
    if cell.look is Look.TARGET:
        return TARGET if cell.gain is None else points(cell.gain)
    return BLANKS[cell.content]
