"""A match's board: cells for its buttons, and the board as text."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bot.render.emoji import (
    BUTTON_BLANKS,
    CORNER,
    MARKS,
    STAR,
    TEXT_BLANKS,
    ZERO_WIDTH,
    column_letter,
    row_number,
)
from core.grid import Move, Square
from core.marks import Mark
from core.match import Match
from core.position import Blank


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
    """Return whether a move takes two presses: on a man, then on its target."""
    return any(move.origin is not None for move in match.position.legal_moves()[:1])


def cells(
    match: Match,
    pick: Square | None = None,
    blanks: Mapping[Blank, str] = BUTTON_BLANKS,
    hint: Move | None = None,
    targets: Mapping[Square, str] | None = None,
) -> list[list[Cell]]:
    """Return the board's rows, the top one first.

    `pick` is the square of a man that is picked up, `hint` a move to mark. `targets` are squares to
    mark, with the emoji that each of them shows if it is empty.
    """
    grid = match.position.grid
    targets, marks = targets or {}, match.position.marks
    contents = {square: match.position.content(square) for square in grid.squares}
    shown = {s: c if isinstance(c, Blank) else marks[c] for s, c in contents.items()}
    looks = _looks(match, pick) | dict.fromkeys(targets, Look.TARGET)
    if hint is not None:
        looks |= {hint.to: Look.HINTED} | ({hint.origin: Look.PICKED} if hint.origin else {})
    return [
        [
            _cell(square, shown[square], looks.get(square, Look.PLAIN), blanks, targets.get(square))
            for square in grid.squares[start : start + grid.columns]
        ]
        for start in reversed(range(0, len(grid.squares), grid.columns))
    ]


def _looks(match: Match, pick: Square | None) -> dict[Square, Look]:
    """Return the squares that stand out, and how."""
    if match.outcome and match.outcome.squares:
        return dict.fromkeys(match.outcome.squares, Look.DECIDING)
    looks = dict.fromkeys(_gained(match), Look.LAST)
    if pick is not None:
        targets = (move.to for move in match.position.legal_moves() if move.origin == pick)
        looks |= dict.fromkeys(targets, Look.TARGET) | {pick: Look.PICKED}
    return looks


def _gained(match: Match) -> list[Square]:
    """Return the squares that the last move gained: its target, and those captured."""
    if not match.moves:
        return []
    before, after = match.positions[-2:]
    mover, squares = before.to_move, after.grid.squares
    return [s for s in squares if after.content(s) == mover and before.content(s) != mover]


def _cell(
    square: Square, shown: Mark | Blank, look: Look, blanks: Mapping[Blank, str], target: str | None
) -> Cell:
    if isinstance(shown, Blank):
        plain = STAR if look is Look.HINTED else blanks[shown]
        return Cell(square, target or plain, look)
    mark = MARKS[shown.shape]
    return Cell(square, mark.plain if look is Look.PLAIN else mark.bright, look)


def text_board(
    match: Match, hint: Move | None = None, targets: Mapping[Square, str] | None = None
) -> str:
    """Return the board in emoji with coordinates, a line for each row, the top row first.

    `hint` and `targets` are as for `cells`.
    """
    grid = match.position.grid
    lines = [
        row_number(row[0].square.row) + "".join(cell.emoji for cell in row)
        for row in cells(match, blanks=TEXT_BLANKS, hint=hint, targets=targets)
    ]
    letters = ZERO_WIDTH.join(column_letter(column) for column in range(grid.columns))
    return "\n".join([*lines, CORNER + letters])
