"""Services over the bot's database, for tests that inspect or prepare it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from bot.app import unix_now
from bot.db.database import Database
from bot.identity import ChannelId, Place
from bot.matches.computer import ComputerPlayer
from bot.matches.model import NewMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.workers.search_client import SearchClient
from core.engine.player import Engine
from core.game import Game
from core.match import Match
from core.options import Options
from core.players import Player

Seating: TypeAlias = Sequence[tuple[Player, str | None]]
"""The player of each seat with their name; the computer's is None."""


def new_match(
    place: Place, game: Game, seating: Seating, options: Options | None = None
) -> NewMatch:
    """Return a new match, ready to be started."""
    match = Match.start(game, options, players=[player for player, _ in seating])
    return NewMatch(place, match, [name for _, name in seating])


@dataclass(frozen=True)
class Services:
    """Matches, without search processes."""

    store: MatchStore
    matches: MatchService
    starter: MatchStarter


async def _nothing_waits(_channel_id: ChannelId, _now: int) -> None:
    """Allow every start: no invitation is open in any channel."""


def services_with(
    store: MatchStore, engine: Engine, searches: SearchClient, rng: Random, clock: Callable[[], int]
) -> Services:
    """Return services whose computer is `engine`; no invitation waits in any channel.

    `clock` returns Unix seconds.
    """
    computer = ComputerPlayer(engine, searches, rng)
    matches = MatchService(store, computer, clock, _nothing_waits)
    return Services(store, matches, MatchStarter(matches, store, computer, rng, clock))


def services_over(database: Database, clock: Callable[[], int] = unix_now) -> Services:
    """Return the test's own services; the database keeps them consistent with the bot's.

    `clock` returns Unix seconds.
    """
    searches = SearchClient(Engine, 1, 10)
    return services_with(MatchStore(database), Engine(), searches, Random(3), clock)
