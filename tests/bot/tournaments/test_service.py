"""Tournaments in the database, on both engines: races, kills between commits, what is due."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.errors import ChangedError
from bot.db.tables import ratings
from bot.identity import ChannelId, MemberId, Person, Place, ServerId, TournamentId
from bot.matches.clock import DAY, HOUR
from bot.matches.occupancy import Occupancy
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.privacy.service import PrivacyService
from bot.privacy.store import PersonalStore, ServerDataStore
from bot.refusals import Refusal
from bot.shards import Shards
from bot.tournaments.model import Format, How, Played, Stage
from bot.tournaments.pairings import next_pairings
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService, WhoLeft
from bot.tournaments.store import EntrantStore, GameStore, TournamentLists, TournamentStore
from bot.tournaments.stored import Settings, StoredTournament
from core.games import GAMES
from core.outcome import Termination
from tests.bot.playing import DRAWN, HERE, NOW, SERVER, both
from tests.bot.serving import Clock
from tests.core.boards import after

ORGANISER = Person(MemberId(500), "Olga")
_WRITES = ("start", "pair", "enter", "begin_match", "finish")


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


class Mortal:
    """A store of a program that may die before a write."""

    life: Life

    def __getattribute__(self, name: str) -> Any:
        if name in _WRITES:
            self.life.write()
        return super().__getattribute__(name)


class MortalTournaments(Mortal, TournamentStore):
    """Tournaments of a program that may die."""


class MortalEntrants(Mortal, EntrantStore):
    """Entrants of a program that may die."""


class MortalGames(Mortal, GameStore):
    """Games of a program that may die."""


async def nobody(_: ServerId, __: Collection[MemberId]) -> Collection[MemberId]:
    return ()


class Program(NamedTuple):
    """The tournaments of a running program."""

    service: TournamentService
    progress: Progress


Serve = Callable[..., Program]


@pytest.fixture
def serve(database: AsyncEngine, matches: MatchService) -> Serve:
    """Return a function that starts a program, which dies before its `fatal` write."""

    def made(fatal: int = -1, who_left: WhoLeft = nobody) -> Program:
        store, entrants = MortalTournaments(database), MortalEntrants(database)
        games = MortalGames(database)
        store.life = entrants.life = games.life = Life(fatal)
        lists = TournamentLists(database)
        service = TournamentService(store, entrants, games, lists, matches, who_left)
        return Program(service, Progress(service, MatchStarter(matches), Occupancy(matches)))

    return made


def settings(**changes: Any) -> Settings:
    game = GAMES["tictactoe"]
    given: dict[str, Any] = {"format": Format.SWISS, "clock": DAY, "places": 5, **changes}
    return Settings(game, game.resolve({}), **given)


async def opened(service: TournamentService, count: int, **changes: Any) -> TournamentId:
    """Return a tournament that members have joined."""
    stored = await service.create(HERE, ORGANISER, settings(**changes))
    for number in range(1, count + 1):
        await service.join(stored.id, Person(MemberId(number), f"m{number}"), ())
    return stored.id


async def play(program: Program, stored: StoredTournament) -> None:
    """Begin the games that have no match; in all that go on, the second player resigns."""
    for played in stored.value.being_played:
        pairing, match_id = played.pairing, stored.arena(played.pairing).match_id
        if match_id is None:
            place = Place(SERVER, ChannelId(1000 * pairing.round + pairing.table))
            begun = await program.progress.begin_match(stored, pairing, place)
        else:
            begun = await program.service.matches.get(match_id)
        if not begun.match.outcome:
            loser = stored.value.entrants[pairing.entrants[1]].person.id
            await program.service.matches.resign(begun, loser)


async def run(serve: Serve, tournament_id: TournamentId, program: Program) -> int:
    """Play a tournament to its end; a program that dies is replaced. Returns how many died."""
    died = 0
    while True:
        try:
            stored = await program.service.get(tournament_id)
            if stored.value.stage is Stage.OPEN:
                await program.service.start(tournament_id, ORGANISER.id, moderator=False)
            stored = await program.progress.advance(tournament_id)
            if stored.over:
                return died
            await play(program, stored)
        except KilledError:
            died, program = died + 1, serve()


@pytest.mark.parametrize("kind", [Format.SWISS, Format.KNOCKOUT])
async def test_kills_between_commits(serve: Serve, database: AsyncEngine, kind: Format) -> None:
    """Wherever the program dies, the tournament has all its games, and each has one match.

    It dies before each third write, on PostgreSQL before each ninth: the same service writes.
    """
    whole = serve()
    first = await opened(whole.service, 5, format=kind)
    await run(serve, first, whole)
    wanted = await whole.service.get(first)
    writes = whole.service.store.life.passed  # type: ignore[attr-defined]
    assert writes > 12
    step = 9 if database.dialect.name == "postgresql" else 3
    for fatal in range(1 + (kind is Format.SWISS), writes + 1, step):
        mortal = serve(fatal)
        tournament_id = await opened(serve().service, 5, format=kind)
        assert await run(serve, tournament_id, mortal) == 1
        found = (await serve().service.get(tournament_id)).value
        keys = sorted(one.pairing.key for one in found.played)
        assert keys == sorted(one.pairing.key for one in wanted.value.played)
        assert all(one.over for one in found.played)
        begun = sum(one.how is How.PLAYED for one in found.played)
        async with database.connect() as connection:
            matches_of = text(f"SELECT count(*) FROM matches WHERE tournament_id = {tournament_id}")
            assert (await connection.execute(matches_of)).scalar_one() == begun


async def test_a_round_is_written_whole(serve: Serve) -> None:
    """One write draws a Swiss round, so a later version with other lots finds nothing to draw."""
    tournament_id = await opened(serve().service, 9, places=9)
    await serve().service.start(tournament_id, ORGANISER.id, moderator=False)
    service, progress = serve()
    stored = await progress.advance(tournament_id)
    assert service.store.life.passed == 1  # type: ignore[attr-defined]
    assert len(stored.value.played) == 5
    assert next_pairings(stored.value) == ()


async def test_joining_at_once(serve: Serve) -> None:
    """Each gets a place of their own, whichever process took them; nobody joins twice."""
    one, other = serve().service, serve().service
    tournament_id = await opened(one, 4)
    people = [Person(MemberId(number), "?") for number in (11, 12)]
    joined = [(one, people[0]), (other, people[1]), (other, people[0])]
    done = await both(*(service.join(tournament_id, who, ()) for service, who in joined))
    assert sum(isinstance(result, Refusal) for result in done) == 1
    stored = await one.get(tournament_id)
    assert len(stored.taking_part) == 5 and len(stored.waiting) == 1
    assert {who.id for who in (*stored.taking_part, *stored.waiting)} >= {11, 12}


async def test_leaving_one_of_two(serve: Serve) -> None:
    """A member who leaves a tournament stays in the others."""
    service = serve().service
    left, other = await opened(service, 3), await opened(service, 3)
    assert len((await service.leave(left, MemberId(2))).joined) == 2
    assert len((await service.get(other)).joined) == 3


async def test_a_start_beside_somebody_who_joins(serve: Serve) -> None:
    """In another process; it doesn't leave them out, but is refused."""
    service = serve().service
    tournament_id = await opened(service, 3)
    before = await service.get(tournament_id)
    await serve().service.join(tournament_id, Person(MemberId(9), "m9"))
    with pytest.raises(ChangedError):
        await service.begin(before, ())


