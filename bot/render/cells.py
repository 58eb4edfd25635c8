"""A match's board as cells, for buttons and for text."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bot.render.emoji import (
    BUTTON_BLANKS,
    CORNER,
    MARKS,
    STAR,
    TARGET,
    TEXT_BLANKS,
    ZERO_WIDTH,
    column_letter,
    row_number,
)
from core.game import Blank
from core.grid import Move, Square
from core.match import Match


class Look(Enum):
    """How a square stands out."""

    PLAIN = "plain"
    LAST = "last"
    DECIDING = "deciding"
    PICKED = "picked"
    TARGET = "target"
    HINTED = "hinted"


@dataclass(frozen=True)
class Cell:
    """One square as it is shown."""

    square: Square
    emoji: str
    look: Look


def moves_men(match: Match) -> bool:
    """Return whether a move takes two presses: a man, then where it goes."""
    return any(move.origin is not None for move in match.position.legal_moves()[:1])


def cells(
    match: Match,
    pick: Square | None = None,
    blanks: Mapping[Blank, str] = BUTTON_BLANKS,
    hint: Move | None = None,
    targets: frozenset[Square] = frozenset(),
) -> list[list[Cell]]:
    """Return the board's rows, the top one first, with a man picked, a hint or targets shown."""
    grid = match.position.grid
    looks = _looks(match, pick) | dict.fromkeys(targets, Look.TARGET)
    if hint is not None:
        looks |= {hint.to: Look.HINTED} | ({hint.origin: Look.PICKED} if hint.origin else {})
    return [
        [
            _cell(match, square, looks, blanks)
            for square in grid.squares[start : start + grid.columns]
        ]
        for start in reversed(range(0, len(grid.squares), grid.columns))
    ]


def _looks(match: Match, pick: Square | None) -> dict[Square, Look]:
    """Return how squares stand out, those that do."""
    if match.outcome and match.outcome.squares:
        return dict.fromkeys(match.outcome.squares, Look.DECIDING)
    looks = {match.moves[-1].to: Look.LAST} if match.moves else {}
    if pick is not None:
        targets = (move.to for move in match.position.legal_moves() if move.origin == pick)
        looks |= dict.fromkeys(targets, Look.TARGET) | {pick: Look.PICKED}
    return looks


def _cell(
    match: Match, square: Square, looks: dict[Square, Look], blanks: Mapping[Blank, str]
) -> Cell:
    content = match.position.content(square)
    look = looks.get(square, Look.PLAIN)
    if isinstance(content, Blank):
        return Cell(square, _blank(look, blanks[content], blanks), look)
    mark = MARKS[match.game.marks[content]]
    return Cell(square, mark.plain if look is Look.PLAIN else mark.bright, look)


def _blank(look: Look, plain: str, blanks: Mapping[Blank, str]) -> str:
    """Return an empty square; buttons have a colour of their own for targets, text has not."""
    if look is Look.HINTED:
        return STAR
    return TARGET if look is Look.TARGET and blanks is TEXT_BLANKS else plain


def text_board(
    match: Match, hint: Move | None = None, targets: frozenset[Square] = frozenset()
) -> str:
    """Return the board in emoji with coordinates, one line a row, the top row first.

    A `hint` is a move that is marked on it, as are `targets`.
    """
    grid = match.position.grid
    lines = [
        row_number(row[0].square.row) + "".join(cell.emoji for cell in row)
        for row in cells(match, blanks=TEXT_BLANKS, hint=hint, targets=targets)
    ]
    letters = ZERO_WIDTH.join(column_letter(column) for column in range(grid.columns))
    return "\n".join([*lines, CORNER + letters])
