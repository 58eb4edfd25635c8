"""The computer player that comes with the text of Nine Holes, as an opponent.

A random move among those that win; else among those that land on a hole where the opponent could
win next; else among those that bring a man from home; else any.
"""

from collections.abc import Sequence
from random import Random

from core.games.nineholes.board import GRID, HOMES
from core.grid import Move
from core.position import Position
from tests.strength.contest import threatened, wins


def seed_player(positions: Sequence[Position], rng: Random) -> Move:
    """Choose as the text's player does."""
    position = positions[-1]
    moves, seat = position.legal_moves(), position.to_move
    assert seat is not None, "only asked while the game goes on"
    squares = threatened(position)
    steps = (
        [move for move in moves if wins(position, move)],
        [move for move in moves if move.to in squares],
        [move for move in moves if move.origin and HOMES[seat] >> GRID.index(move.origin) & 1],
        list(moves),
    )
    return rng.choice(next(step for step in steps if step))
