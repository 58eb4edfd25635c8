"""Achievements, seasons and roles in the database. SQL only."""

from bot.honours.store.achievements import AchievementStore
from bot.honours.store.settings import HonourStore

__all__ = ["AchievementStore", "HonourStore"]
