"""Results that are entered: once, or by hand over another."""

import asyncio
from dataclasses import replace

import pytest

from bot.db.database import Database
from bot.db.errors import ChangedError
from bot.identity import ChannelId, MemberId, Place
from bot.matches.clock import DEFAULT_CLOCK
from bot.matches.service import MatchService
from bot.refusals import Refusal
from bot.times import MINUTE
from bot.tournaments.intervening import Intervener
from bot.tournaments.model import Format, How, PairingKey, Stage, TournamentGame
from bot.tournaments.pairings import next_pairings
from bot.tournaments.round_robin import schedule
from bot.tournaments.stored import Note, NoteKind, StoredTournament
from core.outcome import Ending, Termination
from core.players import Member
from tests.bot.playing import HERE, NOW, ON_SQLITE, SERVER, begin, create
from tests.bot.serving import Clock
from tests.bot.tournaments.programs import ORGANISER, Program, Serve, opened, play
from tests.core.boards import ROBOT, after


async def test_the_result_that_is_entered_first_stays(serve: Serve) -> None:
    """Of two results for a game, and of two withdrawals of an entrant, the first one stays."""
    program = serve()
    stored = await program.playing(3, format=Format.ROUND_ROBIN)
    (game,) = (played.pairing for played in stored.tournament.being_played)
    withdrawn = {0: Note(NOW, NoteKind.LEFT, stored.tournament.entrants[0].person)}
    await program.store.enter(stored, [TournamentGame(game, (1.0, 0.0))], withdrawn)
    with pytest.raises(ChangedError):
        await program.store.enter(stored, [TournamentGame(game, (0.0, 1.0))], withdrawn)
    stored = await program.service.get(stored.id)
    tournament = stored.tournament
    assert [one.points for one in tournament.games if one.pairing == game] == [(1.0, 0.0)]
    assert tournament.entrants[0].withdrawn_after == 1 and len(stored.notes) == 1


async def test_a_game_begins_once(serve: Serve) -> None:
    """It doesn't begin again, nor after its result was entered."""
    program = serve()
    stored = await program.playing(4, format=Format.ROUND_ROBIN)
    first, second = (one.pairing for one in stored.tournament.being_played)
    await program.service.begin_match(stored, first, HERE)
    await program.store.enter(stored, [TournamentGame(second, (1.0, 0.0))])
    for game, channel in ((first, 21), (second, 22)):
        with pytest.raises(ChangedError):
            await program.service.begin_match(
                stored, game, replace(HERE, channel_id=ChannelId(channel))
            )
    assert await program.match_store.count_live() == 1


@ON_SQLITE
async def test_a_game_that_waits_for_its_channel_has_its_whole_clock(
    serve: Serve, matches: MatchService, clock: Clock
) -> None:
    """Its time runs from the moment in which it begins."""
    program = serve()
    stored = await program.playing(3)
    game = next(one.pairing for one in stored.tournament.being_played)
    async with matches.lock(HERE.channel_id):
        beginning = asyncio.create_task(program.service.begin_match(stored, game, HERE))
        await asyncio.sleep(0.05)  # it waits for its turn
        clock.now += MINUTE
    begun = await beginning
    assert begun.timing.deadline == clock.now + (stored.settings.clock or DEFAULT_CLOCK)


async def test_a_cancellation_while_games_are_opened(serve: Serve) -> None:
    """No game is opened or begun any more, and its channel isn't noted."""
    program = serve()
    service = program.service
    stored = await program.playing(4, format=Format.ROUND_ROBIN)
    first, second = (one.pairing for one in stored.tournament.being_played)
    await program.store.note_channel(stored.id, first, HERE.channel_id)
    await service.cancel(stored.id, Intervener(ORGANISER))
    with pytest.raises(ChangedError):
        await program.service.begin_match(stored, first, HERE)
    with pytest.raises(ChangedError):
        await program.store.note_channel(stored.id, second, ChannelId(77))
    assert await program.lists.played_in(HERE.channel_id) == []


