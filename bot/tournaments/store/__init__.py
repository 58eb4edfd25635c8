"""Tournaments in the database: read whole, and changed a step at a time. SQL only."""

from bot.tournaments.store.entrants import EntrantStore, JoinedError
from bot.tournaments.store.games import GameStore
from bot.tournaments.store.lists import TournamentLists
from bot.tournaments.store.tournaments import TournamentStore

__all__ = ["EntrantStore", "GameStore", "JoinedError", "TournamentLists", "TournamentStore"]
