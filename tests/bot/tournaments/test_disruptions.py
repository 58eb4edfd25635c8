"""Disruptions while a tournament goes on: erased members, a deleted channel, a damaged match."""

from functools import partial
from random import Random

import pytest

from bot.clocks.service import ClockService
from bot.clocks.store import DueStore
from bot.db.database import Database
from bot.db.errors import ChangedError
from bot.identity import ChannelId, MemberId, Place
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.privacy.service import PrivacyService
from bot.privacy.store import PersonalStore
from bot.refusals import Refusal
from bot.tournaments.intervening import Intervener
from bot.tournaments.model import Format, Stage
from bot.tournaments.standings import standings
from bot.tournaments.stored import Note, NoteKind, StoredTournament
from core.outcome import Termination
from core.players import Member
from tests.bot.meanwhile import meanwhile
from tests.bot.playing import HERE, NOW, ON_SQLITE, SERVER
from tests.bot.serving import Clock
from tests.bot.tournaments.programs import ORGANISER, Program, Serve, opened, run


async def test_erased_members_leave_or_withdraw(serve: Serve, privacy: PrivacyService) -> None:
    """Before the start they are out; later they are withdrawn, without a name; the rest plays on.

    Earlier withdrawals keep their time, and notes about others keep their names.
    """
    program = serve()
    service, progress = program.service, program.progress
    running, waiting = await opened(service, 4), await opened(service, 4)
    await service.start(running, Intervener(ORGANISER))
    await service.withdraw(running, MemberId(2))
    stored = await progress.advance(running)
    await service.withdraw(running, MemberId(3))
    for member in (MemberId(1), MemberId(2), ORGANISER.id):
        await privacy.forget(member)
    assert [person.id for person in (await service.get(waiting)).joined] == [3, 4]
    stored = await service.get(running)
    gone = [entrant for entrant in stored.tournament.entrants if entrant.person.id < 0]
    assert len(gone) == 2 and {entrant.withdrawn_after for entrant in gone} == {0, 1}
    assert not any(entrant.person.name for entrant in gone)
    assert stored.organiser.id < 0 and not stored.organiser.name
    assert [note.who and note.who.name for note in stored.notes] == [None, "m3"]
    await run(serve, running, program)


async def begun_with_one_damaged(
    program: Program, stored: StoredTournament, database: Database
) -> list[StoredMatch]:
    """Begin all games that are due, each in a channel of its own; the first becomes unreadable."""
    begun = [
        await program.service.begin_match(stored, one.pairing, Place(SERVER, ChannelId(number)))
        for number, one in enumerate(stored.tournament.being_played, 1)
    ]
    async with database.begin() as connection:
        await connection.exec_driver_sql(f"UPDATE matches SET moves = '?' WHERE id = {begun[0].id}")
    return begun


@ON_SQLITE
async def test_those_who_withdraw_resign_the_games_that_can_be_read(
    serve: Serve, database: Database
) -> None:
    """A game that can't be read, or has just ended, doesn't keep the tournament from going on."""
    program = serve()
    service, progress = program.service, program.progress
    stored = await program.playing(4, format=Format.ROUND_ROBIN)
    begun = await begun_with_one_damaged(program, stored, database)
    for one in stored.tournament.being_played:
        leaving = stored.tournament.entrants[one.pairing.entrants[1]].person.id
        await service.withdraw(stored.id, leaving)
    stored = await service.get(stored.id)
    resigned = await progress.resign_withdrawn(stored)
    assert [match.id for match in resigned] == [begun[1].id]
    assert await progress.resign_withdrawn(stored) == []


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (NoteKind.LEFT, Termination.RESIGNATION),
        (NoteKind.GONE, Termination.DEPARTURE),
        (NoteKind.DROPPED, Termination.DROPPED),
    ],
)
@ON_SQLITE
async def test_why_a_game_of_who_has_withdrawn_is_lost(
    serve: Serve, kind: NoteKind, told: Termination
) -> None:
    """Only a player who withdraws resigns; others have left the server, or were taken out."""
    program = serve()
    service, progress = program.service, program.progress
    stored = await program.playing(3)
    (game,) = (played.pairing for played in stored.tournament.being_played)
    begun = await program.service.begin_match(stored, game, HERE)
    loser = stored.tournament.entrants[game.entrants[0]]
    async with service.held(stored.id) as held:
        await program.store.enter(held, withdrawn={loser.number: Note(NOW, kind, loser.person)})
    (lost,) = await progress.resign_withdrawn(await service.get(stored.id))
    assert lost.id == begun.id
    assert lost.match.outcome is not None and lost.match.outcome.termination is told
    ended = await progress.advance(stored.id)
    (result,) = (played for played in ended.tournament.games if played.pairing == game)
    assert result.points == (0.0, 1.0)
    assert lost.match.outcome.counts is (kind is not NoteKind.DROPPED), (
        "an organiser has no ratings"
    )


