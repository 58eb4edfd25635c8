"""A match as an animated GIF: the start, then one frame per ply, the last frame longer.

The players' names are its only words, so that it needs no translation. Below the board there is a
line for each player, with an arrow at the player to move and the points at the end, and a line with
the last move.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO

from PIL.Image import Image

from bot.pictures.captions import HEIGHT, Caption, caption
from bot.pictures.style import DIM
from bot.pictures.tiles import Look, drawn, tile, write
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

# Milliseconds: all plies together, one ply at most and at least, and the last frame.
_ALL_PLIES = 30_000
_SLOWEST, _FASTEST = 1_000, 300
_LAST_FRAME = 4_000

_POINTS = {Result.WIN: "1", Result.DRAW: "½", Result.LOSS: "0"}


def animate(match: Match, names: Sequence[str]) -> bytes:
    """Return `match` as a GIF that loops for ever; `names` holds any text per seat."""
    frames = _Film(match, names).frames()
    each = min(_SLOWEST, max(_FASTEST, _ALL_PLIES // max(1, match.ply)))
    durations = [each] * match.ply + [_LAST_FRAME]
    file = BytesIO()
    # Frames are made one at a time: all those of a large board together would take 30 MB.
    next(frames).save(file, "GIF", save_all=True, append_images=frames, duration=durations, loop=0)
    return file.getvalue()


def still(match: Match, names: Sequence[str]) -> bytes:
    """Return `match` as it stands as a PNG; `names` is as for `animate`."""
    *_, last = _Film(match, names).frames()
    file = BytesIO()
    last.save(file, "PNG", optimize=True)
    return file.getvalue()


class _Film:
    """The frames of one match, and the pictures of squares that they share."""

    def __init__(self, match: Match, names: Sequence[str]):
        self._match = match
        self._names = names
        self._grid = match.initial.grid
        self._side = min(_LARGEST_SQUARE, _BOARD // max(self._grid.columns, self._grid.rows))
        self._tiles: dict[tuple[Mark | Blank, Look], Image] = {}

    def frames(self) -> Iterator[Image]:
        """Yield a frame per position, each a copy of the one before with the changes pasted in."""
        frame = self._empty()
        shown: dict[Square, tuple[Mark | Blank, Look]] = {}
        for ply, position in enumerate(self._match.positions):
            frame = frame.copy()
            looks, marks = self._looks(ply), position.marks
            for square in self._grid.squares:
                content = position.content(square)
                mark = content if isinstance(content, Blank) else marks[content]
                piece = (mark, looks.get(square, Look.PLAIN))
                if shown.get(square) != piece:
                    frame.paste(self._tile(*piece), self._corner(square))
                    shown[square] = piece
            for number, line in enumerate(self._captions(ply)):
                top = self._below_board + number * HEIGHT
                frame.paste(caption(line, frame.width - 2 * _EDGE), (_EDGE, top))
            yield frame

    @property
    def _below_board(self) -> int:
        return _EDGE + self._grid.rows * self._side + _COORDINATES

    def _corner(self, square: Square) -> tuple[int, int]:
        """Return the upper left pixel of a square."""
        from_top = self._grid.rows - 1 - square.row
        return _EDGE + _COORDINATES + square.column * self._side, _EDGE + from_top * self._side

    def _empty(self) -> Image:
        """Return a frame that has only the coordinates."""
        width = _COORDINATES + self._grid.columns * self._side + 2 * _EDGE
        lines = self._match.game.seats + 1
        frame = drawn((width, self._below_board + lines * HEIGHT + _EDGE), lambda _: None)
        for column in range(self._grid.columns):
            letter = str(Square(column, 0))[0]
            left, top = self._corner(Square(column, 0))
            frame.paste(_coordinate(letter, self._side, _COORDINATES), (left, top + self._side))
        for row in range(self._grid.rows):
            _, top = self._corner(Square(0, row))
            frame.paste(_coordinate(str(row + 1), _COORDINATES, self._side), (_EDGE, top))
        return frame

    def _tile(self, content: Mark | Blank, look: Look) -> Image:
        """Return the picture of a square."""
        known = self._tiles.get((content, look))
        if known is None:
            known = tile(self._side, content, look)
            self._tiles[content, look] = known
        return known

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


def _changes(grid: Grid, before: Position, after: Position) -> Iterator[Square]:
    return (s for s in grid.squares if before.content(s) != after.content(s))


def _coordinate(text: str, width: int, height: int) -> Image:
    return drawn((width, height), lambda pen: write(pen, text, (width / 2, height / 2), 14, DIM))