@ON_SQLITE
async def test_a_player_who_plays_alone_where_their_game_is_opened(
    serve: Serve, matches: MatchService
) -> None:
    """The player's match against the computer is put away for the game."""
    program = serve()
    stored = await program.playing(3)
    (game,) = (one.pairing for one in stored.tournament.being_played)
    player = Member(stored.tournament.people(game)[0].id)
    alone = await create(program.match_store, begin(player, ROBOT))
    begun = await program.service.begin_match(stored, game, HERE)
    assert begun.id != alone.id
    assert (await matches.get(alone.id)).archived


@ON_SQLITE
async def test_a_game_that_both_have_left(serve: Serve) -> None:
    """It brings neither player a point, and they are withdrawn; a called-off game is drawn."""
    program = serve()
    stored = await program.playing(4, format=Format.ROUND_ROBIN)
    games = [one.pairing for one in stored.tournament.being_played]
    for number, game in enumerate(games):
        place = Place(SERVER, ChannelId(number + 1))
        begun = await program.service.begin_match(stored, game, place)
        match = begun.match
        ended = match.call_off() if number else match.depart(*match.players)
        await program.match_store.save(begun, ended, NOW)
    tournament = (await program.progress.advance(stored.id)).tournament
    points = [one.points for one in tournament.games if one.pairing in games]
    assert points == [(0.0, 0.0), (0.5, 0.5)]
    assert [one.number for one in tournament.entrants if not one.here] == sorted(games[0].entrants)


async def test_a_round_is_paired_as_it_was_read(serve: Serve) -> None:
    """It isn't paired if somebody has withdrawn meanwhile."""
    program = serve()
    service = program.service
    tournament_id = await opened(service, 4)
    await service.start(tournament_id, Intervener(ORGANISER))
    before = await service.get(tournament_id)
    await serve().service.withdraw(tournament_id, MemberId(2))
    pairings = next_pairings(before.tournament)
    with pytest.raises(ChangedError):
        await program.store.pair(before, [TournamentGame(one) for one in pairings])
    assert (await service.get(tournament_id)).tournament.games == ()


@ON_SQLITE
async def test_members_who_have_withdrawn_are_not_missed(serve: Serve) -> None:
    """Nobody notes that they didn't come to a game that ran out of time just before."""
    program = serve()
    service, progress = program.service, program.progress
    stored = await program.playing(4)
    game = stored.tournament.being_played[0].pairing
    begun = await program.service.begin_match(stored, game, HERE)
    await program.match_store.save(begun, begun.match.time_out(), NOW)
    leaving = stored.tournament.entrants[game.entrants[0]].person
    await service.withdraw(stored.id, leaving.id)
    stored = await progress.advance(stored.id)
    assert [(note.kind, note.who) for note in stored.notes] == [(NoteKind.LEFT, leaving)]


@ON_SQLITE
async def test_results_that_can_not_be_corrected(serve: Serve) -> None:
    """Byes, unknown games, a knockout's game to a draw, and a game whose winner plays on can't.

    In a cancelled tournament no game can be corrected.
    """
    program = serve()
    tournament_id = await opened(program.service, 3, format=Format.KNOCKOUT)

    async def refusal(key: PairingKey, *points: float) -> str:
        first, second = points
        with pytest.raises(Refusal) as refused:
            await program.corrections.correct(
                tournament_id, Intervener(ORGANISER), key, (first, second)
            )
        return str(refused.value.reason).removeprefix("refusal.tournament.")

    assert await refusal(PairingKey(1, 1, 1), 1, 0) == "no_game"
    await program.service.start(tournament_id, Intervener(ORGANISER))
    stored = await program.progress.advance(tournament_id)
    (bye,) = (one.pairing.key for one in stored.tournament.games if one.pairing.is_bye)
    (game,) = (one.pairing.key for one in stored.tournament.being_played)
    assert await refusal(bye, 0, 1) == "bye"
    assert await refusal(game, 0.5, 0.5) == "drawn"
    assert await refusal(PairingKey(9, 1, 1), 1, 0) == "no_game"
    await play(program, stored)
    await program.progress.advance(tournament_id)
    assert await refusal(game, 0, 1) == "played_on"
    await program.service.cancel(tournament_id, Intervener(ORGANISER))
    assert await refusal(game, 0, 1) == "over"


