"""Matches in the database: what comes back, who wins a race, and what the database itself holds."""

import asyncio
from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import matches, seats
from bot.matches.model import Place, Series, StoredMatch
from bot.matches.store import MatchStore
from bot.matches.turns import ChangedError, ChannelTakenError
from core.engine.levels import Level
from core.games import GAMES
from core.options import Choice, Options
from core.outcome import Ending, Termination
from core.players import Computer, Member
from tests.bot.playing import HERE, NOW, X_WINS, begin, both, create, names_of
from tests.core.boards import ALICE, ROBOT, after


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(5))
async def test_a_match_comes_back_as_it_was(store: MatchStore, game: str, seed: int) -> None:
    """Game, options, players, names, start, moves and series of a random match round-trip."""
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
    assert stored == StoredMatch(stored.id, HERE, match, names, stored.id, nothing, ended_at=over)


@pytest.mark.parametrize("level", Level)
async def test_the_computer_comes_back_at_its_level(store: MatchStore, level: Level) -> None:
    """A computer's seat has a level and no name."""
    match = begin(ALICE, Computer(level))
    stored = await store.create(HERE, match, ("Alice", None), Series(), NOW)
    loaded = await store.load(stored.id)
    assert loaded == stored
    assert loaded.match.players == (ALICE, Computer(level))


@pytest.mark.parametrize(
    "ending", [Ending(Termination.RESIGNATION, 1), Ending(Termination.AGREEMENT)], ids=str
)
async def test_an_ending_away_from_the_board_comes_back(store: MatchStore, ending: Ending) -> None:
    """Resigning and agreeing survive, with the seat that resigned."""
    stored = await create(store)
    over = replace(stored.match, ending=ending)
    await store.save(stored, over, NOW)
    loaded = await store.load(stored.id)
    assert loaded is not None
    assert loaded.match == over
    assert loaded.match.outcome == ending.outcome(2)


async def test_snowflakes_fit(store: MatchStore) -> None:
    """Ids of 63 bits, as Discord gives them, and names in any script are kept whole."""
    big = 2**63 - 1
    match = begin(Member(big), Member(big - 1))
    names = ('🦉\u200d\u200b O\'Brien "x" \\ ', "名前")
    stored = await store.create(Place(big, big - 2), match, names, Series(), NOW)
    await store.note_boards([(stored.id, big - 3)])
    assert await store.load(stored.id) == replace(stored, board_id=big - 3)


async def test_what_isnt_there_is_none(store: MatchStore) -> None:
    """An unknown match and an empty channel are None, not an error."""
    assert await store.load(1) is None
    assert await store.live(HERE.channel_id) is None
    assert await store.latest(HERE.channel_id) is None
    async with store.turn(2**62) as turn:
        assert turn.stored is None


async def test_one_live_match_per_channel(store: MatchStore) -> None:
    """Of two matches that begin in a channel at the same moment, the database takes one."""
    first, second = await both(create(store), create(store))
    assert isinstance(second, ChannelTakenError)
    assert await store.live(HERE.channel_id) == first
    assert await store.latest(HERE.channel_id) == first


async def test_a_refused_start_leaves_nothing(database: AsyncEngine, store: MatchStore) -> None:
    """A match that found its channel taken leaves no seats behind."""
    await create(store)
    with pytest.raises(ChannelTakenError):
        await create(store)
    async with database.connect() as connection:
        assert len((await connection.execute(select(matches))).all()) == 1
        assert len((await connection.execute(select(seats))).all()) == 2


async def test_other_channels_are_free(store: MatchStore) -> None:
    """A channel, and a thread in it, have a match each."""
    here, there = await asyncio.gather(create(store), create(store, channel_id=21))
    assert await store.live(20) == here
    assert await store.live(21) == there


async def test_a_finished_match_frees_its_channel(store: MatchStore) -> None:
    """After the last move the channel takes another match; the newest one is its latest."""
    first = await create(store)
    over = await store.save(first, after(first.match, X_WINS), NOW)
    assert await store.live(HERE.channel_id) is None
    assert await store.latest(HERE.channel_id) == over
    second = await create(store)
    assert await store.live(HERE.channel_id) == second
    assert await store.latest(HERE.channel_id) == second


async def test_saving_is_compare_and_set(store: MatchStore) -> None:
    """Of two turns that start from the same state one is written, the other changes nothing."""
    before = await create(store)
    first, second = await both(
        store.save(before, after(before.match, "b2"), NOW),
        store.save(before, after(before.match, "a1"), NOW),
    )
    assert isinstance(second, ChangedError)
    assert await store.load(before.id) == first
    assert first.match.ply == 1


async def test_two_turns_at_once_play_once(store: MatchStore) -> None:
    """The same press twice, each read and written in a transaction of its own, plays once."""
    match_id = (await create(store)).id

    async def press() -> StoredMatch:
        async with store.turn(match_id) as turn:
            assert turn.stored is not None
            if turn.stored.match.ply:
                raise ChangedError
            return await turn.save(after(turn.stored.match, "b2"), NOW)

    first, second = await both(press(), press())
    assert isinstance(second, ChangedError)
    assert await store.load(match_id) == first


async def test_resigning_races_with_the_last_move(database: AsyncEngine, store: MatchStore) -> None:
    """A match that ends twice at once ends one way, with the ranks of that way."""
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
    """What is raised within a turn before it is saved leaves no trace, and frees the connection."""
    before = await create(store)

    async def broken() -> None:
        async with store.turn(before.id):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await broken()
    assert await store.load(before.id) == before
    assert await store.live(HERE.channel_id) == before


async def test_undo_reopens_an_ended_match(database: AsyncEngine, store: MatchStore) -> None:
    """Taking back the last move makes the match live again, without ranks."""
    start = await create(store, begin(ALICE, ALICE))
    over = await store.save(start, after(start.match, X_WINS), NOW)
    again = await store.save(over, over.match.undo(ALICE), NOW)
    assert await store.live(HERE.channel_id) == again
    async with database.connect() as connection:
        assert set((await connection.execute(select(seats.c.rank))).scalars()) == {None}


async def test_undo_stops_at_a_taken_channel(store: MatchStore) -> None:
    """An ended match doesn't come back into a channel that has another, and stays as it was."""
    start = await create(store)
    over = await store.save(start, after(start.match, X_WINS), NOW)
    other = await create(store)
    with pytest.raises(ChannelTakenError):
        await store.save(over, over.match.undo(ALICE), NOW)
    assert await store.load(over.id) == over
    assert await store.live(HERE.channel_id) == other


async def test_due_are_the_matches_that_wait_for_the_computer(store: MatchStore) -> None:
    """Listed are live matches in which the computer is to move, and no others."""
    waiting = await create(store, after(begin(ALICE, ROBOT), "b2"), 1)
    await create(store, begin(ALICE, ROBOT), 2)
    await create(store, begin(), 3)
    ended = await create(store, after(begin(ALICE, ROBOT), "b2"), 4)
    await store.save(ended, ended.match.resign(ALICE), NOW)
    assert await store.due() == [waiting.id]
    await store.save(waiting, after(waiting.match, "a1"), NOW)
    assert await store.due() == []


async def test_boards_are_noted(store: MatchStore) -> None:
    """Messages are written down for several matches at once, and turns leave them alone."""
    one, two = await create(store, channel_id=1), await create(store, channel_id=2)
    await store.note_boards([(one.id, 111), (two.id, 222), (999, 333)])
    await store.save(one, after(one.match, "b2"), NOW)
    loaded = [await store.load(stored.id) for stored in (one, two)]
    assert [stored and stored.board_id for stored in loaded] == [111, 222]
