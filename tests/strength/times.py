"""Print how long moves of the best level take: ``python -m tests.strength.times [BOARD]``.

With a board, or the beginning of its name, only its row. Times are CPU time of the thread that
searches, in seconds of an ordinary core: one that adds five million numbers, in the lines of a
script, in 0.6 s. The machine's speed is measured beside every move, since others may use it too.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import TypeVar

from core.engine.levels import Level, levels_of
from core.engine.player import Engine
from core.game import Game
from core.games.connectfour import ConnectFour
from core.grid import Move
from core.options import OFF, ON, Options
from core.position import Position
from tests.core.boards import TICTACTOE, TRIBOLO, start, wandered
from tests.strength.contest import computer, play_games
from tests.strength.tables import markdown, markdown_row

HEAD = ("board", "level", "moves", "median s", "95% s", "longest s")
SEED = 3
# A move that took longer than this is measured twice, and the quicker run counts.
AGAIN_SECONDS = 0.5
ORDINARY_SECONDS, ORDINARY_ADDITIONS, ADDITIONS = 0.6, 5_000_000, 200_000
SCRIPT = compile(f"x = 0\nfor i in range({ADDITIONS}):\n    x += i\n", "script", "exec")

T = TypeVar("T")


def script_seconds() -> float:
    """Return the seconds in which this machine adds numbers in the lines of a script."""
    began = time.thread_time()
    exec(SCRIPT, {})
    return time.thread_time() - began


def ordinary_seconds(search: Callable[[], T]) -> tuple[T, float]:
    """Return what a search finds, and the seconds that it would take an ordinary core."""
    before, began = script_seconds(), time.thread_time()
    found = search()
    took = time.thread_time() - began
    beside = (before + script_seconds()) / 2 * ORDINARY_ADDITIONS / ADDITIONS
    return found, took / beside * ORDINARY_SECONDS


@dataclass(frozen=True)
class Board:
    """A board, and where its moves come from: `games` against hard, else random positions."""

    name: str
    game: Game
    options: Options
    games: int = 0
    positions: int = 0
    pieces: range = range(1, 15)

    @property
    def level(self) -> Level:
        """The best level."""
        return levels_of(self.game, self.game.resolve(self.options))[-1]

    def times(self) -> list[float]:
        """Return the seconds of each move."""
        watch = Stopwatch(self.level)
        if self.games:
            rivals = watch.choose, computer(Level.HARD)
            full = self.game.resolve(self.options)
            play_games(self.game, full, *rivals, self.games, SEED, opening=3)
        for position in self._random():
            watch.choose([position], Random(SEED))
        return watch.times

    def _random(self) -> Iterator[Position]:
        """Yield positions of random play, each number of pieces as often."""
        rng, count = Random(f"{self.name} {SEED}"), 0
        while count < self.positions:
            plies = self.pieces[count % len(self.pieces)]
            position = wandered(start(self.game, self.options), plies, rng)
            if position.to_move is not None:
                count += 1
                yield position


class Stopwatch:
    """A player of a level whose moves are timed."""

    def __init__(self, level: Level):
        self.times: list[float] = []
        self._level = level

    def choose(self, positions: Sequence[Position], rng: Random) -> Move:
        """Return the move in the last of `positions`."""
        state = rng.getstate()
        move, seconds = self._measured(positions, rng)
        if seconds > AGAIN_SECONDS:
            rng.setstate(state)
            seconds = min(seconds, self._measured(positions, rng)[1])
        self.times.append(seconds)
        return move

    def _measured(self, positions: Sequence[Position], rng: Random) -> tuple[Move, float]:
        engine = Engine()
        return ordinary_seconds(lambda: engine.choose(positions[-1], self._level, rng, positions))


def lines(
    rows: int, columns: int, line: int, variant: str = "classic", *, swap: str = OFF
) -> tuple[str, Game, Options]:
    """Return the name, game and options of a board of lines."""
    name = f"{rows}x{columns} line {line}"
    name += "" if variant == "classic" else f" {variant}"
    name += ", pie rule" if swap == ON else ""
    options: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
    return name, TICTACTOE, {**options, "swap": swap}


CONNECT_FOUR = ConnectFour()
BOARDS = (
    Board(*lines(10, 10, 5), games=8),
    Board(*lines(10, 10, 5, "torus"), games=8),
    Board(*lines(9, 9, 5, "corners"), games=8),
    Board(*lines(8, 8, 5), games=8),
    Board(*lines(7, 7, 5), games=8),
    Board(*lines(7, 7, 4), games=8),
    Board(*lines(6, 6, 5), positions=100),
    Board(*lines(6, 6, 5, "corners"), positions=100),
    Board(*lines(6, 6, 5, "torus"), positions=50),
    Board(*lines(5, 7, 6, "torus"), positions=50),
    Board(*lines(6, 6, 4), positions=100),
    Board(*lines(5, 5, 4), positions=100),
    Board(*lines(5, 5, 4, "corners"), positions=100),
    Board(*lines(5, 7, 5), positions=100),
    Board(*lines(3, 9, 4, "corners"), positions=100),
    Board(*lines(3, 10, 4), positions=100),
    *(
        Board(*lines(*board, swap=ON), positions=8, pieces=range(2))
        for board in (
            (9, 8, 3),
            (10, 9, 3),
            (10, 9, 3, "corners"),
            (10, 10, 3),
            (6, 6, 4),
            (5, 6, 5, "torus"),
            (5, 7, 5, "torus"),
            (5, 7, 6, "torus"),
            (4, 9, 6, "torus"),
        )
    ),
    Board(*lines(4, 4, 3, "misere"), positions=50, pieces=range(1, 8)),
    Board(*lines(4, 4, 4, "misere"), positions=50, pieces=range(1, 8)),
    Board(*lines(5, 5, 4, "misere"), positions=50),
    Board("connect four, games", CONNECT_FOUR, {}, games=8),
    Board("connect four", CONNECT_FOUR, {}, positions=100),
    Board("connect four, 8x8", CONNECT_FOUR, {"rows": 8, "columns": 8}, games=3),
    Board("Tribolo, small", TRIBOLO, {"size": "small"}, positions=50, pieces=range(1, 30)),
    Board("Tribolo, full", TRIBOLO, {"size": "full"}, positions=50, pieces=range(1, 60)),
)


def cells(board: Board) -> tuple[str, ...]:
    """Measure a board and return its row."""
    times = sorted(board.times())
    figures = median(times), times[len(times) * 95 // 100], times[-1]
    return board.name, str(board.level), str(len(times)), *(f"{each:.2f}" for each in figures)


if __name__ == "__main__":
    asked = " ".join(sys.argv[1:])
    print(markdown(HEAD, []), flush=True)
    for board in BOARDS:
        if board.name.startswith(asked):
            print(markdown_row(cells(board)), flush=True)
