"""The fixture of tests of tournaments over a database."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.matches.occupancy import Occupancy
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService, WhoLeft
from bot.tournaments.store import TournamentLists
from tests.bot.serving import Clock
from tests.bot.tournaments.programs import (
    Life,
    MortalStore,
    Program,
    Serve,
    nobody,
)


@pytest.fixture
def serve(
    database: AsyncEngine,
    store: MatchStore,
    matches: MatchService,
    starter: MatchStarter,
    clock: Clock,
) -> Serve:
    """Return a function that starts a program that will die before its `fatal` write."""

    def made(fatal: int = -1, who_left: WhoLeft = nobody) -> Program:
        mortal, lists = MortalStore(database), TournamentLists(database)
        mortal.life = Life(fatal)
        service = TournamentService(mortal, lists, matches, who_left)
        occupancy = Occupancy(matches, store, clock)
        return Program(service, Progress(service, starter, occupancy, lambda _: ()))

    return made