@pytest.mark.parametrize("format_", [Format.SWISS, Format.ROUND_ROBIN])
async def test_a_correction_to_a_draw(serve: Serve, format_: Format) -> None:
    """Only a knockout refuses it. The leaders of a running tournament haven't won it yet."""
    program = serve()
    stored = await program.playing(4, format=format_)
    game = stored.tournament.being_played[0].pairing
    corrected = await program.correct(stored, game.key, (0.5, 0.5))
    assert [one.points for one in corrected.tournament.games if one.pairing == game] == [(0.5, 0.5)]
    assert corrected.told
    leaders = corrected.tournament.people(game)
    assert [await program.lists.won(SERVER, one.id) for one in leaders] == [0, 0]


async def missed(program: Program, format_: Format, size: int) -> tuple[StoredTournament, int]:
    """Return a tournament after a game whose first player never moved, and that player."""
    stored = await program.playing(size, format=format_)
    game, *_ = (one.pairing for one in stored.tournament.being_played)
    begun = await program.service.begin_match(stored, game, HERE)
    await program.match_store.save(begun, begun.match.time_out(), NOW)
    return await program.progress.advance(stored.id), game.entrants[0]


@pytest.mark.parametrize("format_", [Format.SWISS, Format.ROUND_ROBIN, Format.KNOCKOUT])
async def test_a_correction_of_a_missed_game_brings_the_player_back(
    serve: Serve, format_: Format
) -> None:
    """A player who never moved is withdrawn, and plays all other games once they get a point.

    Without a point they stay out.
    """
    program = serve()
    progress = program.progress
    stored, number = await missed(program, format_, 4)
    (game,) = (
        one.pairing for one in stored.tournament.by_round[1] if one.how is How.PLAYED and one.over
    )
    for points, here in (((0.0, 0.0), False), ((0.0, 1.0), False), ((1.0, 0.0), True)):
        assert not stored.tournament.entrants[number].here
        stored = await program.correct(stored, game.key, points)
        assert stored.tournament.entrants[number].here == here
    while not (stored := await progress.advance(stored.id)).over:
        await play(program, stored)
    own = stored.tournament.games_of(number)
    assert len(own) == stored.tournament.rounds and {one.how.on_board for one in own} == {True}


@pytest.mark.parametrize("format_", [Format.SWISS, Format.ROUND_ROBIN, Format.KNOCKOUT])
@pytest.mark.parametrize("kind", [NoteKind.DROPPED, NoteKind.GONE, NoteKind.LEFT])
@ON_SQLITE
async def test_a_correction_of_the_game_that_a_withdrawal_has_ended(
    serve: Serve, kind: NoteKind, format_: Format
) -> None:
    """A player who left the server or was taken out comes back; one who withdrew doesn't."""
    program = serve()
    stored = await program.playing(4, format=format_)
    game, other = (one.pairing for one in stored.tournament.being_played)
    begun = await program.service.begin_match(stored, game, HERE)
    await program.match_store.save(begun, after(begun.match, "b2 a1"), NOW)
    result = TournamentGame(other, (0.0, 1.0))
    async with program.service.held(stored.id) as held:
        leaving = [held.tournament.entrants[one.entrants[0]] for one in (game, other)]
        withdrawn = {one.number: Note(NOW, kind, one.person) for one in leaving}
        await program.store.enter(held, [result], withdrawn)
    stored = await program.service.get(stored.id)
    await program.progress.resign_withdrawn(stored)
    await program.store.enter(stored, [TournamentGame(game, (0.0, 1.0))])
    for one in (other, game):
        stored = await program.correct(stored, one.key, (1.0, 0.0))
    assert all(one.here for one in stored.tournament.entrants) is (kind is not NoteKind.LEFT)


