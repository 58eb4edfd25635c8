"""The puzzles of servers, their posts, and the tries of members. SQL only."""

from bot.puzzles.store.daily import DailyStore
from bot.puzzles.store.given import PuzzleStore
from bot.puzzles.store.matches import SearchedStore
from bot.puzzles.store.tries import TryStore

__all__ = ["DailyStore", "PuzzleStore", "SearchedStore", "TryStore"]
