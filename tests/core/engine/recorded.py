"""Recorded moves and analyses: `python -m tests.core.engine.recorded [BOARD...]` writes them anew.

With boards, named as at the beginning of a line in the files, only their cases are written anew.

A case is a position, a seed, the move of every level and, for one case in four, the analysis. Each
move was chosen by a new engine, so it can't depend on earlier searches. Write the cases anew only
if moves are meant to change, and read the difference.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

from core.engine.analysis import Analysis
from core.engine.levels import levels_of
from core.engine.player import Engine
from core.game import Game
from core.games import GAMES
from core.grid import Move
from core.options import ON, Options
from core.position import Position

FOLDER = Path(__file__).parents[2] / "golden" / "engine"
QUICK, SLOW = FOLDER / "quick.txt", FOLDER / "slow.txt"
_HEAD = """\
# Moves and analyses of the engine (tests/core/engine/recorded.py).
# board; start; moves played; seed; move of each level, weakest first; analysis, for some: best
# moves | ranks @ plies to the end, ? for an unknown value | outlook of each seat
"""
# A case is slow if its moves and analysis took more seconds of CPU than this. A table of all
# positions doesn't make a case slow, since the replay makes the table once.
_SLOW_SECONDS = 0.035
_ANALYSED_ONE_IN = 4
# Written where no moves were played, or nothing was analysed.
_NONE = "-"


@dataclass(frozen=True)
class Case:
    """A position, given by a start and the moves since, with the engine's moves and analysis."""

    board: str
    start: str
    played: str
    seed: int
    chosen: str
    analysis: str

    @classmethod
    def parse(cls, line: str) -> "Case":
        """Return the case written as `line`."""
        board, start, played, seed, chosen, analysis = line.split("; ")
        return cls(board, start, played, int(seed), chosen, analysis)

    def __str__(self) -> str:
        fields = (self.board, self.start, self.played, self.seed, self.chosen, self.analysis)
        return "; ".join(map(str, fields))

    @property
    def analysed(self) -> bool:
        """Whether there is an analysis."""
        return self.analysis != _NONE

    @property
    def game(self) -> Game:
        """The game, which the board's name begins with."""
        return GAMES[self.board.split(" ")[0]]

    @property
    def history(self) -> list[Position]:
        """All positions of the game up to the one that the engine was asked about."""
        positions = [self.game.parse(self.start)]
        for move in self.played.split() if self.played != _NONE else ():
            positions.append(positions[-1].play(Move.parse(move)))
        return positions


@dataclass(frozen=True)
class Setting:
    """A board, how many cases are recorded on it, and at most how many plies into the game.

    `course` says that earlier positions matter to a move, so the moves to it are recorded as well.
    """

    game: str
    options: Options
    cases: int
    plies: int
    course: bool = False

    @property
    def full(self) -> dict[str, int | str]:
        """The options, with every default."""
        return GAMES[self.game].resolve(self.options)

    def __str__(self) -> str:
        return " ".join([self.game, *map(str, self.full.values())])


def _tictactoe(cases: int, rows: int, columns: int, line: int, variant: str = "classic") -> Setting:
    options: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
    return Setting("tictactoe", options, cases, rows * columns)


def _swap(cases: int, rows: int, columns: int, line: int, variant: str = "classic") -> Setting:
    """Return a setting with the swap rule, which changes only the first plies."""
    options: Options = {**_tictactoe(0, rows, columns, line, variant).options, "swap": ON}
    return Setting("tictactoe", options, cases, 3)


