"""Lists of tournaments: those that are due, won, or a server's."""

from collections.abc import Collection, Iterable

import pytest

from bot.clocks.store import go_on
from bot.db.database import Database
from bot.db.tables import tournaments
from bot.identity import ChannelId, MemberId, Place, ServerId, TournamentId
from bot.privacy.store import ServerDataStore
from bot.refusals import Refusal
from bot.shards import Shards
from bot.times import HOUR
from bot.tournaments.intervening import Intervener
from bot.tournaments.meant import Meant
from bot.tournaments.model import Format, Stage, TournamentGame
from bot.tournaments.store import TournamentLists
from bot.tournaments.store.lists import _DUE
from tests.bot.planning import planned
from tests.bot.playing import HERE, NOW, SERVER
from tests.bot.serving import Clock
from tests.bot.tournaments.programs import ORGANISER, Serve, opened, play, run, settings
from tests.bot.tournaments.tournaments import WON


async def seen_by_all(channel_ids: Iterable[ChannelId]) -> Collection[ChannelId]:
    """Return all channels."""
    return set(channel_ids)


async def test_a_tournament_of_another_server(serve: Serve) -> None:
    """The tournament's number means nothing on another server."""
    service = serve().service
    tournament_id = await opened(service, 3)
    assert (await service.get(tournament_id, SERVER)).id == tournament_id
    with pytest.raises(Refusal, match=r"tournament\.none"):
        await service.get(tournament_id, ServerId(SERVER + 1))


async def test_tournaments_that_are_due(serve: Serve, database: Database) -> None:
    """Times, full places, ended matches and stale messages make one due on its own shard."""
    program = serve()
    service, progress = program.service, program.progress
    store = program.store
    timed = await opened(service, 3, starts_at=NOW + HOUR)
    await opened(service, 2, when_full=True)
    await opened(service, 5)
    full = await opened(service, 5, when_full=True)
    for one in range(1, 5):
        stored = await service.get(TournamentId(one))
        await store.note_shown(stored.id, None, stored.revision)
        assert await program.lists.due(NOW) == [], "the answer to the command is on its way"
        await store.put_off(stored.id, NOW)
    assert await program.lists.due(NOW) == [full]
    assert await program.lists.due(NOW + HOUR) == [timed, full]
    elsewhere = TournamentLists(database.serving(Shards(1, 1, 2)))
    assert await elsewhere.due(NOW + HOUR) == []
    await progress.advance(full)
    stored = await service.get(full)
    assert stored.tournament.stage is Stage.RUNNING
    await store.note_channel(full, stored.tournament.being_played[0].pairing, ChannelId(77))
    assert await program.lists.channels() == [HERE.channel_id, 77]
    assert await elsewhere.channels() == []
    await play(program, stored)
    await store.note_shown(full, None, (await service.get(full)).revision)
    assert await program.lists.due(NOW) == [full], "matches have ended"
    await store.put_off(full, NOW + HOUR)
    assert await program.lists.due(NOW) == []


async def test_a_running_tournament_is_due(serve: Serve) -> None:
    """It is due until it is paired, and while a game has no match or no channel."""
    program = serve()
    service, progress = program.service, program.progress
    tournament_id = await opened(service, 4, format=Format.ROUND_ROBIN)

    async def due() -> bool:
        stored = await service.get(tournament_id)
        await program.store.note_shown(tournament_id, None, stored.revision)
        return await program.lists.due(NOW) == [tournament_id]

    await service.start(tournament_id, Intervener(ORGANISER))
    await program.store.put_off(tournament_id, NOW)
    assert await due()
    stored = await progress.advance(tournament_id)
    games = [one.pairing for one in stored.tournament.being_played]
    for at, game in enumerate(games):
        assert await due()
        place = Place(SERVER, ChannelId(at + 1))
        await program.store.note_channel(tournament_id, game, place.channel_id)
        await program.service.begin_match(stored, game, place)
    assert not await due()
    await program.store.note_channel(tournament_id, games[0], None, ChannelId(1))
    assert await due()


async def test_threads_in_use(serve: Serve) -> None:
    """A thread is in use while a match is played in it or was of late, or a game waits there.

    A game that was forfeited before its match began is over.
    """
    program = serve()
    stored = await program.playing(6, places=6)
    played, forfeited, waiting = [one.pairing for one in stored.tournament.being_played]
    threads = [ChannelId(number) for number in (1, 2, 3, 4)]
    for pairing, thread in zip((played, forfeited, waiting), threads, strict=False):
        await program.store.note_channel(stored.id, pairing, thread)
    begun = await program.service.begin_match(stored, played, Place(SERVER, threads[0]))
    over = TournamentGame(forfeited, WON)
    await program.store.enter(await program.service.get(stored.id), [over])

    async def in_use(since: int) -> set[ChannelId]:
        return {*await program.lists.in_use(threads, since)}

    assert await in_use(NOW) == {threads[0], threads[2]}
    await program.matches.resign(begun, min(begun.staying))
    assert await in_use(NOW - 1) == {threads[0], threads[2]}
    assert await in_use(NOW) == {threads[2]}


