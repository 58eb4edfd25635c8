"""Matches in the database: round trips, races, and constraints."""

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.errors import ChangedError
from bot.db.prepared import PreparedSelect
from bot.db.tables import matches, seats
from bot.identity import ChannelId, Context, MatchId, MessageId, Place, ServerId
from bot.matches.model import NewMatch, Series, StoredMatch
from bot.matches.store import ChannelTakenError, MatchStore, insert_match
from bot.matches.store.channel import FINISHED_BEFORE, FINISHED_HERE, LATEST_HERE
from bot.matches.store.matches import (
    _COMPUTER_DUE,
    _UNSHOWN,
    PLAYING_ANYWHERE,
    PLAYING_ON_SERVER,
)
from core.engine.levels import Level
from core.games import GAMES
from core.options import Choice, Options
from core.outcome import Ending, Termination
from core.players import Computer, Member
from tests.bot.planning import planned
from tests.bot.playing import (
    ALICE_ID,
    CAROL_ID,
    HERE,
    NAMES,
    NOW,
    SERVER,
    X_WINS,
    begin,
    both,
    create,
    names_of,
)
from tests.core.boards import ALICE, BOB, ROBOT, after


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(5))
async def test_a_match_round_trips(store: MatchStore, game: str, seed: int) -> None:
    """Game, options, players, names, start, moves and series of a random match are restored."""
    rng = Random(seed)
    declared = GAMES[game].declared
    options: Options = {o.name: rng.choice(o.choices) for o in declared if isinstance(o, Choice)}
    match = begin(game=game, options=options)
    for _ in range(rng.randint(0, 9)):
        if match.next_player is not None:
            match = match.play(rng.choice(match.position.legal_moves()))
    stored = await create(store, match)
    assert await store.load(stored.id) == stored
    nothing = (0,) * match.game.seats
    over = NOW if match.outcome else None
    names = names_of(match)
    assert stored == StoredMatch(
        stored.id, HERE, match, names, stored.id, nothing, ended_at=over, moved_at=NOW
    )


@pytest.mark.parametrize("level", Level)
async def test_the_computer_keeps_its_level(store: MatchStore, level: Level) -> None:
    """A computer's seat has a level and no name."""
    match = begin(ALICE, Computer(level))
    stored = await store.create(NewMatch(HERE, match, ("Alice", None)), NOW)
    loaded = await store.load(stored.id)
    assert loaded == stored
    assert loaded.match.players == (ALICE, Computer(level))


@pytest.mark.parametrize(
    "ending", [Ending(Termination.RESIGNATION, 1), Ending(Termination.AGREEMENT)], ids=str
)
async def test_a_decided_match_round_trips(store: MatchStore, ending: Ending) -> None:
    """Resignations and agreed draws are restored, with the resigning seat."""
    stored = await create(store)
    over = replace(stored.match, ending=ending)
    await store.save(stored, over, NOW)
    loaded = await store.load(stored.id)
    assert loaded is not None
    assert loaded.match == over
    assert loaded.match.outcome == ending.outcome(2)


async def test_snowflakes_fit(database: AsyncEngine, store: MatchStore) -> None:
    """Discord's 63-bit ids and names in any script are stored unchanged."""
    big = 2**63 - 1
    match = begin(Member(big), Member(big - 1))
    names = ('🦉\u200d\u200b O\'Brien "x" \\ ', "名前")
    stored = await store.create(
        NewMatch(Place(ServerId(big), ChannelId(big - 2)), match, names), NOW
    )
    board_id = MessageId(big - 3)
    store.board_ids.note(stored.id, board_id)
    await store.board_ids.write()
    assert await MatchStore(database).load(stored.id) == replace(stored, board_id=board_id)


async def test_missing_rows_are_none(store: MatchStore) -> None:
    """An unknown match and an empty channel are None, not an error."""
    assert await store.load(MatchId(1)) is None
    assert await store.live(HERE.channel_id) is None
    assert await store.latest(HERE.channel_id) is None
    async with store.transaction(MatchId(2**62)) as transaction:
        assert transaction.stored is None


async def test_one_live_match_per_channel(store: MatchStore) -> None:
    """Of two simultaneous starts in a channel the database accepts one."""
    first, second = await both(create(store), create(store))
    assert isinstance(second, ChannelTakenError)
    assert await store.live(HERE.channel_id) == first
    assert await store.latest(HERE.channel_id) == first


async def test_a_refused_start_leaves_nothing(database: AsyncEngine, store: MatchStore) -> None:
    """A match refused because its channel is taken leaves no seats behind."""
    await create(store)
    with pytest.raises(ChannelTakenError):
        await create(store)
    async with database.connect() as connection:
        assert len((await connection.execute(select(matches))).all()) == 1
        assert len((await connection.execute(select(seats))).all()) == 2