async def test_erased_members_keep_their_rank_in_a_tournament_that_has_ended(
    serve: Serve, privacy: PrivacyService
) -> None:
    """They haven't withdrawn: each of three has beaten the next one, and they share the place."""
    program = serve()
    tournament_id = await opened(program.service, 3, format=Format.ROUND_ROBIN)
    await run(serve, tournament_id, program)
    before = await program.service.get(tournament_id)
    await privacy.forget(MemberId(1))
    after = await program.service.get(tournament_id)
    assert [score.rank for score in standings(before.tournament)] == [1, 1, 1]
    assert standings(after.tournament) == standings(before.tournament)
    assert [person.id for person in after.joined if person.id > 0] == [2, 3]


async def test_a_member_erased_while_their_game_is_opened(
    serve: Serve, privacy: PrivacyService
) -> None:
    """No match is written with their name and id: the game is forfeited."""
    program = serve()
    stored = await program.playing(3)
    (game,) = (played.pairing for played in stored.tournament.being_played)
    await privacy.forget(stored.tournament.entrants[game.entrants[0]].person.id)
    with pytest.raises(ChangedError):
        await program.service.begin_match(stored, game, HERE)
    now = await program.progress.advance(stored.id)
    (result,) = (played for played in now.tournament.games if played.pairing == game)
    assert result.points == (0.0, 1.0)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_a_member_erased_while_their_game_begins(
    database: Database, serve: Serve, matches: MatchService
) -> None:
    """The match begins first, and their seat in it is erased."""
    program = serve()
    stored = await program.playing(3)
    (game,) = (played.pairing for played in stored.tournament.being_played)
    erased = stored.tournament.entrants[game.entrants[0]].person.id
    forget = partial(PersonalStore(database, Random(1)).forget, erased)
    async with meanwhile(database, "INSERT INTO matches", forget):
        begun = await program.service.begin_match(stored, game, HERE)
    assert Member(erased) in begun.match.players
    assert Member(erased) not in (await matches.get(begun.id)).match.players


@ON_SQLITE
async def test_a_deadline_in_a_deleted_thread(
    serve: Serve, due: DueStore, store: MatchStore, clock: Clock
) -> None:
    """The game is called off, since its player can't reach it, and counts as drawn."""
    program = serve()
    stored = await program.playing(3)
    game = stored.tournament.being_played[0].pairing
    begun = await program.service.begin_match(stored, game, HERE)
    clocks = ClockService(due, store, program.matches, clock)
    over = await clocks.time_out(begun, closed_to=begun.staying)
    assert over is not None and over.match.outcome is not None
    assert over.match.outcome.termination is Termination.STRANDED
    now = await program.progress.advance(stored.id)
    (result,) = (played for played in now.tournament.games if played.pairing == game)
    assert result.points == (0.5, 0.5)


@ON_SQLITE
async def test_a_tournament_whose_channel_is_deleted_as_it_ends(serve: Serve) -> None:
    """It has ended by the time that the deletion is looked at, and isn't cancelled."""
    program = serve()
    tournament_id = await opened(program.service, 3)
    await run(serve, tournament_id, program)
    with pytest.raises(Refusal, match=r"tournament\.over"):
        await program.service.channel_deleted(tournament_id)
    assert (await program.service.get(tournament_id)).tournament.stage is Stage.ENDED


async def test_a_deleted_tournament_channel_with_a_game_that_can_not_be_read(
    serve: Serve, database: Database
) -> None:
    """The tournament is still cancelled, and its games are called off."""
    program = serve()
    service = program.service
    stored = await program.playing(4)
    begun = await begun_with_one_damaged(program, stored, database)
    await service.channel_deleted(stored.id)
    assert (await service.get(stored.id)).tournament.stage is Stage.CANCELLED
    outcome = (await program.matches.get(begun[1].id)).match.outcome
    assert outcome is not None and outcome.termination is Termination.STRANDED