async def test_a_full_waiting_list(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes then is told so, until somebody leaves."""
    monkeypatch.setattr("bot.tournaments.service._MOST_WAITING", 1)
    service, late = serve().service, Person(MemberId(9), "m9")
    tournament_id = await opened(service, 4, places=3)
    with pytest.raises(Refusal, match=r"tournament\.full"):
        await service.join(tournament_id, late)
    await service.leave(tournament_id, MemberId(1))
    assert late in (await service.join(tournament_id, late)).joined


async def test_who_waits_does_not_play(serve: Serve) -> None:
    """As many start as there are places, those who came first."""
    service = serve().service
    tournament_id = await opened(service, 5, places=3)
    stored = await service.start(tournament_id, ORGANISER.id, moderator=False)
    assert sorted(entrant.person.id for entrant in stored.value.entrants) == [1, 2, 3]


async def test_entrants_are_seeded_by_their_ratings(serve: Serve, database: AsyncEngine) -> None:
    """Those at the tournament's game on its server; the others follow as they joined."""
    service = serve().service
    tournament_id = await opened(service, 4, places=4)
    strong = {"user_id": 3, "mu": 40, "sigma": 2}
    rated = [
        {**strong, "guild_id": SERVER, "game": "tictactoe"},
        {**strong, "guild_id": SERVER, "game": "nineholes", "user_id": 4},
        {**strong, "guild_id": SERVER + 1, "game": "tictactoe", "user_id": 2},
    ]
    async with database.begin() as connection:
        await connection.execute(insert(ratings), rated)
    stored = await service.start(tournament_id, ORGANISER.id, moderator=False)
    assert [entrant.person.id for entrant in stored.value.entrants] == [3, 1, 2, 4]


async def test_a_tournament_of_another_server(serve: Serve) -> None:
    """Its number means nothing there."""
    service = serve().service
    tournament_id = await opened(service, 3)
    assert (await service.get(tournament_id, SERVER)).id == tournament_id
    with pytest.raises(Refusal, match=r"tournament\.none"):
        await service.get(tournament_id, ServerId(SERVER + 1))


async def test_its_channel_is_deleted_and_its_games_are_elsewhere(serve: Serve) -> None:
    """In the channels that were named they go on, as ordinary matches."""
    service, progress = serve()
    tournament_id = await opened(service, 3, channels=(HERE.channel_id,))
    await service.start(tournament_id, ORGANISER.id, moderator=False)
    stored = await progress.advance(tournament_id)
    begun = await progress.begin_match(stored, stored.value.being_played[0].pairing, HERE)
    await service.channel_deleted(tournament_id)
    assert (await service.get(tournament_id)).value.stage is Stage.CANCELLED
    assert (await service.matches.get(begun.id)).match.outcome is None


async def test_its_channel_is_deleted_and_a_game_can_not_be_read(
    serve: Serve, database: AsyncEngine
) -> None:
    """It is cancelled all the same, and its other games are called off."""
    service, progress = serve()
    tournament_id = await opened(service, 4)
    await service.start(tournament_id, ORGANISER.id, moderator=False)
    stored = await progress.advance(tournament_id)
    begun = [
        await progress.begin_match(stored, one.pairing, Place(SERVER, ChannelId(number)))
        for number, one in enumerate(stored.value.being_played, 1)
    ]
    async with database.begin() as connection:
        await connection.exec_driver_sql(f"UPDATE matches SET moves = '?' WHERE id = {begun[0].id}")
    await service.channel_deleted(tournament_id)
    assert (await service.get(tournament_id)).value.stage is Stage.CANCELLED
    outcome = (await service.matches.get(begun[1].id)).match.outcome
    assert outcome is not None and outcome.termination is Termination.CALLED_OFF


@dataclass
class Slow:
    """A Discord that takes its time to tell who has left: until `go_on`, it only was `asked`."""

    gone: Collection[MemberId] = ()
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def who_left(self, _: ServerId, members: Collection[MemberId]) -> Collection[MemberId]:
        self.asked.set()
        await self.go_on.wait()
        return [member for member in members if member in self.gone]


@pytest.mark.parametrize("by_itself", [False, True])
async def test_joining_while_discord_is_asked(serve: Serve, by_itself: bool) -> None:
    """Nobody waits for the answer before a start; who joins meanwhile takes part."""
    discord = Slow(gone=[MemberId(1)])
    tournament_id = await opened(serve().service, 4, places=4, when_full=by_itself)
    service, progress = serve(who_left=discord.who_left)
    starting = asyncio.create_task(
        progress.advance(tournament_id)
        if by_itself
        else service.start(tournament_id, ORGANISER.id, moderator=False)
    )
    async with asyncio.timeout(5):
        await discord.asked.wait()
        await service.join(tournament_id, Person(MemberId(9), "m9"))
    discord.go_on.set()
    await starting
    stored = await service.get(tournament_id)
    assert sorted(entrant.person.id for entrant in stored.value.entrants) == [2, 3, 4, 9]


async def test_leaving_while_discord_is_asked(serve: Serve) -> None:
    """Nobody waits for the answer before a round; who withdraws meanwhile isn't paired."""
    discord = Slow()
    tournament_id = await opened(serve().service, 4, places=4)
    await serve().service.start(tournament_id, ORGANISER.id, moderator=False)
    service, progress = serve(who_left=discord.who_left)
    pairing = asyncio.create_task(progress.advance(tournament_id))
    async with asyncio.timeout(5):
        await discord.asked.wait()
        await service.withdraw(tournament_id, MemberId(2))
    discord.go_on.set()
    value = (await pairing).value
    (left,) = (entrant.number for entrant in value.entrants if not entrant.here)
    assert value.round == 1 and not value.of(left)


async def test_discord_is_asked_once_a_round(serve: Serve, matches: MatchService) -> None:
    """Who has left is asked before each round, and not before the replay of a drawn game."""
    asked: list[int] = []

    async def who_left(_: ServerId, members: Collection[MemberId]) -> Collection[MemberId]:
        asked.append(len(members))
        return ()

    service, progress = serve(who_left=who_left)
    tournament_id = await opened(service, 4, places=4, format=Format.KNOCKOUT)
    await service.start(tournament_id, ORGANISER.id, moderator=False)
    stored = await progress.advance(tournament_id)
    (game, _) = (played.pairing for played in stored.value.being_played)
    begun = await progress.begin_match(stored, game, HERE)
    await matches.store.save(begun, after(begun.match, DRAWN), NOW)
    stored = await progress.advance(tournament_id)
    assert len(stored.value.played) == 3 and asked == [4, 4]


async def test_what_is_entered_first_stays(serve: Serve) -> None:
    """Of results that two processes enter, and of rounds after which somebody withdraws."""
    service, progress = serve()
    tournament_id = await opened(service, 3, format=Format.ROUND_ROBIN)
    await service.start(tournament_id, ORGANISER.id, moderator=False)
    stored = await progress.advance(tournament_id)
    (game,) = (played.pairing for played in stored.value.being_played)
    for points, round_ in (((1.0, 0.0), 1), ((0.0, 1.0), 2)):
        await service.games.enter(tournament_id, [Played(game, points)], {0: round_})
    value = (await service.get(tournament_id)).value
    assert [one.points for one in value.played if one.pairing == game] == [(1.0, 0.0)]
    assert value.entrants[0].withdrawn_after == 1


async def test_what_can_not_be_corrected(serve: Serve) -> None:
    """A bye, a game that there isn't, a knockout's to a draw, and one whose winner plays on.

    In a tournament that was cancelled there is none.
    """
    program = serve()
    tournament_id = await opened(program.service, 3, format=Format.KNOCKOUT)

    async def refusal(key: tuple[int, int, int], *points: float) -> str:
        first, second = points
        with pytest.raises(Refusal) as refused:
            await program.service.correct(
                tournament_id, ORGANISER, key, (first, second), moderator=False
            )
        return str(refused.value.reason).removeprefix("refusal.tournament.")

    assert await refusal((1, 1, 1), 1, 0) == "no_game"
    await program.service.start(tournament_id, ORGANISER.id, moderator=False)
    stored = await program.progress.advance(tournament_id)
    (bye,) = (one.pairing.key for one in stored.value.played if one.pairing.is_bye)
    (game,) = (one.pairing.key for one in stored.value.being_played)
    assert await refusal(bye, 0, 1) == "bye"
    assert await refusal(game, 0.5, 0.5) == "drawn"
    assert await refusal((9, 1, 1), 1, 0) == "no_game"
    await play(program, stored)
    await program.progress.advance(tournament_id)
    assert await refusal(game, 0, 1) == "played_on"
    await program.service.cancel(tournament_id, ORGANISER, moderator=False)
    assert await refusal(game, 0, 1) == "no_game"


async def test_a_move_in_the_moment_of_a_correction(serve: Serve, matches: MatchService) -> None:
    """The game is called off as it is after the move; the correction isn't refused."""
    service, progress = serve()
    tournament_id = await opened(service, 3)
    await service.start(tournament_id, ORGANISER.id, moderator=False)
    stored = await progress.advance(tournament_id)
    game = next(one.pairing for one in stored.value.being_played)
    begun = await progress.begin_match(stored, game, HERE)
    async with matches.lock(HERE.channel_id):
        correcting = asyncio.create_task(
            service.correct(tournament_id, ORGANISER, game.key, (1.0, 0.0), moderator=False)
        )
        mover = stored.value.entrants[game.entrants[0]].person.id
        await asyncio.sleep(0.05)  # it waits for its turn
        await matches.play(begun.id, mover, "b2")
    _, ended = await correcting
    assert ended is not None and ended.match.ply == 1
    assert ended.match.outcome and not ended.match.outcome.counts


async def test_what_is_due(serve: Serve, database: AsyncEngine, clock: Clock) -> None:
    """Times, full places, ends of matches and stale messages, on the servers of this process."""
    program = serve()
    service, progress = program
    store = service.store
    timed = await opened(service, 3, starts_at=NOW + HOUR)
    await opened(service, 2, when_full=True)
    full = await opened(service, 5, when_full=True)
    for one in range(1, 4):
        stored = await service.get(TournamentId(one))
        await store.posted(stored.id, None, stored.revision)
        assert await service.lists.due(NOW) == [], "the answer to the command is on its way"
        await store.put_off(stored.id, NOW)
    assert await service.lists.due(NOW) == [full]
    assert await service.lists.due(NOW + HOUR) == [timed, full]
    elsewhere = TournamentLists(database, Shards(1, 1, 2))
    assert await elsewhere.due(NOW + HOUR) == []
    assert await service.lists.starting(NOW + HOUR - 1) == []
    assert await service.lists.starting(NOW + HOUR) == [(timed, SERVER)]
    assert await elsewhere.starting(NOW + HOUR) == []
    await progress.advance(full)
    stored = await service.get(full)
    assert stored.value.stage is Stage.RUNNING
    assert sorted(await service.lists.going_on()) == [1, 2, 3]
    assert await elsewhere.going_on() == []
    await play(program, stored)
    await store.posted(full, None, (await service.get(full)).revision)
    assert await service.lists.due(NOW) == [full], "matches have ended"
    await store.put_off(full, NOW + HOUR)
    assert await service.lists.due(NOW) == []


async def test_what_counts_as_won(serve: Serve) -> None:
    """Tournaments that have ended with the member as the first, on that server."""
    program = serve()
    service = program.service
    tournament_id = await opened(service, 3)
    await run(serve, tournament_id, program)
    won = [await service.lists.won(SERVER, MemberId(number)) for number in (1, 2, 3)]
    assert sorted(won) == [0, 0, 1]
    winner = MemberId(won.index(1) + 1)
    assert await service.lists.won(ServerId(SERVER + 1), winner) == 0


async def test_erased_members_leave_or_withdraw(
    serve: Serve, database: AsyncEngine, matches: MatchService
) -> None:
    """Who waits for the start is out; who plays has withdrawn, without a name; the rest goes on."""
    program = serve()
    service, progress = program
    running, waiting = await opened(service, 3), await opened(service, 4)
    await service.start(running, ORGANISER.id, moderator=False)
    stored = await progress.advance(running)
    await service.withdraw(running, MemberId(2))
    privacy = PrivacyService(PersonalStore(database, matches.rng), matches, Clock())
    for member in (MemberId(1), MemberId(2), ORGANISER.id):
        await privacy.forget(member)
    assert [person.id for person in (await service.get(waiting)).joined] == [3, 4]
    stored = await service.get(running)
    gone = [entrant for entrant in stored.value.entrants if entrant.person.id < 0]
    assert len(gone) == 2 and not any(one.here or one.person.name for one in gone)
    assert stored.organiser.id < 0 and not stored.organiser.name
    assert [note.who for note in stored.notes] == [None]
    await run(serve, running, program)


async def test_a_member_erased_while_their_game_is_opened(
    serve: Serve, database: AsyncEngine, matches: MatchService
) -> None:
    """No match is written with their name and id: the game is forfeited."""
    service, progress = serve()
    running = await opened(service, 3)
    await service.start(running, ORGANISER.id, moderator=False)
    stored = await progress.advance(running)
    (game,) = (played.pairing for played in stored.value.being_played)
    privacy = PrivacyService(PersonalStore(database, matches.rng), matches, Clock())
    await privacy.forget(stored.value.entrants[game.entrants[0]].person.id)
    with pytest.raises(ChangedError):
        await progress.begin_match(stored, game, HERE)
    now = await progress.advance(running)
    (result,) = (played for played in now.value.played if played.pairing == game)
    assert result.points == (0.0, 1.0)


async def test_leaving_what_one_is_not_in(serve: Serve) -> None:
    """A refused press changes nothing, so the message isn't edited for it."""
    service = serve().service
    tournament_id = await opened(service, 3)
    before = await service.get(tournament_id)
    with pytest.raises(Refusal):
        await service.leave(tournament_id, MemberId(9))
    assert await service.get(tournament_id) == before


async def test_nothing_is_due_on_a_server_that_removed_the_bot(
    serve: Serve, database: AsyncEngine
) -> None:
    """Discord would refuse whatever is tried there; a tournament goes on when the bot is back."""
    service, servers = serve().service, ServerDataStore(database)
    full = await opened(service, 5, when_full=True)
    await service.store.put_off(full, NOW)
    await servers.note_left(SERVER, NOW)
    assert await service.lists.due(NOW) == []
    await servers.note_present([SERVER], NOW + HOUR)
    assert await service.lists.due(NOW) == [full]