async def test_only_a_taken_channel_is_told_so(store: MatchStore) -> None:
    """Another violation, here of a series that doesn't exist, is no taken channel."""
    with pytest.raises(IntegrityError):
        await store.create(NewMatch(HERE, begin(), NAMES, Series(MatchId(999))), NOW)
    stored = await store.create(NewMatch(HERE, begin(), NAMES), NOW)
    with pytest.raises(ChannelTakenError):
        await store.create(NewMatch(HERE, begin(), NAMES, Series(stored.id)), NOW)


async def test_other_channels_are_free(store: MatchStore) -> None:
    """A channel and its thread have a match each."""
    here, there = await asyncio.gather(create(store), create(store, channel_id=21))
    assert await store.live(HERE.channel_id) == here
    assert await store.live(ChannelId(21)) == there


async def test_matches_of_a_server_begin_side_by_side(postgres_database: AsyncEngine) -> None:
    """One that begins waits for no other one, whose transaction hasn't ended."""
    store = MatchStore(postgres_database)
    await create(store, channel_id=21)
    async with postgres_database.begin() as connection:
        others, place = begin(Member(7), Member(8)), Place(SERVER, ChannelId(22))
        await connection.run_sync(insert_match, NewMatch(place, others, names_of(others)), NOW)
        async with asyncio.timeout(5):
            await create(store, channel_id=23)


async def test_a_finished_match_frees_its_channel(store: MatchStore) -> None:
    """After the last move the channel accepts another match, which becomes its latest."""
    first = await create(store)
    over = await store.save(first, after(first.match, X_WINS), NOW)
    assert await store.live(HERE.channel_id) is None
    assert await store.latest(HERE.channel_id) == over
    second = await create(store)
    assert await store.live(HERE.channel_id) == second
    assert await store.latest(HERE.channel_id) == second


async def test_saving_is_compare_and_set(store: MatchStore) -> None:
    """Of two turns from the same state one is written, and the other changes nothing."""
    before = await create(store)
    first, second = await both(
        store.save(before, after(before.match, "b2"), NOW),
        store.save(before, after(before.match, "a1"), NOW),
    )
    assert isinstance(second, ChangedError)
    assert await store.load(before.id) == first
    assert first.match.ply == 1


async def test_two_turns_at_once_play_once(store: MatchStore) -> None:
    """The same press in two transactions plays once."""
    match_id = (await create(store)).id

    async def press() -> StoredMatch:
        async with store.transaction(match_id) as transaction:
            assert transaction.stored is not None
            if transaction.stored.match.ply:
                raise ChangedError
            return await transaction.save(after(transaction.stored.match, "b2"), NOW)

    first, second = await both(press(), press())
    assert isinstance(second, ChangedError)
    assert await store.load(match_id) == first


async def test_resigning_during_the_last_move(database: AsyncEngine, store: MatchStore) -> None:
    """A match that ends twice at once has one outcome, and its ranks."""
    start = await create(store)
    before = await store.save(start, after(start.match, "a1 a3 b1 b3"), NOW)
    first, second = await both(
        store.save(before, after(before.match, "c1"), NOW),
        store.save(before, before.match.resign(ALICE), NOW),
    )
    assert isinstance(second, ChangedError)
    async with database.connect() as connection:
        ranks = await connection.execute(select(seats.c.rank).order_by(seats.c.seat))
        assert tuple(ranks.scalars()) == first.match.outcome.ranks


async def test_a_failed_turn_changes_nothing(store: MatchStore) -> None:
    """An error raised before the turn is saved rolls everything back and frees the connection."""
    before = await create(store)

    async def broken() -> None:
        async with store.transaction(before.id):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await broken()
    assert await store.load(before.id) == before
    assert await store.live(HERE.channel_id) == before


async def test_undo_reopens_an_ended_match(database: AsyncEngine, store: MatchStore) -> None:
    """Undoing the last move makes the match live again, without ranks."""
    start = await create(store, begin(ALICE, ALICE))
    over = await store.save(start, after(start.match, X_WINS), NOW)
    again = await store.save(over, over.match.undo(ALICE), NOW)
    assert await store.live(HERE.channel_id) == again
    async with database.connect() as connection:
        assert set((await connection.execute(select(seats.c.rank))).scalars()) == {None}


async def test_undo_stops_at_a_taken_channel(store: MatchStore) -> None:
    """A finished match isn't resumed in a channel that has another, and is unchanged."""
    start = await create(store, after(begin(), "a1"))
    over = await store.save(start, start.match.resign(BOB), NOW)
    other = await create(store)
    with pytest.raises(ChannelTakenError):
        await store.save(over, over.match.undo(ALICE), NOW)
    assert await store.load(over.id) == over
    assert await store.live(HERE.channel_id) == other


