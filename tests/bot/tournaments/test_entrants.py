"""Joining, waiting, leaving, starting and pairing, at any moment."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import pytest
from sqlalchemy import insert

from bot.db.database import Database
from bot.db.errors import ChangedError
from bot.db.tables import ratings
from bot.identity import MemberId, Person, ServerId, TournamentId
from bot.privacy.service import PrivacyService
from bot.refusals import Refusal
from bot.tournaments.intervening import Intervener
from bot.tournaments.model import Format, Stage
from bot.tournaments.stored import StoredTournament
from tests.bot.playing import DRAWN, HERE, NOW, ON_SQLITE, SERVER, both
from tests.bot.tournaments.programs import ORGANISER, Serve, opened
from tests.core.boards import after

T = TypeVar("T")


async def test_joining_at_once(serve: Serve) -> None:
    """Each gets their own place, whichever process they reach; nobody joins twice."""
    one, other = serve().service, serve().service
    tournament_id = await opened(one, 4)
    people = [Person(MemberId(number), "?") for number in (11, 12)]
    joined = [(one, people[0]), (other, people[1]), (other, people[0])]
    done = await both(*(service.join(tournament_id, who) for service, who in joined))
    assert sum(isinstance(result, Refusal) for result in done) == 1
    stored = await one.get(tournament_id)
    assert len(stored.taking_part) == 5 and len(stored.waiting) == 1
    assert {who.id for who in (*stored.taking_part, *stored.waiting)} >= {11, 12}


async def test_leaving_one_of_two(serve: Serve) -> None:
    """A member who leaves a tournament stays in the others."""
    service = serve().service
    left, other = await opened(service, 3), await opened(service, 3)
    await service.leave(left, MemberId(2))
    assert len((await service.get(left)).joined) == 2
    assert len((await service.get(other)).joined) == 3


async def test_a_start_beside_somebody_who_joins(serve: Serve) -> None:
    """If they join meanwhile, the start is refused, instead of leaving them out."""
    service = serve().service
    tournament_id = await opened(service, 3)
    async with service.held(tournament_id) as held:
        await serve().service.join(tournament_id, Person(MemberId(9), "m9"))
        with pytest.raises(ChangedError):
            await service.begin(held, ())


async def test_a_member_is_erased_while_somebody_takes_them_out(
    serve: Serve, privacy: PrivacyService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note, which has their name, isn't written after the erasure."""
    service = serve().service
    tournament_id = await opened(service, 4)
    before = await service.get(tournament_id)
    gone = before.joined[0]

    async def read_before(_: TournamentId) -> StoredTournament:
        await privacy.forget(gone.id)
        return before

    monkeypatch.setattr(service, "get", read_before)
    with pytest.raises(Refusal, match=r"tournament\.changed"):
        await service.drop(tournament_id, gone, Intervener(ORGANISER))
    now = await serve().service.get(tournament_id)
    assert gone not in now.joined and now.notes == ()