@ON_SQLITE
async def test_a_correction_of_an_earlier_game_brings_nobody_back(serve: Serve) -> None:
    """A player who was taken out afterwards had played that game, and lost it."""
    program = serve()
    stored = await program.playing(4, format=Format.ROUND_ROBIN)
    first = stored.tournament.being_played[0].pairing
    loser = stored.tournament.people(first)[1]
    for _ in range(2):
        await play(program, stored)
        stored = await program.progress.advance(stored.id)
    await program.service.drop(stored.id, loser, Intervener(ORGANISER))
    stored = await program.correct(stored, first.key, (0.5, 0.5))
    assert not stored.tournament.entrants[first.entrants[1]].here


@ON_SQLITE
async def test_both_players_of_a_game_come_back(serve: Serve) -> None:
    """They had left the server, and the organiser lets them share the point."""
    program = serve()
    stored = await program.playing(4, format=Format.ROUND_ROBIN)
    game, _ = (one.pairing for one in stored.tournament.being_played)
    begun = await program.service.begin_match(stored, game, HERE)
    await program.match_store.save(begun, begun.match.depart(*begun.match.players), NOW)
    stored = await program.progress.advance(stored.id)
    assert len([entrant for entrant in stored.tournament.entrants if entrant.here]) == 2
    stored = await program.correct(stored, game.key, (0.5, 0.5))
    assert all(entrant.here for entrant in stored.tournament.entrants)


@pytest.mark.parametrize("ended", [False, True])
@ON_SQLITE
async def test_a_correction_of_a_forfeited_game(serve: Serve, ended: bool) -> None:
    """It brings back a player who was taken out between games, to play the others.

    But not after the end, since nobody plays on then.
    """
    program = serve()
    by, progress = Intervener(ORGANISER), program.progress
    stored = await program.playing(4, format=Format.ROUND_ROBIN)
    player = stored.tournament.entrants[0]
    won = [TournamentGame(one.pairing, (1.0, 0.0)) for one in stored.tournament.being_played]
    await program.store.enter(stored, won)
    await program.service.drop(stored.id, player.person, by)
    stored = await progress.advance(stored.id)
    while ended and not stored.over:
        await play(program, stored)
        stored = await progress.advance(stored.id)
    *_, forfeited = stored.tournament.games_of(player.number)
    assert forfeited.how is How.FORFEIT
    points = tuple(float(n == player.number) for n in forfeited.pairing.entrants)
    stored = await program.correct(stored, forfeited.pairing.key, (points[0], points[1]))
    assert stored.tournament.entrants[player.number].here is not ended
    while not stored.over:
        await play(program, stored)
        stored = await progress.advance(stored.id)
    own = stored.tournament.games_of(player.number)
    assert len(own) == 3 and [one.how for one in own].count(How.FORFEIT) == int(ended)


async def _miss(program: Program, stored: StoredTournament) -> tuple[TournamentGame, int]:
    """Let the first player of a game never move; return the game, and that player."""
    game = stored.tournament.being_played[0]
    begun = await program.service.begin_match(stored, game.pairing, HERE)
    await program.match_store.save(begun, begun.match.time_out(), NOW)
    return game, game.pairing.entrants[0]


