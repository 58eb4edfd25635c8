"""The puzzles that are shipped, for servers without matches of their own.

``python -m core.puzzles.make`` makes their file.
"""

from functools import cache
from pathlib import Path

from core.puzzles.record import PuzzleLine

FILE = Path(__file__).parent / "shipped.txt"


@cache
def shipped() -> tuple[PuzzleLine, ...]:
    """Return the shipped puzzles, in the order of the file."""
    return tuple(map(PuzzleLine, FILE.read_text(encoding="utf-8").splitlines()))
