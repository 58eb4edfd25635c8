"""Matches in the database: the SQL, and the ids of boards that aren't written yet.

A match is only written over the state that it was read from: of two writers, the second changes
nothing and gets a `ChangedError`.
"""

from bot.matches.store.boards import BoardIds
from bot.matches.store.channel import (
    EVENTFUL,
    IN_PLACE,
    LIVE,
    LIVE_ON_SERVER,
    Holding,
    end_unread,
    ended_by_none_of,
)
from bot.matches.store.guests import GuestStore
from bot.matches.store.matches import MatchStore, seats_of
from bot.matches.store.settings import SettingsStore
from bot.matches.store.start import ChannelTakenError, Insert, insert_match

__all__ = [
    "EVENTFUL",
    "IN_PLACE",
    "LIVE",
    "LIVE_ON_SERVER",
    "BoardIds",
    "ChannelTakenError",
    "GuestStore",
    "Holding",
    "Insert",
    "MatchStore",
    "SettingsStore",
    "end_unread",
    "ended_by_none_of",
    "insert_match",
    "seats_of",
]
