"""A match at one of its plies as a frame: the board with coordinates, and the lines below it.

The players' names are the only words, so that it needs no translation. Below the board there is a
line for each player, with an arrow at the player to move and the points at the end, and a line with
the last move.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from PIL.Image import Image

from bot.pictures.captions import HEIGHT, Caption, caption
from bot.pictures.style import DIM
from bot.pictures.tiles import Look, drawn, panel, tile, write
from core.grid import Grid, Square
from core.marks import Mark
from core.match import Match
from core.outcome import Result
from core.position import Blank, Position, Scored

# Pixels: the longer side of the board, the largest square, the strip of coordinates, the margin.
_BOARD = 480
_LARGEST_SQUARE = 84
_COORDINATES = 24
_EDGE = 10

_POINTS = {Result.WIN: "1", Result.DRAW: "½", Result.LOSS: "0"}

# What is pasted on a square: its content, and how it stands out.
_Piece = tuple[Mark | Blank, Look]


class Frames:
    """The frames of one match; `names` holds any text per seat."""

    def __init__(self, match: Match, names: Sequence[str]):
        self._match = match
        self._names = names
        self._grid = match.initial.grid
        self._side = _side(self._grid)

    def __iter__(self) -> Iterator[Image]:
        """Yield a frame per position, each a copy of the one before with the changes pasted in."""
        frame = _empty(self._grid, self._match.game.seats + 1)
        shown: dict[Square, _Piece] = {}
        for ply in range(self._match.ply + 1):
            frame = frame.copy()
            self._paint(frame, ply, shown)
            yield frame

    def at(self, ply: int) -> Image:
        """Return the frame after `ply` plies."""
        frame = _empty(self._grid, self._match.game.seats + 1).copy()
        self._paint(frame, ply, {})
        return frame

    def _paint(self, frame: Image, ply: int, shown: dict[Square, _Piece]) -> None:
        """Paste in the position after `ply` plies where it differs from what is `shown`."""
        for square, piece in self._pieces(ply).items():
            if shown.get(square) != piece:
                frame.paste(_tile(self._side, *piece), _corner(self._grid, square))
                shown[square] = piece
        for number, line in enumerate(self._captions(ply)):
            top = _below_board(self._grid) + number * HEIGHT
            frame.paste(caption(line, frame.width - 2 * _EDGE), (_EDGE, top))

    def _pieces(self, ply: int) -> Mapping[Square, _Piece]:
        position, looks = self._match.positions[ply], self._looks(ply)
        contents = {square: position.content(square) for square in self._grid.squares}
        return {
            square: (
                content if isinstance(content, Blank) else position.marks[content],
                looks.get(square, Look.PLAIN),
            )
            for square, content in contents.items()
        }

    def _looks(self, ply: int) -> dict[Square, Look]:
        """Return the squares that stand out after `ply` plies, and how."""
        outcome = self._match.outcome
        if ply == self._match.ply and outcome and outcome.squares:
            return dict.fromkeys(outcome.squares, Look.DECIDING)
        if ply == 0:
            return {}
        before, after = self._match.positions[ply - 1 : ply + 1]
        looks = dict.fromkeys(_changes(self._grid, before, after), Look.CHANGED)
        return looks | {self._match.moves[ply - 1].to: Look.LAST}

    def _captions(self, ply: int) -> Iterator[Caption]:
        """Yield the lines below the board after `ply` plies."""
        match, position = self._match, self._match.positions[ply]
        outcome = match.outcome if ply == match.ply else None
        results = [outcome.result(s) for s in range(match.game.seats)] if outcome else []
        points = [_POINTS[result] for result in results]
        if isinstance(position, Scored):
            points = [str(score) for score in position.scores()]
        gone = {withdrawal.seat for withdrawal in match.withdrawals if withdrawal.ply <= ply}
        for seat, mark in enumerate(position.marks):
            yield Caption(
                self._names[seat],
                mark,
                points=points[seat] if points else "",
                to_move=outcome is None and seat == position.to_move,
                left=seat in gone,
                won=bool(results) and results[seat] is Result.WIN,
            )
        yield Caption(f"{ply}. {match.moves[ply - 1]}" if ply else "")


def _side(grid: Grid) -> int:
    """Return the pixels of a square's side."""
    return min(_LARGEST_SQUARE, _BOARD // max(grid.columns, grid.rows))


def _corner(grid: Grid, square: Square) -> tuple[int, int]:
    """Return the upper left pixel of a square."""
    side, from_top = _side(grid), grid.rows - 1 - square.row
    return _EDGE + _COORDINATES + square.column * side, _EDGE + from_top * side


def _below_board(grid: Grid) -> int:
    return _EDGE + grid.rows * _side(grid) + _COORDINATES


@lru_cache(maxsize=16)
def _empty(grid: Grid, lines: int) -> Image:
    """Return a frame that has only the coordinates, and room for `lines` below the board."""
    side = _side(grid)
    width = _COORDINATES + grid.columns * side + 2 * _EDGE
    frame = panel((width, _below_board(grid) + lines * HEIGHT + _EDGE))
    for column in range(grid.columns):
        letter = str(Square(column, 0))[0]
        left, top = _corner(grid, Square(column, 0))
        frame.paste(_coordinate(letter, side, _COORDINATES), (left, top + side))
    for row in range(grid.rows):
        _, top = _corner(grid, Square(0, row))
        frame.paste(_coordinate(str(row + 1), _COORDINATES, side), (_EDGE, top))
    return frame


def _changes(grid: Grid, before: Position, after: Position) -> Iterator[Square]:
    return (s for s in grid.squares if before.content(s) != after.content(s))


def _coordinate(text: str, width: int, height: int) -> Image:
    return drawn((width, height), lambda pen: write(pen, text, (width / 2, height / 2), 14, DIM))


# Boards are drawn again and again, from few kinds of squares.
_tile = lru_cache(maxsize=256)(tile)
