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
from bot.workers.search_client import SearchClient
from core.engine.player import Engine


@dataclass(frozen=True)
class Services:
    """Matches, without search processes."""

    matches: MatchService
    starter: MatchStarter


def services_over(database: AsyncEngine, clock: Callable[[], int] = unix_now) -> Services:
    """Return services of the test's own; the database keeps them and the bot's consistent.

    `clock` returns Unix seconds.
    """
    engine, rng = Engine(), Random(3)
    computer = ComputerPlayer(engine, SearchClient(Engine), rng)
    matches = MatchService(MatchStore(database), computer, rng, clock)
    return Services(matches, MatchStarter(matches))