async def test_a_rated_match_stays_as_it_is(store: MatchStore) -> None:
    """It isn't resumed, even by somebody who read it before it was rated."""
    start = await create(store)
    over = await store.save(start, after(start.match, X_WINS), NOW)
    read_before = replace(over, changes=())
    with pytest.raises(ChangedError):
        await store.save(read_before, over.match.undo(ALICE), NOW)
    assert await store.load(over.id) == over


async def test_matches_waiting_for_the_computer(store: MatchStore) -> None:
    """Listed are the live matches in which the computer is to move, and no others."""
    waiting = await create(store, after(begin(ALICE, ROBOT), "b2"), 1)
    await create(store, begin(ALICE, ROBOT), 2)
    await create(store, begin(), 3)
    ended = await create(store, after(begin(ALICE, ROBOT), "b2"), 4)
    await store.save(ended, ended.match.resign(ALICE), NOW)
    assert await store.computer_due() == [(waiting.id, waiting.place.channel_id)]
    await store.save(waiting, after(waiting.match, "a1"), NOW)
    assert await store.computer_due() == []


@pytest.mark.parametrize(
    ("statement", "index"),
    [(_COMPUTER_DUE, "ix_matches_computer_due"), (_UNSHOWN, "ix_matches_unshown")],
)
async def test_a_start_looks_at_no_other_matches(
    database: AsyncEngine, store: MatchStore, statement: Select[Any], index: str
) -> None:
    """What a start asks for is found by an index of just that, however many matches are live."""
    stored = await create(store)
    bound = statement.params(since=NOW, until=NOW) if "since" in str(statement) else statement
    steps = await planned(
        database,
        bound,
        matches,
        lambda n: {"id": stored.id + n, "channel_id": HERE.channel_id + n, "board_id": n},
    )
    assert any(index in step for step in steps), steps
    assert not any("Seq Scan" in step for step in steps), steps


async def test_the_matches_that_a_member_plays(store: MatchStore) -> None:
    """Those of a server, or of all places; of more than are wanted, those that run out first."""
    slow, quick, other, over = [
        await store.create(NewMatch(place, match, NAMES, clock=clock), NOW)
        for place, match, clock in (
            (HERE, begin(), 7200),
            (replace(HERE, channel_id=ChannelId(21)), begin(), 3600),
            (Place(None, ChannelId(22), context=Context.PRIVATE), begin(), None),
            (replace(HERE, channel_id=ChannelId(23)), after(begin(), X_WINS), None),
        )
    ]
    played = await store.playing(SERVER, ALICE_ID, 10)
    assert sorted(one.id for one in played) == [slow.id, quick.id]
    anywhere = await store.playing(None, ALICE_ID, 10)
    assert sorted(one.id for one in anywhere) == [slow.id, quick.id, other.id]
    assert [one.id for one in await store.playing(None, ALICE_ID, 1)] == [quick.id]
    assert await store.playing(None, CAROL_ID, 10) == []
    await store.archive(slow, NOW)
    assert [one.id for one in await store.playing(SERVER, ALICE_ID, 10)] == [quick.id]
    assert over.match.outcome


@pytest.mark.parametrize("statement", [PLAYING_ON_SERVER, PLAYING_ANYWHERE], ids=["here", "all"])
async def test_the_matches_of_a_member_are_found_by_their_seats(
    database: AsyncEngine, store: MatchStore, statement: PreparedSelect
) -> None:
    """However many matches are live, none but the member's are looked at."""
    stored = await create(store)
    steps = await planned(
        database,
        statement.statement.params(user_id=ALICE_ID, server_id=SERVER, most=100),
        matches,
        lambda n: {"id": stored.id + n, "channel_id": HERE.channel_id + n},
    )
    assert any("ix_seats_user" in step for step in steps), steps
    assert not any("SCAN matches" in step or "Seq Scan on matches" in step for step in steps), steps


@pytest.mark.parametrize(
    "statement",
    [FINISHED_BEFORE, FINISHED_HERE.statement, LATEST_HERE.statement],
    ids=["before", "over", "any"],
)
async def test_the_last_match_of_a_channel_is_found_by_its_end(
    database: AsyncEngine, store: MatchStore, statement: Select[Any]
) -> None:
    """However many have ended there, none but the last is looked at."""
    stored = await create(store, after(begin(), X_WINS))
    steps = await planned(
        database,
        statement.params(channel_id=HERE.channel_id, match_id=stored.id + 2000),
        matches,
        lambda n: {"id": stored.id + n, "ended_at": NOW + n},
    )
    assert any("ix_matches_channel_ended" in step for step in steps), steps
    assert not any("SCAN matches" in step or "Seq Scan on matches" in step for step in steps), steps
