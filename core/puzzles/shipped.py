"""The puzzles that are shipped, for servers without matches of their own.

``python -m core.puzzles.make`` makes their file.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.engine.puzzles import Difficulty
from core.puzzles.record import difficulty_in, key_in

FILE = Path(__file__).parent / "shipped.txt"


@dataclass(frozen=True)
class Shipped:
    """The line of a shipped puzzle, with the facts that it tells before it is `read` as a whole."""

    line: str

    @property
    def key(self) -> str:
        """The key of the puzzle."""
        return key_in(self.line)

    @property
    def game(self) -> str:
        """The key of its game."""
        return self.line.partition(" ")[0]

    @property
    def difficulty(self) -> Difficulty:
        """How hard it is."""
        return difficulty_in(self.line)


@cache
def shipped() -> tuple[Shipped, ...]:
    """Return the shipped puzzles, in the order of the file."""
    return tuple(map(Shipped, FILE.read_text(encoding="utf-8").splitlines()))
