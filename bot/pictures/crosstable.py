"""A cross-table as a PNG: numbered rows, names, results and points, and no words.

With 16 players it is 630 pixels wide, so that it can be read on a phone. It is opaque, so that it
looks the same in dark and light themes.
"""

from functools import lru_cache

from PIL.Image import Image
from PIL.ImageDraw import ImageDraw

from bot.pictures.canvas import drawn, fitting, panel, png, scaled, strike, write
from bot.pictures.colours import DIM, GOLD, GREEN, RECENT, SQUARE, TEXT
from bot.pictures.model import Cell, Crosstable, Row

# Pixels: the height of a row, the margin of the picture, the letters, those of numbers.
_HEIGHT = 30
_EDGE = 8
_LETTERS = 18
_SMALL = 13
# The widths of the columns: the row's number, the name, the points at the end.
_NUMBER = 30
_NAME = 148
_POINTS = 52
# The width of a column of results: of one game, of two, beside the number of the opponent's row.
_ONE_RESULT = 24
_TWO_RESULTS = 36
_WITH_NUMBER = 50
_MORE = "…"


def draw_crosstable(table: Crosstable) -> bytes:
    """Return a picture of a cross-table; if rows were cut, its last line is an ellipsis."""
    across = _width(table)
    width = _NUMBER + _NAME + len(table.heads) * across + _POINTS
    lines = len(table.rows) + 1 + table.cut
    size = (width + 2 * _EDGE, lines * _HEIGHT + 2 * _EDGE)
    picture = panel(size)
    heads = Row("", "", tuple(Cell(against=head) for head in table.heads), "")
    more = [Row("", _MORE, (), "")] if table.cut else []
    for at, row in enumerate((heads, *table.rows, *more)):
        picture.paste(_line(row, width, across), (_EDGE, _EDGE + at * _HEIGHT))
    return png(picture)


def _width(table: Crosstable) -> int:
    """Return the width of a column of results."""
    cells = [cell for row in table.rows for cell in row.cells if cell]
    with_number = any(cell.against for cell in cells)
    two = any(len(cell.results) > 1 for cell in cells)
    return _WITH_NUMBER if with_number else _TWO_RESULTS if two else _ONE_RESULT


# A result changes few rows: with the others cached, a table of 32 takes a fifth of the time.
@lru_cache(maxsize=512)
def _line(row: Row, width: int, across: int) -> Image:
    """Return the picture of a row; a leader's number and points are golden.

    It is `width` pixels wide, and each result `across`.
    """
    middle = _HEIGHT / 2

    def draw(pen: ImageDraw) -> None:
        colour = DIM if row.gone else TEXT
        best = GOLD if row.leads else colour
        write(pen, row.number, (_NUMBER - 6, middle), _SMALL, GOLD if row.leads else DIM, "rm")
        name = fitting(row.name, _NAME - 8, _LETTERS)
        write(pen, name, (_NUMBER, middle), _LETTERS, colour, "lm")
        if row.gone:
            strike(pen, name, (_NUMBER, middle), _LETTERS)
        for column, cell in enumerate(row.cells):
            _cell(pen, cell, _NUMBER + _NAME + column * across, across)
        write(pen, row.points, (width - 4, middle), _LETTERS, best, "rm")

    return drawn((width, _HEIGHT), draw)


def _cell(pen: ImageDraw, cell: Cell | None, left: int, width: int) -> None:
    """Draw a result beside the number of the opponent's row; a plate if there can be no result."""
    right, middle = left + width, _HEIGHT / 2
    box = scaled(left + 1, 1, right - 1, _HEIGHT - 1)
    if cell is None:
        pen.rectangle(box, RECENT)
    elif cell.results:
        pen.rectangle(box, SQUARE)
        if cell.against:
            write(pen, cell.against, (right - 25, middle), _SMALL, DIM, "rm")
        at = right - 11 if cell.against else (left + right) / 2
        won = cell.results in ("1", "+")
        write(pen, cell.results, (at, middle), _LETTERS, GREEN if won else TEXT)
    elif cell.against:
        write(pen, cell.against, ((left + right) / 2, middle), _SMALL, DIM)
