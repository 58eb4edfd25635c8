"""Legal moves in groups and pages, and what each brings."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from core.grid import SWAP, Move
from core.position import Position, Scored

# https://discord.com/developers/docs/components/reference#string-select
MAX_OPTIONS = 25

T = TypeVar("T")


def on_squares(moves: Iterable[Move]) -> list[Move]:
    """Return the `moves` that go to a square: all but the swap, which has a button of its own."""
    return [move for move in moves if move != SWAP]


def grouped(moves: Iterable[Move]) -> dict[str, list[Move]]:
    """Return `moves` by their row, or by the square that they come from, in order."""
    found: dict[str, list[Move]] = {}
    for move in on_squares(moves):
        key = str(move.origin) if move.origin else str(move.to.row + 1)
        found.setdefault(key, []).append(move)
    return found


def paged(entries: Sequence[T]) -> list[Sequence[T]]:
    """Return `entries` in parts that fit into a menu, none where there are none."""
    return [entries[at : at + MAX_OPTIONS] for at in range(0, len(entries), MAX_OPTIONS)]


def has_page(moves: Sequence[Move], group: str, page: int) -> bool:
    """Return whether there is such a page of a group; without a `group`, of the groups."""
    groups = grouped(moves)
    entries = groups.get(group, ()) if group else tuple(groups)
    return page < len(paged(entries))


def gain(position: Position, move: Move) -> int | None:
    """Return by how many points a legal move brings its player on, None in games without points."""
    seat = position.to_move
    if seat is None or not isinstance(position, Scored):
        return None
    after = position.play(move)
    assert isinstance(after, Scored), "points are counted in all positions of a game"
    return after.scores()[seat] - position.scores()[seat]
