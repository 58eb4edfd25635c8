"""The computer player's levels: how far each of them sees, and which are quick."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from random import Random
from typing import TypeAlias

from core.game import Game
from core.options import Options


class Level(StrEnum):
    """The computer's strength, weakest first; `levels_of` returns the levels of a board."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    STRONG = "strong"
    PERFECT = "perfect"


def levels_of(game: Game, options: Options) -> tuple[Level, ...]:
    """Return the levels for resolved `options`, weakest first.

    The best one is perfect on a board that is solved, strong on any other.
    """
    best = Level.PERFECT if game.solved(options) else Level.STRONG
    return (Level.EASY, Level.MEDIUM, Level.HARD, best)


@dataclass(frozen=True)
class Depth:
    """The plies that a level sees, and whether an evaluation decides among equally good moves."""

    plies: int
    positional: bool = False


# How far each level sees. It misses what lies further away.
_DEPTHS = {Level.EASY: Depth(1), Level.MEDIUM: Depth(2), Level.HARD: Depth(3, positional=True)}

Lots: TypeAlias = Mapping[Level, tuple[Depth, ...]]
"""The depths of each level; for every move, one of them is drawn by lot."""

# Easy sees nothing in two of five moves, its own wins alone in two, and what it must block in one.
_EASY = (*[Depth(0)] * 2, *[Depth(1)] * 2, Depth(2))

LINE_LOTS: Lots = {
    Level.EASY: _EASY,
    Level.MEDIUM: (*[Depth(1)] * 2, *[Depth(2)] * 4, Depth(2, positional=True)),
    Level.HARD: (*[Depth(2)] * 3, *[Depth(3, positional=True)] * 4),
}
"""The lots on small boards of lines, where an eye for good squares is worth more than a ply."""

SPANNING_LOTS: Lots = {
    Level.EASY: (*[Depth(0)] * 3, *[Depth(1)] * 2, Depth(2), Depth(1, positional=True)),
    Level.MEDIUM: (*[Depth(1)] * 3, *[Depth(2)] * 2, *[Depth(2, positional=True)] * 2),
    Level.HARD: (*[Depth(3, positional=True)] * 3, Depth(1)),
}
"""The lots where lines of four and more span the board, so that forks are rare.

Only an overlooked threat decides a game there, so hard overlooks some, too. Players without an eye
for good squares mostly draw with each other.
"""

SMALLEST_LOTS: Lots = {
    Level.EASY: _EASY,
    Level.MEDIUM: (*[Depth(1)] * 2, *[Depth(2)] * 3, Depth(2, positional=True)),
    Level.HARD: (*[Depth(2)] * 3, *[Depth(3, positional=True)] * 2),
}
"""The lots on 3x3, where one fork decides the game: hard sees those ahead in two of five moves."""

MISERE_LOTS: Lots = {
    Level.EASY: (Depth(0), *[Depth(1)] * 3),
    Level.MEDIUM: (Depth(2),),
    Level.HARD: (Depth(2), *[Depth(3, positional=True)] * 2),
}
"""The lots of line games in which the owner of a set loses."""

DROP_LOTS: Lots = {
    Level.EASY: _EASY,
    Level.MEDIUM: (Depth(2), Depth(3)),
    Level.HARD: (*[Depth(3)] * 2, Depth(3, positional=True)),
}
"""The lots where pieces fall."""


def depth_of(level: Level, rng: Random, lots: Lots | None) -> Depth | None:
    """Return how far a level sees for this move, None for as far as its budget goes.

    Without `lots` every move of a level sees equally far.
    """
    if lots is not None:
        return rng.choice(lots[level]) if level in lots else None
    return _DEPTHS.get(level)


class Greed(Enum):
    """A way of choosing a move in a territory game."""

    CARELESS = auto()  # any move but those that take most
    RASH = auto()  # of those that take most, one that leaves the seat worst off a ply later
    GREEDY = auto()  # any move that takes most
    WARY = auto()  # the best move if the next seat is greedy


_GREEDS = {Level.EASY: Greed.RASH, Level.MEDIUM: Greed.GREEDY, Level.HARD: Greed.WARY}
# The share of the easiest level's moves that are careless: taking the most squares plays too well.
_CARELESS = 0.5


def greed_of(level: Level, rng: Random) -> Greed | None:
    """Return how a level chooses this move in a territory game, None for by its search."""
    if level is Level.EASY and rng.random() < _CARELESS:
        return Greed.CARELESS
    return _GREEDS.get(level)


@dataclass(frozen=True)
class Eye:
    """The blind spots of a level on a large board of lines, where it looks at patterns alone.

    `win` is the chance, from 0 to 1, to overlook that it can complete a set, `block` the chance to
    overlook that the other side threatens to, and `attack` the chance to ignore everything that the
    other side builds. `variety` is the most that taste adds to the worth of a square.
    """

    win: float
    block: float
    attack: float
    variety: int


@dataclass(frozen=True)
class Casual:
    """The play of the levels below the best on a large board of lines: the eyes of easy and medium.

    `share`, from 0 to 1, is the part of hard's moves that it makes with the eye of medium.
    """

    easy: Eye
    medium: Eye
    share: float


CASUAL = Casual(
    Eye(win=0.3, block=0.45, attack=0.6, variety=70),
    Eye(win=0, block=0, attack=0.4, variety=18),
    share=1 / 2,
)
"""The play of the levels below the best on large boards."""

CASUAL_FOR_FOUR = Casual(
    Eye(win=0.45, block=0.75, attack=0.9, variety=120),
    Eye(win=0, block=0, attack=0.22, variety=18),
    share=1 / 3,
)
"""The same where sets of four decide: they come so soon that there is less to overlook."""

SHALLOW_PLIES = 2
"""The plies that hard searches on large boards, apart from wins by fours."""


@dataclass(frozen=True)
class Pace:
    """The most legal moves among which each level chooses in less than 5 ms.

    Among no more than `best`, an analysis with a line of play takes less than 10 ms. So `best` is 0
    where later positions of the line may have more moves.
    """

    easy: int
    medium: int
    hard: int
    best: int

    def quick_up_to(self, level: Level) -> int:
        """Return the most moves among which `level` chooses quickly."""
        moves = {Level.EASY: self.easy, Level.MEDIUM: self.medium, Level.HARD: self.hard}
        return moves.get(level, self.best)


LINES_PACE = Pace(easy=1_000, medium=1_000, hard=49, best=9)
"""The pace of line games."""

DROPS_PACE = Pace(easy=1_000, medium=1_000, hard=1, best=1)
"""The pace of games in which pieces fall."""

MISERE_PACE = Pace(easy=1_000, medium=1_000, hard=7, best=7)
"""The pace of line games in which the owner of a set loses: hard searches there."""

LOOPS_PACE = Pace(easy=1_000, medium=1_000, hard=1_000, best=1_000)
"""The pace of games that go in circles, by their tablebase."""

UNSOLVED_LOOPS_PACE = Pace(easy=1, medium=1, hard=1, best=0)
"""The same without a tablebase, which is made for the first move."""

TERRITORY_PACE = Pace(easy=1_000, medium=1_000, hard=9, best=0)
"""The pace of territory games, in which hard estimates the likely replies to each of its moves."""

GENERAL_PACE = Pace(easy=100, medium=1, hard=1, best=0)
"""The pace of games that only have their rules, at up to 50 microseconds a position."""
