"""Positions of four in a row for the tests of line searches."""

from functools import cache
from random import Random

from core.engine.books.make.generator import Marks, undecided
from core.games.tictactoe.board import board
from core.views import LineBoard

FOUR_ON_FIVE = board(5, 5, 4, "classic").lines
FOUR_ON_SIX = board(6, 6, 4, "classic").lines


@cache
def sampled(playing: LineBoard, marks: int, count: int) -> list[Marks]:
    """Return seeded positions with `marks` marks on any squares, in which nobody has a line."""
    rng, found = Random(marks), list[Marks]()
    while len(found) < count:
        chosen = [1 << i for i in rng.sample(range(playing.squares), marks)]
        pair = sum(chosen[1::2]), sum(chosen[0::2])
        if undecided(playing, pair):
            found.append(pair)
    return found
