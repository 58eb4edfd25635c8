"""Puzzles with their game, as lines of text, and those that are shipped."""

from core.puzzles.record import GamePuzzle, PuzzleLine, read, write
from core.puzzles.shipped import shipped

__all__ = ["GamePuzzle", "PuzzleLine", "read", "shipped", "write"]
