"""Programs that run tournaments over one database, may die, and are replaced."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from bot.identity import ChannelId, MemberId, Person, Place, ServerId, TournamentId
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.times import DAY
from bot.tournaments.corrections import Corrections
from bot.tournaments.intervening import Intervener
from bot.tournaments.model import Format, PairingKey, Stage
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService
from bot.tournaments.store import TournamentLists, TournamentStore
from bot.tournaments.stored import StoredTournament, TournamentSettings
from core.games import GAMES
from tests.bot.playing import HERE, SERVER

ORGANISER = Person(MemberId(500), "Olga")
_WRITES = ("start", "pair", "enter", "insert_match", "correct", "end", "cancel")


class KilledError(Exception):
    """The program is dead."""


@dataclass
class Life:
    """The writes that a program has `passed`; it dies before one of them, the `fatal` one."""

    fatal: int
    passed: int = 0

    def write(self) -> None:
        """Count a write; raise KilledError before the fatal one."""
        self.passed += 1
        if self.passed == self.fatal:
            raise KilledError


class MortalStore(TournamentStore):
    """The store of a program that may die before a write."""

    life: Life

    def __getattribute__(self, name: str) -> Any:
        if name in _WRITES:
            self.life.write()
        return super().__getattribute__(name)


async def nobody(_: ServerId, __: Collection[MemberId]) -> Collection[MemberId]:
    return ()


@dataclass(frozen=True)
class Program:
    """The tournaments of a running program."""

    store: TournamentStore
    lists: TournamentLists
    match_store: MatchStore
    matches: MatchService
    service: TournamentService
    corrections: Corrections
    progress: Progress

    async def playing(self, count: int, **changes: Any) -> StoredTournament:
        """Return a tournament that members have joined, at the start of its first round."""
        tournament_id = await opened(self.service, count, **changes)
        await self.service.start(tournament_id, Intervener(ORGANISER))
        return await self.progress.advance(tournament_id)

    async def correct(
        self, stored: StoredTournament, key: PairingKey, points: tuple[float, float]
    ) -> StoredTournament:
        """Return a tournament in which the organiser has entered the result of a game."""
        by = Intervener(ORGANISER)
        return (await self.corrections.correct(stored.id, by, key, points)).stored


Serve = Callable[..., Program]


def settings(**changes: Any) -> TournamentSettings:
    game = GAMES["tictactoe"]
    given: dict[str, Any] = {"format": Format.SWISS, "clock": DAY, "places": 5, **changes}
    return TournamentSettings(game, game.resolve({}), **given)


async def opened(service: TournamentService, count: int, **changes: Any) -> TournamentId:
    """Return a tournament that members have joined."""
    stored = await service.create(HERE, ORGANISER, settings(**changes))
    for number in range(1, count + 1):
        await service.join(stored.id, Person(MemberId(number), f"m{number}"))
    return stored.id


async def play(program: Program, stored: StoredTournament) -> None:
    """Begin the games of a round; the second player of each resigns."""
    for pairing in [played.pairing for played in stored.tournament.being_played]:
        place = Place(SERVER, ChannelId(1000 * pairing.round + pairing.table))
        begun = await program.service.begin_match(stored, pairing, place)
        loser = stored.tournament.entrants[pairing.entrants[1]].person.id
        await program.matches.resign(begun, loser)


async def run(serve: Serve, tournament_id: TournamentId, program: Program) -> int:
    """Play a tournament to its end; a program that dies is replaced. Returns how many died."""
    died = 0
    while True:
        try:
            stored = await program.service.get(tournament_id)
            if stored.tournament.stage is Stage.OPEN:
                await program.service.start(tournament_id, Intervener(ORGANISER))
            stored = await program.progress.advance(tournament_id)
            if stored.over:
                return died
            await play(program, stored)
        except KilledError:
            died, program = died + 1, serve()