async def test_tournaments_that_go_on_are_listed_first(serve: Serve, clock: Clock) -> None:
    """Open ones come first, from the newest on, then those that are over, the last to end first.

    If all are over, a command means the last to end.
    """
    program = serve()
    service = program.service
    first, second, third, fourth = [await opened(service, 3) for _ in range(4)]

    async def listed() -> list[TournamentId]:
        return [one.id for one in await program.lists.listed(SERVER, 4)]

    await service.cancel(fourth, Intervener(ORGANISER))
    assert await listed() == [third, second, first, fourth]
    for one in (third, first, second):
        clock.now += 1
        await service.cancel(one, Intervener(ORGANISER))
    assert await listed() == [second, first, third, fourth]
    assert await Meant(program.lists).by_command(HERE, seen_by_all) == second


async def test_the_tournament_that_a_command_means(serve: Serve) -> None:
    """In a game's channel its tournament is meant, unless the command needs one to join."""
    program = serve()
    service, store = program.service, program.store
    hall, elsewhere, nowhere = map(ChannelId, (77, 78, 79))

    async def meant(channel_id: ChannelId, stage: Stage | None = None) -> TournamentId:
        return await Meant(program.lists).by_command(Place(SERVER, channel_id), seen_by_all, stage)

    async def created(channel_id: ChannelId) -> TournamentId:
        return (await service.create(Place(SERVER, channel_id), ORGANISER, settings())).id

    stored = await program.playing(3)
    one, (game,) = stored.id, (played.pairing for played in stored.tournament.being_played)
    await store.note_channel(one, game, hall)
    own = await created(hall)
    assert [await meant(hall, stage) for stage in (None, Stage.RUNNING)] == [one, one]
    assert await meant(hall, Stage.OPEN) == own
    await store.enter(await service.get(one), [TournamentGame(game, (1.0, 0.0))])
    assert await meant(hall) == own
    await service.cancel(own, Intervener(ORGANISER))
    other = await created(elsewhere)
    assert [await meant(hall), await meant(nowhere, Stage.OPEN)] == [one, other]
    with pytest.raises(Refusal, match=r"tournament\.which"):
        await meant(nowhere)
    await service.cancel(one, Intervener(ORGANISER))
    assert await meant(nowhere) == other
    stored = await program.playing(3)
    await store.note_channel(stored.id, stored.tournament.being_played[0].pairing, hall)
    await service.cancel(stored.id, Intervener(ORGANISER))
    own = await created(hall)
    assert await meant(hall) == own


async def test_a_round_looks_at_the_games_of_each_tournament(
    serve: Serve, database: Database
) -> None:
    """Finished games, of which there are more and more, are never read."""
    tournament_id = await opened(serve().service, 3)
    steps = await planned(
        database, _DUE.params(now=NOW), tournaments, lambda n: {"id": tournament_id + n}
    )
    games = [step for step in steps if "tournament_games " in step]
    assert games and all("ix_tournament_games_open" in step for step in games), steps
    assert not any("hashed" in step for step in steps), steps


async def test_tournaments_that_count_as_won(serve: Serve) -> None:
    """A tournament on that server counts if it ended with the member in first place."""
    program = serve()
    service = program.service
    tournament_id = await opened(service, 3)
    await run(serve, tournament_id, program)
    won = [await program.lists.won(SERVER, MemberId(number)) for number in (1, 2, 3)]
    assert sorted(won) == [0, 0, 1]
    winner = MemberId(won.index(1) + 1)
    assert await program.lists.won(ServerId(SERVER + 1), winner) == 0


async def test_no_tournament_is_due_on_a_server_that_removed_the_bot(
    serve: Serve, database: Database
) -> None:
    """Discord would refuse every step; the tournament goes on when the bot is back."""
    program, servers = serve(), ServerDataStore(database, go_on)
    full = await opened(program.service, 5, when_full=True)
    await program.store.put_off(full, NOW)
    await servers.note_left(SERVER, NOW)
    assert await program.lists.due(NOW) == []
    await servers.note_present([SERVER], NOW + HOUR)
    assert await program.lists.due(NOW) == [full]
