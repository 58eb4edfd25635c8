"""The data of one member or one server in the database: export and erasure. SQL only."""

from bot.privacy.store.members import PersonalStore
from bot.privacy.store.servers import ServerDataStore

__all__ = ["PersonalStore", "ServerDataStore"]
