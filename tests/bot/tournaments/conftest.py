"""The fixture of tests of tournaments over a database."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.matches.occupancy import Occupancy
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService, WhoLeft
from bot.tournaments.store import TournamentLists
from tests.bot.tournaments.programs import (
    Life,
    MortalStore,
    Program,
    Serve,
    nobody,
)


@pytest.fixture
def serve(database: AsyncEngine, matches: MatchService) -> Serve:
    """Return a function that starts a program that will die before its `fatal` write."""

    def made(fatal: int = -1, who_left: WhoLeft = nobody) -> Program:
        store, lists = MortalStore(database), TournamentLists(database)
        store.life = Life(fatal)
        service = TournamentService(store, lists, matches, who_left)
        return Program(
            service, Progress(service, MatchStarter(matches), Occupancy(matches), lambda _: ())
        )

    return made
