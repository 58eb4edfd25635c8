"""The matchups that measure strength, each with its bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.engine.levels import Level, levels_of
from core.game import Game
from core.options import Options
from tests.core.boards import NINE_HOLES, TICTACTOE, TRIBOLO
from tests.strength.contest import Chooser, Tally, at_random, computer, one_ply, play_games
from tests.strength.seed_player import seed_player
from tests.strength.yardstick import yardstick

GAMES = 300
SEED = 3

OPPONENTS: dict[str, Chooser] = {
    "random": at_random,
    "one-ply": one_ply,
    "seed's": seed_player,
    "two greedy": computer(Level.MEDIUM),
    "two hard": computer(Level.HARD),
    "depth 2": yardstick(2),
    "depth 4": yardstick(4),
    **{str(level): computer(level) for level in (Level.EASY, Level.MEDIUM, Level.HARD)},
}


@dataclass(frozen=True)
class Matchup:
    """A level against an opponent, and the shares of games that bound the result, 0 to 1.

    The level BEST stands for the strongest that the board has, perfect or strong.
    """

    options: Options
    level: Level
    opponent: str
    wins_at_least: float = 0.0
    wins_at_most: float = 1.0
    loses_at_least: float = 0.0
    loses_at_most: float = 1.0
    game: Game = TICTACTOE
    games: int = GAMES
    opening: int = 0

    def __str__(self) -> str:
        return f"{self.board}: {self.level} against {self.opponent}"

    @property
    def board(self) -> str:
        """The board or variant, in words."""
        full = self.game.resolve(self.options)
        if self.game is not TICTACTOE:
            return " ".join(map(str, (self.game.key, *full.values())))
        name = "{rows}x{columns} line {line}".format(**full)
        return name if full["variant"] == "classic" else f"{name} {full['variant']}"

    @property
    def bound(self) -> str:
        """The bounds, in words."""
        said = {
            f"wins ≥ {self.wins_at_least:.0%}": self.wins_at_least > 0,
            f"wins ≤ {self.wins_at_most:.0%}": self.wins_at_most < 1,
            f"loses ≥ {self.loses_at_least:.0%}": self.loses_at_least > 0,
            f"loses ≤ {self.loses_at_most:.0%}": 0 < self.loses_at_most < 1,
            "never loses": self.loses_at_most == 0,
        }
        return ", ".join(words for words, applies in said.items() if applies)

    def play(self) -> Tally:
        """Play its games, the level at each seat in turn."""
        full = self.game.resolve(self.options)
        level = levels_of(self.game, full)[-1] if self.level is BEST else self.level
        return play_games(
            self.game,
            full,
            computer(level),
            OPPONENTS[self.opponent],
            self.games,
            SEED,
            self.opening,
        )

    def holds(self, tally: Tally) -> bool:
        """Return whether `tally` is within the bounds."""
        return (
            self.wins_at_least * tally.games <= tally.won <= self.wins_at_most * tally.games
            and self.loses_at_least * tally.games <= tally.lost
            and tally.lost <= self.loses_at_most * tally.games
        )


BEST = Level.PERFECT
_3X3: Options = {"rows": 3}
_LONG: tuple[Options, ...] = ({"rows": 4}, {"rows": 5})
_6X6 = {"rows": 6, "line": 3}


# Longer games are played less often. The standard error of 100 games is five in a hundred, so the
# closer a result is to its bound, the more games it needs.
_SIZES = ("small", "medium", "full")
_MOST, _OFTEN, _RARELY = (6000, 3000, 300), (1500, 600, 204), (600, 204, 102)


def _of_three(
    level: Level,
    opponent: str,
    games: Sequence[int],
    at_least: Sequence[float] = (),
    at_most: Sequence[float] = (),
) -> list[Matchup]:
    """Return a level's matchups at Tribolo, with bounds for small, medium and full boards."""
    shares = zip_longest(_SIZES, games, at_least, at_most)
    return [
        Matchup({"size": size}, level, opponent, low or 0.0, high or 1.0, game=TRIBOLO, games=often)
        for size, often, low, high in shares
    ]


def _large(rows: int, opponent: str, wins: float, loses: float) -> Matchup:
    """Return the best level's matchup at five in a row, after three random marks."""
    options = {"rows": rows, "line": 5}
    return Matchup(options, BEST, opponent, wins, loses_at_most=loses, games=100, opening=3)


_FAMILIES: tuple[Options, ...] = (
    {"rows": 10, "line": 5},
    {"rows": 9, "line": 5, "variant": "torus"},
    {"rows": 8, "line": 5},
    {"rows": 7, "line": 4},
    {"rows": 6, "line": 5},
    {"rows": 5, "line": 4},
    {"rows": 5, "line": 4, "variant": "torus"},
    {"rows": 5, "line": 4, "variant": "corners"},
    *_LONG,
    {"rows": 4, "line": 3},
    _3X3,
    {"rows": 5, "line": 4, "variant": "misere"},
    {"rows": 4, "line": 3, "variant": "misere"},
)


def _beside(level: Level, below: str) -> list[Matchup]:
    """Return a level's matchups against the one below, after two random marks."""
    return [
        Matchup(board, level, below, loses_at_most=0.45, games=100, opening=2)
        for board in _FAMILIES
    ]


MATCHUPS = (
    Matchup(_3X3, Level.EASY, "random", loses_at_least=0.20),
    Matchup(_3X3, BEST, "random", loses_at_most=0),
    Matchup(_3X3, Level.HARD, "one-ply", wins_at_least=0.35),
    Matchup(_3X3, BEST, "one-ply", wins_at_least=0.50, loses_at_most=0),
    *(Matchup(board, Level.HARD, "random", wins_at_least=0.85) for board in _LONG),
    *(Matchup(board, BEST, "random", wins_at_least=0.93, loses_at_most=0) for board in _LONG),
    *(Matchup(board, BEST, "one-ply", loses_at_most=0) for board in _LONG),
    Matchup(_6X6, Level.HARD, "random", wins_at_least=0.98),
    Matchup(_6X6, Level.HARD, "one-ply", wins_at_least=0.80),
    Matchup({}, Level.MEDIUM, "random", wins_at_least=0.97, game=NINE_HOLES),
    Matchup({}, Level.EASY, "seed's", wins_at_least=0.10, wins_at_most=0.30, game=NINE_HOLES),
    Matchup({}, Level.HARD, "seed's", wins_at_least=0.85, game=NINE_HOLES),
    Matchup({}, BEST, "seed's", wins_at_least=1.0, game=NINE_HOLES),
    *_beside(Level.EASY, "random"),
    *_beside(Level.MEDIUM, "easy"),
    *_beside(Level.HARD, "medium"),
    *_beside(BEST, "hard"),
    _large(8, "depth 2", wins=0.3, loses=0.1),
    _large(10, "depth 2", wins=0.8, loses=0.15),
    _large(8, "depth 4", wins=0, loses=0.5),
    _large(10, "depth 4", wins=0, loses=0.5),
    *_of_three(Level.EASY, "two greedy", _MOST, at_most=(0.25, 0.25, 0.25)),
    *_of_three(Level.HARD, "two greedy", _OFTEN, at_least=(0.60, 0.60, 0.60)),
    *_of_three(Level.STRONG, "two greedy", _RARELY, at_least=(0.80, 0.80, 0.80)),
    *_of_three(Level.STRONG, "two hard", _RARELY, at_least=(0.60, 0.60, 0.60)),
)
