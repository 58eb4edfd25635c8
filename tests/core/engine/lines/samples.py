"""Positions for the tests of line searches."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import TypeAlias

from core.engine.books.make.generator import Marks, undecided
from core.games.tictactoe.board import board
from core.games.tictactoe.position import MnkPosition
from core.views import LineBoard
from tests.core.boards import empty, wandered

FOUR_ON_FIVE = board(5, 5, 4, "classic").lines
FOUR_ON_SIX = board(6, 6, 4, "classic").lines
OPEN = 8

Shape: TypeAlias = tuple[int, int, int, str]
"""The rows, the columns, the line and the variant of a board."""


@cache
def unbooked(playing: LineBoard) -> LineBoard:
    """Return the same board without its name, and so without its book."""
    return replace(playing, label="")


@cache
def sampled(playing: LineBoard, marks: int, count: int) -> list[Marks]:
    """Return seeded positions with `marks` marks on any squares, in which nobody has a line."""
    rng = Random(marks)
    found = list[Marks]()
    while len(found) < count:
        chosen = [1 << i for i in rng.sample(range(playing.squares), marks)]
        pair = sum(chosen[1::2]), sum(chosen[0::2])
        if undecided(playing, pair):
            found.append(pair)
    return found


def late(shape: Shape, rng: Random) -> MnkPosition:
    """Return an unfinished position of random play with eight open squares."""
    while True:
        position = wandered(empty(*shape), shape[0] * shape[1] - OPEN, rng)
        if position.to_move is not None:
            return position
