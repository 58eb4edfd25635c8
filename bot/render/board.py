"""A match's board as a value, and the board as text in emoji.

A `Diagram` holds all that can be seen on a board. Every rendering (buttons, emoji) is a function of
it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

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
from core.grid import Move, Square
from core.marks import Mark
from core.match import Match
from core.position import Blank, Position

# Keycaps end at ten. Boards with more rows have two digits in every row.
_LAST_KEYCAP = 10


class Look(Enum):
    """How a square stands out."""

    PLAIN = "plain"
    LAST = "last"  # a move went here
    TAKEN = "taken"  # another seat's until a move took it
    DECIDING = "deciding"
    PICKED = "picked"
    TARGET = "target"
    HINTED = "hinted"


@dataclass(frozen=True)
class Cell:
    """One square: its mark or blank, and its look.

    `gain` is how many points a move here brings, None if it isn't shown.
    """

    square: Square
    content: Mark | Blank
    look: Look = Look.PLAIN
    gain: int | None = None


@dataclass(frozen=True)
class Diagram:
    """A board as it is shown: its rows of squares, the top one first."""

    rows: tuple[tuple[Cell, ...], ...]


def moves_men(match: Match) -> bool:
    """Return whether a move takes two presses: on a man, then on its target."""
    return any(move.origin is not None for move in match.position.legal_moves()[:1])


def news(match: Match) -> int:
    """Return the ply from which on moves are news to the player to move.

    Of two players that is the last move. Of more it is everything since their own last move.
    """
    last = max(0, match.ply - 1)
    if match.game.seats == 2 or match.to_move is None:
        return last
    own = (p for p in reversed(range(match.ply)) if match.positions[p].to_move == match.to_move)
    return min(last, next(own, -1) + 1)


def diagram(
    match: Match,
    pick: Square | None = None,
    hint: Move | None = None,
    gains: Mapping[Move, int | None] | None = None,
) -> Diagram:
    """Return the board of a match as it is now.

    `pick` is the square of a man that is picked up, `hint` a move to mark. `gains` are legal moves
    to mark, with the points that each of them brings, None in a game without points.
    """
    position, gains = match.position, gains or {}
    grid = position.grid
    looks = _looks(match, pick) | {move.to: Look.TARGET for move in gains}
    if hint is not None:
        looks |= {hint.to: Look.HINTED} | ({hint.origin: Look.PICKED} if hint.origin else {})
    by_square = {move.to: gain for move, gain in gains.items()}

    def cell(square: Square) -> Cell:
        look = looks.get(square, Look.PLAIN)
        return Cell(square, _shown(position, square), look, by_square.get(square))

    starts = reversed(range(0, len(grid.squares), grid.columns))
    return Diagram(tuple(tuple(map(cell, grid.squares[at : at + grid.columns])) for at in starts))


def _looks(match: Match, pick: Square | None) -> dict[Square, Look]:
    """Return the squares that stand out, and how."""
    if match.outcome and match.outcome.squares:
        return dict.fromkeys(match.outcome.squares, Look.DECIDING)
    if pick is not None:
        targets = (move.to for move in match.position.legal_moves() if move.origin == pick)
        return dict.fromkeys(targets, Look.TARGET) | {pick: Look.PICKED}
    return _changed(match)


def _changed(match: Match) -> dict[Square, Look]:
    """Return the squares that the moves that are news have marked, and how they stand out."""
    since = news(match)
    before, after = match.positions[since], match.position
    placed = {move.to for move in match.moves[since:]}
    return {
        square: Look.LAST if square in placed else Look.TAKEN
        for square in after.grid.squares
        if isinstance(shown := _shown(after, square), Mark) and shown != _shown(before, square)
    }


def _shown(position: Position, square: Square) -> Mark | Blank:
    content = position.content(square)
    return content if isinstance(content, Blank) else position.marks[content]


def text_board(
    match: Match, hint: Move | None = None, gains: Mapping[Move, int | None] | None = None
) -> str:
    """Return the board of a match in emoji; `hint` and `gains` are as for `diagram`."""
    return in_emoji(diagram(match, hint=hint, gains=gains))


def in_emoji(board: Diagram) -> str:
    """Return a board in emoji with coordinates, a line for each row."""
    digits = len(str(len(board.rows))) if len(board.rows) > _LAST_KEYCAP else 1
    lines = [
        row_number(row[0].square.row, digits) + "".join(map(_emoji, row)) for row in board.rows
    ]
    letters = ZERO_WIDTH.join(column_letter(cell.square.column) for cell in board.rows[0])
    return "\n".join([*lines, CORNER * digits + letters])


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