@pytest.mark.parametrize("asked", ["withdraw", "drop", "cancel"])
async def test_a_tournament_that_is_cancelled_meanwhile(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """If that happens without our lock, between a read and a write, the member may try again."""
    service, other = serve().service, serve().service
    tournament_id, by = await opened(service, 4), Intervener(ORGANISER)
    await service.start(tournament_id, by)
    player, read = (await service.get(tournament_id)).tournament.entrants[0].person, service.get

    async def read_before(tournament_id: TournamentId) -> StoredTournament:
        stored = await read(tournament_id)
        await other.cancel(tournament_id, by)
        return stored

    monkeypatch.setattr(service, "get", read_before)
    acts: dict[str, Callable[[], Awaitable[object]]] = {
        "withdraw": partial(service.withdraw, tournament_id, player.id),
        "drop": partial(service.drop, tournament_id, player, by),
        "cancel": partial(service.cancel, tournament_id, by),
    }
    with pytest.raises(Refusal, match=r"tournament\.changed"):
        await acts[asked]()


@ON_SQLITE
async def test_a_full_waiting_list(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Further members are told that it is full, until somebody leaves."""
    monkeypatch.setattr("bot.tournaments.service._MOST_WAITING", 1)
    service, late = serve().service, Person(MemberId(9), "m9")
    tournament_id = await opened(service, 4, places=3)
    with pytest.raises(Refusal, match=r"tournament\.full"):
        await service.join(tournament_id, late)
    await service.leave(tournament_id, MemberId(1))
    assert late in (await service.join(tournament_id, late)).joined


async def test_entrants_are_seeded_by_their_ratings(serve: Serve, database: Database) -> None:
    """The ratings at its game on its server count; members without one follow as they joined."""
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
    await service.start(tournament_id, Intervener(ORGANISER))
    stored = await service.get(tournament_id)
    assert [entrant.person.id for entrant in stored.tournament.entrants] == [3, 1, 2, 4]


@dataclass
class Slow:
    """A Discord that only says who has left after `go_on`; `asked` is set before."""

    gone: Collection[MemberId] = ()
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def who_left(self, _: ServerId, members: Collection[MemberId]) -> Collection[MemberId]:
        self.asked.set()
        await self.go_on.wait()
        return [member for member in members if member in self.gone]

    async def meanwhile(self, asking: Coroutine[Any, Any, T], act: Awaitable[object]) -> T:
        """Return the result of `asking`, with `act` done between its question and the answer."""
        task = asyncio.create_task(asking)
        async with asyncio.timeout(5):
            await self.asked.wait()
            await act
        self.go_on.set()
        return await task


@pytest.mark.parametrize("by_itself", [False, True])
@ON_SQLITE
async def test_joining_while_discord_is_asked(serve: Serve, by_itself: bool) -> None:
    """Nobody waits for the answer before a start; members who join meanwhile take part."""
    discord = Slow(gone=[MemberId(1)])
    tournament_id = await opened(serve().service, 4, places=4, when_full=by_itself)
    program = serve(who_left=discord.who_left)
    service, progress = program.service, program.progress
    by = Intervener(ORGANISER)
    starting = progress.advance(tournament_id) if by_itself else service.start(tournament_id, by)
    joining = service.join(tournament_id, Person(MemberId(9), "m9"))
    await discord.meanwhile(starting, joining)
    stored = await service.get(tournament_id)
    assert sorted(entrant.person.id for entrant in stored.tournament.entrants) == [2, 3, 4, 9]


@ON_SQLITE
async def test_leaving_a_full_one_while_discord_is_asked(serve: Serve) -> None:
    """The tournament then waits for another member."""
    discord = Slow()
    tournament_id = await opened(serve().service, 4, places=4, when_full=True)
    program = serve(who_left=discord.who_left)
    service, progress = program.service, program.progress
    leaving = service.leave(tournament_id, MemberId(2))
    stored = await discord.meanwhile(progress.advance(tournament_id), leaving)
    assert stored.tournament.stage is Stage.OPEN


@ON_SQLITE
async def test_leaving_while_discord_is_asked(serve: Serve) -> None:
    """Nobody waits for the answer before a round; members who withdraw meanwhile aren't paired."""
    discord = Slow()
    tournament_id = await opened(serve().service, 4, places=4)
    await serve().service.start(tournament_id, Intervener(ORGANISER))
    program = serve(who_left=discord.who_left)
    service, progress = program.service, program.progress
    leaving = service.withdraw(tournament_id, MemberId(2))
    tournament = (await discord.meanwhile(progress.advance(tournament_id), leaving)).tournament
    (left,) = (entrant.number for entrant in tournament.entrants if not entrant.here)
    assert tournament.round == 1 and not tournament.games_of(left)


@ON_SQLITE
async def test_discord_is_asked_once_a_round(serve: Serve) -> None:
    """The bot asks who has left before each round, but not before replays of drawn games."""
    asked: list[int] = []

    async def who_left(_: ServerId, members: Collection[MemberId]) -> Collection[MemberId]:
        asked.append(len(members))
        return ()

    program = serve(who_left=who_left)
    stored = await program.playing(4, places=4, format=Format.KNOCKOUT)
    (game, _) = (played.pairing for played in stored.tournament.being_played)
    begun = await program.service.begin_match(stored, game, HERE)
    await program.match_store.save(begun, after(begun.match, DRAWN), NOW)
    stored = await program.progress.advance(stored.id)
    assert len(stored.tournament.games) == 3 and asked == [4, 4]


@ON_SQLITE
async def test_leaving_what_one_is_not_in(serve: Serve) -> None:
    """A refused press changes nothing, so the message isn't edited for it."""
    service = serve().service
    tournament_id = await opened(service, 3)
    before = await service.get(tournament_id)
    with pytest.raises(Refusal):
        await service.leave(tournament_id, MemberId(9))
    assert await service.get(tournament_id) == before
