"""The computer player's levels, and how far each of them sees."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from core.game import Game
from core.options import Options


class Level(StrEnum):
    """How well the computer plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    PERFECT = "perfect"
    STRONG = "strong"


def levels_of(game: Game, options: Options) -> tuple[Level, ...]:
    """Return the levels for resolved `options`, weakest first: the last is perfect where it can be.

    Where a board is too large to be solved it is strong instead.
    """
    best = Level.PERFECT if game.solved(options) else Level.STRONG
    return (Level.EASY, Level.MEDIUM, Level.HARD, best)


@dataclass(frozen=True)
class Sight:
    """How far a level sees, and whether it has an eye for good squares beyond that."""

    plies: int
    eager: bool = False


# A level weakens by missing plans: what happens later than this many plies from now.
_SIGHTS = {Level.EASY: Sight(1), Level.MEDIUM: Sight(2), Level.HARD: Sight(3, eager=True)}
# Where squares are taken, who takes most is good company already: the easiest level sees nothing
# every other time.
_CARELESS = 0.5

# With so few moves to choose from every search is over at once, and what a level sees is seen.
_SEARCHING = 9
_AT_A_GLANCE = {Level.EASY: 1_000, Level.MEDIUM: 1_000, Level.HARD: 49}
# Where squares are taken every reply has replies of its own, and estimates of them.
_TAKING = {**_AT_A_GLANCE, Level.HARD: 9}


def sight(level: Level, rng: Random, *, taking: bool) -> Sight | None:
    """Return how far a level sees this time, None for to the end; `taking` where squares are."""
    if taking and level is Level.EASY and rng.random() < _CARELESS:
        return Sight(0)
    return _SIGHTS.get(level)


def at_a_glance(level: Level, *, taking: bool) -> int:
    """Return among how many moves a level can choose in less than 5 ms."""
    if taking:
        return _TAKING.get(level, 1)
    return _AT_A_GLANCE.get(level, _SEARCHING)
