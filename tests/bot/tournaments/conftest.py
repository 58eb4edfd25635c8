"""The fixture of tests of tournaments over a database."""

import pytest

from bot.db.database import Database
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.tournaments.corrections import Corrections
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService, WhoLeft
from bot.tournaments.store import TournamentLists
from bot.tournaments.stored import StoredTournament
from tests.bot.serving import Clock
from tests.bot.tournaments.programs import Life, MortalStore, Program, Serve, nobody


async def _nothing_is_missing(_: StoredTournament) -> list[str]:
    """Let tournaments go on everywhere."""
    return []


@pytest.fixture
def serve(
    database: Database,
    store: MatchStore,
    matches: MatchService,
    starter: MatchStarter,
    clock: Clock,
) -> Serve:
    """Return a function that starts a program that will die before its `fatal` write."""

    def made(fatal: int = -1, who_left: WhoLeft = nobody) -> Program:
        mortal, lists = MortalStore(database), TournamentLists(database)
        mortal.life = Life(fatal)
        service = TournamentService(mortal, store, matches, starter, who_left, clock)
        corrections = Corrections(service, mortal, matches, store, clock)
        progress = Progress(
            service,
            mortal,
            matches,
            missing=_nothing_is_missing,
            tell=lambda _, __: None,
            hears=lambda _: True,
            now=clock,
        )
        return Program(mortal, lists, store, matches, service, corrections, progress)

    return made