@pytest.mark.parametrize("format_", [Format.SWISS, Format.ROUND_ROBIN, Format.KNOCKOUT])
@ON_SQLITE
async def test_a_game_missed_in_the_last_round(serve: Serve, format_: Format) -> None:
    """A correction brings its player back after the end too, since nothing was played without them.

    That of an earlier round comes too late then.
    """
    program = serve()
    stored = await program.playing(4, format=format_)
    rounds = stored.tournament.rounds
    left = {rounds} if format_ is Format.KNOCKOUT else {1, rounds}
    missed = list[tuple[TournamentGame, int]]()
    while not stored.over:
        if stored.tournament.round in left:
            left.remove(stored.tournament.round)
            missed.append(await _miss(program, stored))
        else:
            won = [
                TournamentGame(one.pairing, (1.0, 0.0)) for one in stored.tournament.being_played
            ]
            await program.store.enter(stored, won)
        stored = await program.progress.advance(stored.id)
    for game, number in missed:
        stored = await program.correct(stored, game.pairing.key, (1.0, 0.0))
        assert stored.tournament.entrants[number].here == (game.pairing.round == rounds)


@ON_SQLITE
async def test_who_comes_back_after_the_end_shares_a_place(serve: Serve) -> None:
    """Three have beaten each other in a circle; one who has withdrawn would stand below."""
    program = serve()
    stored = await program.playing(3, format=Format.ROUND_ROBIN)
    first, second = list(schedule(3, 1))[-1].entrants
    for _ in range(2):
        (game,) = stored.tournament.being_played
        entrants = game.pairing.entrants
        beaten = first if first in entrants else next(one for one in entrants if one != second)
        points = tuple(float(one != beaten) for one in entrants)
        await program.store.enter(stored, [TournamentGame(game.pairing, points)])
        stored = await program.progress.advance(stored.id)
    game, _ = await _miss(program, stored)
    await program.progress.advance(stored.id)
    await program.correct(stored, game.pairing.key, (1.0, 0.0))
    assert [await program.lists.won(SERVER, MemberId(number)) for number in (1, 2, 3)] == [1] * 3


@pytest.mark.parametrize("side", [0, 1])
@ON_SQLITE
async def test_a_correction_that_brings_a_player_back_changes_no_other_round(
    serve: Serve, side: int
) -> None:
    """Their win by forfeit and their loss in earlier rounds stay, and so do all withdrawals."""
    program = serve()
    service, progress = program.service, program.progress
    stored = await program.playing(8, places=8, swiss_rounds=3)
    one, other, *played = (game.pairing for game in stored.tournament.being_played)
    number, gone = (other, one)[side].entrants[side], {one.entrants[0], other.entrants[1]}
    await program.store.enter(stored, [TournamentGame(game, (1.0, 0.0)) for game in played])
    for withdrawn in gone:
        await service.withdraw(stored.id, stored.tournament.entrants[withdrawn].person.id)
    stored = await progress.advance(stored.id)
    lost = (float(number != game.pairing.entrants[0]) for game in stored.tournament.being_played)
    results = [
        TournamentGame(game.pairing, (first, 1 - first))
        for game, first in zip(stored.tournament.being_played, lost, strict=True)
    ]
    await program.store.enter(stored, results)
    stored = await progress.advance(stored.id)
    (game,) = (
        game.pairing for game in stored.tournament.being_played if number in game.pairing.entrants
    )
    begun = await program.service.begin_match(stored, game, HERE)
    seat = game.entrants.index(number)
    await program.match_store.save(begun, after(begun.match, "b2" * seat).time_out(), NOW)
    stored = await progress.advance(stored.id)
    assert not stored.tournament.entrants[number].here
    late = stored.tournament.being_played[0].pairing.entrants[0]
    await service.withdraw(stored.id, stored.tournament.entrants[late].person.id)
    before = (await progress.advance(stored.id)).tournament
    key, points = game.key, (1.0 - seat, float(seat))
    tournament = (await program.correct(stored, key, points)).tournament
    assert {entrant.number for entrant in tournament.entrants if not entrant.here} == {*gone, late}
    assert [tournament.by_round[n] for n in (1, 2)] == [before.by_round[n] for n in (1, 2)]


