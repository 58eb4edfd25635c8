"""A match as a picture, and as an animation: frames of the board, and the lines below it.

The players' names are the only words, so that it needs no translation. Below the board there is a
line for each player, with an arrow at the player to move and the points of games that have them,
and a line with the last move. The end of an animation also has the points for the result, which a
picture leaves to the message around it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import chain

from PIL.Image import Image

from bot.pictures.canvas import drawn, panel, write
from bot.pictures.captions import HEIGHT, Caption, caption
from bot.pictures.colours import DIM
from bot.pictures.tiles import tile
from core.grid import Grid, Move, Square
from core.match import Match
from core.match.diagram import Cell, Diagram, Gains, diagram, film
from core.outcome import Result

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
    frames = iter(Frames(match, names, results=True))
    each = min(_SLOWEST, max(_FASTEST, _ALL_PLIES // max(1, match.ply)))
    durations = [each] * match.ply + [_LAST_FRAME]
    file = BytesIO()
    # Frames are made one at a time: all frames of a large board together would take 30 MB.
    next(frames).save(file, "GIF", save_all=True, append_images=frames, duration=durations, loop=0)
    return file.getvalue()


def draw_board(
    match: Match, names: Sequence[str], hint: Move | None = None, gains: Gains | None = None
) -> bytes:
    """Return `match` as it stands, as a PNG; `names` holds any text per seat.

    `hint` and `gains` are marked as `core.match.diagram` says.
    """
    file = BytesIO()
    # Not by `png`, which takes 5 to 15 ms more for a file a sixth smaller: a turn waits for this.
    Frames(match, names, results=False).last(hint, gains).save(file, "PNG")
    return file.getvalue()


class Frames:
    """The frames of one match; `names` holds any text per seat.

    `results` says whether the end has the points that each player gets for it.
    """

    def __init__(self, match: Match, names: Sequence[str], *, results: bool):
        self._match = match
        self._names = names
        self._results = results
        self._grid = match.initial.grid
        self._side = _side(self._grid)

    def __iter__(self) -> Iterator[Image]:
        """Yield a frame per position, each a copy of the one before with the changes pasted in."""
        frame = _empty(self._grid, self._match.game.seats + 1)
        shown: dict[Square, Cell] = {}
        for ply, board in enumerate(film(self._match)):
            frame = frame.copy()
            self._paint(frame, board, ply, shown)
            yield frame

    def last(self, hint: Move | None, gains: Gains | None) -> Image:
        """Return the match as it stands, with a hint or legal moves marked."""
        frame = _empty(self._grid, self._match.game.seats + 1).copy()
        board = diagram(self._match, hint=hint, gains=gains)
        self._paint(frame, board, self._match.ply, {})
        return frame

    def _paint(self, frame: Image, board: Diagram, ply: int, shown: dict[Square, Cell]) -> None:
        """Paste in the board after `ply` plies where it differs from what is `shown`."""
        for cell in chain.from_iterable(board):
            if shown.get(cell.square) != cell:
                drawn_once = tile(self._side, cell.content, cell.look, cell.gain)
                frame.paste(drawn_once, _corner(self._grid, cell.square))
                shown[cell.square] = cell
        for number, line in enumerate(self._captions(ply)):
            top = _below_board(self._grid) + number * HEIGHT
            frame.paste(caption(line, frame.width - 2 * _EDGE), (_EDGE, top))

    def _captions(self, ply: int) -> Iterator[Caption]:
        """Yield the lines below the board after `ply` plies."""
        match, position = self._match, self._match.positions[ply]
        outcome = match.outcome if ply == match.ply else None
        seats = range(match.game.seats)
        reached = [outcome.result(s) for s in seats] if outcome and outcome.has_result else []
        shown = [_POINTS[result] for result in reached] if self._results else []
        if (scores := position.scores()) is not None:
            shown = [str(score) for score in scores]
        gone = {withdrawal.seat for withdrawal in match.withdrawals if withdrawal.ply <= ply}
        for seat, mark in enumerate(position.marks):
            yield Caption(
                self._names[seat],
                mark,
                points=shown[seat] if shown else "",
                to_move=outcome is None and seat == position.to_move,
                left=seat in gone,
                won=bool(reached) and reached[seat] is Result.WIN,
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


def _coordinate(text: str, width: int, height: int) -> Image:
    return drawn((width, height), lambda pen: write(pen, text, (width / 2, height / 2), 14, DIM))
