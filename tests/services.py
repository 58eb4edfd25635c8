"""Services over the bot's database, for tests that inspect or prepare it."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import unix_now
from bot.matches.computer import ComputerPlayer
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.privacy.service import PrivacyService
from bot.privacy.store import PersonalStore
from bot.workers.search_client import SearchClient
from core.engine.player import Engine

_ERASE_AFTER_DAYS = 30


@dataclass(frozen=True)
class Services:
    """Matches and servers' data, without search processes."""

    matches: MatchService
    starter: MatchStarter
    privacy: PrivacyService


def services_over(database: AsyncEngine, clock: Callable[[], int] = unix_now) -> Services:
    """Return services of the test's own; the database keeps them and the bot's consistent.

    `clock` returns Unix seconds.
    """
    engine, rng = Engine(), Random(3)
    computer = ComputerPlayer(engine, SearchClient(Engine), rng)
    matches = MatchService(MatchStore(database), computer, rng, clock)
    store = PersonalStore(database, rng)
    privacy = PrivacyService(store, matches, clock, _ERASE_AFTER_DAYS)
    return Services(matches, MatchStarter(matches), privacy)
