"""Plain alpha-beta players of a fixed depth, as opponents on large boards (`yardstick.c`)."""

import atexit
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from core.games.tictactoe.position import MnkPosition
from core.grid import Move
from core.position import Position
from tests.strength.contest import Chooser

SOURCE = Path(__file__).with_name("yardstick.c")


@cache
def _program() -> "subprocess.Popen[str]":
    """Compile and start the program, which lives as long as this process."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    program = Path(folder.name, "yardstick")
    subprocess.run(["cc", "-O2", "-o", program, SOURCE], check=True)
    running = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(running.kill)
    return running


def yardstick(depth: int) -> Chooser:
    """Return the player that searches `depth` plies."""

    def choose(positions: Sequence[Position], rng: Random) -> Move:
        position = positions[-1]
        assert isinstance(position, MnkPosition), "it plays lines"
        grid, running = position.grid, _program()
        letters = {position.to_move: "x", 1 - (position.to_move or 0): "o"}
        board = "".join(
            letters.get(content, ".") if isinstance(content, int) else "."
            for content in map(position.content, grid.squares)
        )
        assert running.stdin is not None
        assert running.stdout is not None
        print(grid.columns, grid.rows, position.board.line, depth, board, file=running.stdin)
        running.stdin.flush()
        return Move(grid.squares[int(running.stdout.readline())])

    return choose
