"""A match's board as a value: what stands on each square, and which squares stand out.

A `Diagram` holds all that can be seen on a board. Every rendering (buttons, emoji, pictures) is a
function of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from core.grid import Grid, Move, Square
from core.marks import Mark
from core.match.match import Match
from core.position import Blank, Position

Gains: TypeAlias = Mapping[Move, int | None]
"""Legal moves, with the points that each of them brings; None in a game without points."""

Shown: TypeAlias = list[Mark | Blank]
"""The mark or the blank on each square, in the order of the grid."""


class Look(Enum):
    """How a square stands out."""

    PLAIN = "plain"
    LAST = "last"  # a move went here
    TAKEN = "taken"  # another seat's until a move took it
    CHANGED = "changed"  # a move emptied or closed it
    DECIDING = "deciding"
    PICKED = "picked"
    TARGET = "target"
    HINTED = "hinted"


class Cell(NamedTuple):
    """One square: its mark or blank, and its look.

    `gain` is how many points a move here brings, None if it isn't shown.
    """

    square: Square
    content: Mark | Blank
    look: Look = Look.PLAIN
    gain: int | None = None


Diagram: TypeAlias = Sequence[Sequence[Cell]]
"""A board as it is shown: its rows of squares, the top one first."""


def moves_men(match: Match) -> bool:
    """Return whether a move takes two presses: on a man, then on its target."""
    return any(move.origin is not None for move in match.position.legal_moves()[:1])


def news(match: Match) -> int:
    """Return the ply of the first move that is news to the player to move.

    News are all moves since that player's own last move, and always the last move. At the end of a
    match, only the last move is news.
    """
    last = max(0, match.ply - 1)
    if match.to_move is None:
        return last
    own = (p for p in reversed(range(match.ply)) if match.positions[p].to_move == match.to_move)
    return min(last, next(own, -1) + 1)


def diagram(
    match: Match, pick: Square | None = None, hint: Move | None = None, gains: Gains | None = None
) -> Diagram:
    """Return the board of a match as it is now.

    `pick` is the square of a man that is picked up, `hint` a move to mark, and `gains` are legal
    moves to mark, with the points that each brings.
    """
    position = match.position
    shown = _shown(position)
    counted = {position.landing(move): gain for move, gain in (gains or {}).items()}
    looks = _looks(match, shown, pick) | dict.fromkeys(counted, Look.TARGET)
    if hint is not None:
        picked = {hint.origin: Look.PICKED} if hint.origin else {}
        looks |= {position.landing(hint): Look.HINTED} | picked
    return _drawn(position.grid, shown, looks, counted)


def film(match: Match) -> Iterator[Diagram]:
    """Yield the board at the start of a match and after each move, with what the move changed.

    If the match has ended, the last board shows the deciding squares instead, if there are any.
    """
    for ply in range(match.ply + 1):
        shown = _shown(match.positions[ply])
        ended = ply == match.ply and match.outcome is not None
        looks = _looks(match, shown) if ended else _changed(match, shown, max(0, ply - 1), ply)
        yield _drawn(match.position.grid, shown, looks, {})


def _drawn(
    grid: Grid, shown: Shown, looks: Mapping[Square, Look], gains: Mapping[Square, int | None]
) -> Diagram:
    cells = [
        Cell(square, content, looks.get(square, Look.PLAIN), gains.get(square))
        for square, content in zip(grid.squares, shown, strict=True)
    ]
    starts = reversed(range(0, len(cells), grid.columns))
    return [cells[at : at + grid.columns] for at in starts]


def _looks(match: Match, shown: Shown, pick: Square | None = None) -> dict[Square, Look]:
    """Return the squares that stand out in a match as it is now, and how."""
    if match.outcome and match.outcome.squares:
        return dict.fromkeys(match.outcome.squares, Look.DECIDING)
    if pick is not None:
        targets = (move.to for move in match.position.legal_moves() if move.origin == pick)
        return dict.fromkeys(targets, Look.TARGET) | {pick: Look.PICKED}
    return _changed(match, shown, news(match), match.ply)


def _changed(match: Match, shown: Shown, since: int, until: int) -> dict[Square, Look]:
    """Return the squares that the moves from ply `since` to ply `until` changed, with their looks.

    `shown` is the board at `until`.
    """
    placed = {match.positions[ply].landing(match.moves[ply]) for ply in range(since, until)}
    former = _shown(match.positions[since])
    squares = zip(match.position.grid.squares, former, shown, strict=True)
    return {
        square: _changed_look(after, placed=square in placed)
        for square, before, after in squares
        if after != before
    }


def _changed_look(shown: Mark | Blank, *, placed: bool) -> Look:
    if isinstance(shown, Blank):
        return Look.CHANGED
    return Look.LAST if placed else Look.TAKEN


def _shown(position: Position) -> Shown:
    marks = position.marks
    return [marks[one] if isinstance(one, int) else one for one in position.contents()]