SETTINGS = (
    _tictactoe(160, 3, 3, 3),
    _tictactoe(50, 3, 4, 3),
    _tictactoe(140, 4, 4, 3),
    _tictactoe(160, 4, 4, 4),
    _tictactoe(120, 5, 5, 3),
    _tictactoe(190, 5, 5, 4),
    _tictactoe(120, 5, 5, 5),
    _tictactoe(90, 6, 6, 3),
    _tictactoe(120, 6, 6, 4),
    _tictactoe(60, 6, 6, 5),
    _tictactoe(60, 6, 6, 6),
    _tictactoe(80, 9, 4, 3),
    _tictactoe(8, 7, 7, 4),
    _tictactoe(8, 8, 8, 5),
    _tictactoe(8, 10, 10, 5),
    _tictactoe(10, 10, 9, 3),
    _tictactoe(50, 3, 3, 3, "torus"),
    _tictactoe(60, 4, 4, 4, "torus"),
    _tictactoe(40, 5, 5, 4, "torus"),
    _tictactoe(4, 10, 10, 5, "torus"),
    _tictactoe(50, 3, 3, 3, "corners"),
    _tictactoe(60, 4, 4, 4, "corners"),
    _tictactoe(40, 5, 5, 4, "corners"),
    _tictactoe(50, 3, 3, 3, "misere"),
    _tictactoe(50, 3, 4, 3, "misere"),
    _tictactoe(12, 4, 4, 3, "misere"),
    _tictactoe(5, 5, 5, 4, "misere"),
    _swap(20, 3, 3, 3),
    _swap(20, 3, 4, 3),
    _swap(30, 4, 4, 3),
    _swap(30, 5, 5, 4),
    _swap(10, 6, 5, 4),
    _swap(20, 3, 4, 3, "misere"),
    Setting("nineholes", {"variant": "free"}, 60, 40, course=True),
    Setting("nineholes", {"variant": "drop-first"}, 50, 40, course=True),
    Setting("nineholes", {"variant": "step"}, 50, 40, course=True),
    Setting("tribolo", {"size": "small"}, 60, 30),
    Setting("tribolo", {"size": "medium"}, 40, 55),
    Setting("tribolo", {"size": "full"}, 30, 90),
    Setting("connectfour", {}, 80, 40),
    Setting("connectfour", {"rows": 5, "columns": 5}, 60, 25),
    Setting("connectfour", {"rows": 8, "columns": 8}, 20, 50),
    Setting("connectfour", {"rows": 7, "columns": 9, "line": 5}, 20, 60),
)


def written(analysis: Analysis) -> str:
    """Return an analysis as text, outlooks rounded to six digits."""
    value = analysis.value
    ranks = "?" if value is None else "-".join(map(str, value.ranks))
    end = "" if value is None or value.plies is None else f"@{value.plies}"
    outlook = " ".join(f"{share:.6g}" for share in analysis.outlook)
    return f"{' '.join(map(str, analysis.best))} | {ranks}{end} | {outlook}"


def cases(path: Path) -> list[Case]:
    """Return the cases recorded in a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Case.parse(line) for line in lines if not line.startswith("#")]


def _at_random(setting: Setting, rng: Random) -> list[Position]:
    """Return the positions of random play, up to one that isn't over."""
    game = GAMES[setting.game]
    while True:
        positions = [game.start(setting.full, rng)]
        for _ in range(rng.randrange(setting.plies)):
            if positions[-1].to_move is None:
                break
            positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
        if positions[-1].to_move is not None:
            return positions


def _moves(positions: list[Position]) -> str:
    """Return the moves that lead from each position to the next one."""
    moves = [
        str(next(move for move in before.legal_moves() if before.play(move) == after))
        for before, after in pairwise(positions)
    ]
    return " ".join(moves) or _NONE


def record(setting: Setting) -> Iterator[tuple[Case, float]]:
    """Yield the cases of a setting, each with the seconds of CPU that its searches took."""
    game = GAMES[setting.game]
    rng = Random(str(setting))
    for number in range(setting.cases):
        history = _at_random(setting, rng) if setting.course else _at_random(setting, rng)[-1:]
        position = history[-1]
        seed = rng.randrange(1_000)
        began = time.thread_time()
        chosen = " ".join(
            str(Engine().choose(position, level, Random(seed), history))
            for level in levels_of(game, setting.full)
        )
        analysed = number % _ANALYSED_ONE_IN == 0
        analysis = written(Engine().analyse(position)) if analysed else _NONE
        took = time.thread_time() - began
        start, played = history[0].notation, _moves(history)
        yield Case(str(setting), start, played, seed, chosen, analysis), took


def main(boards: Sequence[str]) -> None:
    """Record every setting, or those of `boards`, and write the files."""
    FOLDER.mkdir(exist_ok=True)
    asked = [setting for setting in SETTINGS if not boards or str(setting) in boards]
    quick, slow = list[Case](), list[Case]()
    for setting in asked:
        for case, took in record(setting):
            (slow if took > _SLOW_SECONDS and not setting.course else quick).append(case)
    order = [str(setting) for setting in SETTINGS]
    for path, found in ((QUICK, quick), (SLOW, slow)):
        kept = [case for case in cases(path) if case.board not in map(str, asked)] if boards else []
        lines = sorted(kept + found, key=lambda case: order.index(case.board))
        path.write_text(_HEAD + "".join(f"{case}\n" for case in lines), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
