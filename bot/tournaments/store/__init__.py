"""Tournaments in the database: read whole, and changed a step at a time. SQL only."""

from bot.tournaments.store.lists import TournamentLists
from bot.tournaments.store.tournaments import TournamentStore

__all__ = ["TournamentLists", "TournamentStore"]
