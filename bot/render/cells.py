"""A match's board as cells, for buttons and for text."""

from dataclasses import dataclass
from enum import Enum

from bot.render.emoji import BLANKS, CORNER, MARKS, ZERO_WIDTH, column_letter, row_number
from core.game import Blank
from core.grid import Square
from core.match import Match


class Look(Enum):
    """How a square stands out."""

    PLAIN = "plain"
    LAST = "last"
    DECIDING = "deciding"
    PICKED = "picked"
    TARGET = "target"
    CLOSED = "closed"


@dataclass(frozen=True)
class Cell:
    """One square as it is shown."""

    square: Square
    emoji: str
    look: Look


def moves_men(match: Match) -> bool:
    """Return whether a move takes two presses: a man, then where it goes."""
    return any(move.origin is not None for move in match.position.legal_moves()[:1])


def cells(match: Match, pick: Square | None = None) -> list[list[Cell]]:
    """Return the board's rows, the top one first, with the man on `pick` picked."""
    grid = match.position.grid
    deciding = match.outcome.squares if match.outcome else frozenset[Square]()
    last = frozenset({match.moves[-1].to}) if match.moves and not deciding else frozenset[Square]()
    targets = {m.to for m in match.position.legal_moves() if pick is not None and m.origin == pick}

    def look(square: Square) -> Look:
        for squares, found in (
            (deciding, Look.DECIDING),
            ({pick}, Look.PICKED),
            (targets, Look.TARGET),
            (last, Look.LAST),
        ):
            if square in squares:
                return found
        return Look.CLOSED if match.position.content(square) is Blank.CLOSED else Look.PLAIN

    return [
        [
            _cell(match, Square(column, row), look(Square(column, row)))
            for column in range(grid.columns)
        ]
        for row in reversed(range(grid.rows))
    ]


def _cell(match: Match, square: Square, look: Look) -> Cell:
    content = match.position.content(square)
    if isinstance(content, Blank):
        return Cell(square, BLANKS[content], look)
    mark = MARKS[match.game.marks[content]]
    return Cell(square, mark.plain if look in (Look.PLAIN, Look.TARGET) else mark.bright, look)


def text_board(match: Match) -> str:
    """Return the board in emoji with coordinates, one line a row, the top row first."""
    grid = match.position.grid
    lines = [
        row_number(row[0].square.row) + "".join(cell.emoji for cell in row) for row in cells(match)
    ]
    letters = ZERO_WIDTH.join(column_letter(column) for column in range(grid.columns))
    return "\n".join([*lines, CORNER + letters])