@ON_SQLITE
async def test_a_player_who_was_brought_back_and_leaves(serve: Serve) -> None:
    """They lose by resignation, though an earlier note says that they were gone."""
    program = serve()
    service, progress = program.service, program.progress
    stored, number = await missed(program, Format.ROUND_ROBIN, 3)
    key = stored.tournament.games_of(number)[0].pairing.key
    await program.correct(stored, key, (0.5, 0.5))
    stored = await progress.advance(stored.id)
    (others,) = (one.pairing for one in stored.tournament.being_played)
    assert number not in others.entrants, "their opponent plays, and nobody plays two at a time"
    await play(program, stored)
    stored = await progress.advance(stored.id)
    (game,) = (one.pairing for one in stored.tournament.being_played)
    await program.service.begin_match(stored, game, HERE)
    await service.withdraw(stored.id, stored.tournament.entrants[number].person.id)
    (lost,) = await progress.resign_withdrawn(await service.get(stored.id))
    assert lost.match.ending == Ending(Termination.RESIGNATION, game.entrants.index(number))


@ON_SQLITE
async def test_a_correction_that_ends_a_tournament(serve: Serve) -> None:
    """The end doesn't count as corrected, though the correction has the same moment."""
    program = serve()
    progress = program.progress
    stored = await program.playing(3, swiss_rounds=1)
    (game,) = (one.pairing for one in stored.tournament.being_played)
    await program.correct(stored, game.key, (1.0, 0.0))
    ended = await progress.advance(stored.id)
    assert ended.tournament.stage is Stage.ENDED and not ended.corrected


@ON_SQLITE
async def test_a_result_that_the_game_has(serve: Serve) -> None:
    """It leaves no note, though the game was played and this one was entered by hand."""
    program = serve()
    stored = await program.playing(3)
    await play(program, stored)
    stored = await program.progress.advance(stored.id)
    game = next(one for one in stored.tournament.games if one.points == (1.0, 0.0))
    corrected = await program.corrections.correct(
        stored.id, Intervener(ORGANISER), game.pairing.key, (1.0, 0.0)
    )
    assert corrected.note is None
    assert corrected.stored == stored


async def test_a_correction_of_a_game_that_can_not_be_read(
    serve: Serve, database: Database
) -> None:
    """Its result is entered like any other, and it ends: its channel is free for others."""
    program = serve()
    stored = await program.playing(4, format=Format.ROUND_ROBIN)
    game = stored.tournament.being_played[0].pairing
    begun = await program.service.begin_match(stored, game, HERE)
    async with database.begin() as connection:
        await connection.exec_driver_sql(f"UPDATE matches SET moves = '?' WHERE id = {begun.id}")
    by = Intervener(ORGANISER)
    correction = await program.corrections.correct(stored.id, by, game.key, (1.0, 0.0))
    stored = correction.stored
    assert correction.ended is None
    assert await program.match_store.live(HERE.channel_id) is None
    (result,) = (one for one in stored.tournament.games if one.pairing == game)
    assert result.points == (1.0, 0.0)


@ON_SQLITE
async def test_a_move_in_the_moment_of_a_correction(serve: Serve, matches: MatchService) -> None:
    """The game is called off as it is after the move; the correction isn't refused."""
    program = serve()
    stored = await program.playing(3)
    game = next(one.pairing for one in stored.tournament.being_played)
    place = replace(HERE, channel_id=ChannelId(21))
    await program.store.note_channel(stored.id, game, place.channel_id)
    begun = await program.service.begin_match(stored, game, place)
    async with matches.lock(place.channel_id):
        correcting = asyncio.create_task(
            program.corrections.correct(stored.id, Intervener(ORGANISER), game.key, (1.0, 0.0))
        )
        mover = stored.tournament.entrants[game.entrants[0]].person.id
        await asyncio.sleep(0.05)  # it waits for its turn
        await matches.play(begun.id, mover, "b2")
    ended = (await correcting).ended
    assert ended is not None and ended.match.ply == 1
    assert ended.match.outcome and not ended.match.outcome.counts
