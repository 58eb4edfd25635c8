"""Puzzles with their game, as lines of text, and those that are shipped."""

from core.puzzles.record import GamePuzzle, read, write
from core.puzzles.shipped import Shipped, shipped

__all__ = ["GamePuzzle", "Shipped", "read", "shipped", "write"]
