"""What a server is given, tries at once, claims and searched matches, on both databases."""

import asyncio
from random import Random

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import puzzle_tries, puzzles
from bot.identity import ChannelId, MatchId, MemberId, MessageId, PuzzleId, ServerId
from bot.matches.store import MatchStore
from bot.privacy.store import PersonalStore, ServerDataStore
from bot.puzzles.model import DAY, Daily, day_of
from bot.puzzles.store import DailyStore, PuzzleStore, SearchedStore, TryStore
from bot.puzzles.store.daily import _behind
from core.puzzles import read
from tests.bot.planning import planned
from tests.bot.playing import NOW, SERVER, X_WINS, create
from tests.bot.serving import Clock
from tests.core.boards import after
from tests.discord.puzzles.solving import BLOCKS, FORK

HERE, ANN, BEN = ServerId(5), MemberId(1), MemberId(2)


@pytest.fixture
def puzzle_store(database: AsyncEngine, clock: Clock) -> PuzzleStore:
    return PuzzleStore(database, clock, Random(1))


@pytest.fixture
def tries(database: AsyncEngine, clock: Clock) -> TryStore:
    return TryStore(database, clock)


@pytest.fixture
def posts(database: AsyncEngine, clock: Clock) -> DailyStore:
    return DailyStore(database, clock)


@pytest.fixture
def searched(database: AsyncEngine, clock: Clock) -> SearchedStore:
    return SearchedStore(database, clock)


async def count(database: AsyncEngine, table: object = puzzles) -> int:
    async with database.connect() as connection:
        found = await connection.execute(select(func.count()).select_from(table))  # type: ignore[arg-type]
        return int(found.scalar_one())


async def test_one_puzzle_a_day(
    puzzle_store: PuzzleStore, searched: SearchedStore, database: AsyncEngine
) -> None:
    """Whoever asks at the same moment gets the same; own ones go before those that are shipped."""
    await searched.searched(HERE, MatchId(1), NOW, [read(BLOCKS)])
    found = await asyncio.gather(*(puzzle_store.today(HERE) for _ in range(5)))
    assert {given.id for given in found if given} == {1} and await count(database) == 1
    assert found[0] is not None and found[0].match_id == 1


async def test_none_comes_twice_in_a_year(
    puzzle_store: PuzzleStore, tries: TryStore, clock: Clock
) -> None:
    """Neither those of the days nor the others, whichever order they are given in."""
    seen = set[str]()
    for _ in range(30):
        for given in (await puzzle_store.today(HERE), await puzzle_store.beside(HERE, ANN, None)):
            if given is not None and given.day in (None, day_of(clock.now)):
                assert given.found.key not in seen
                seen.add(given.found.key)
                await tries.open(given, ANN)
                await tries.give_up(given, ANN)
        clock.now += DAY
    assert len(seen) >= 30


async def test_puzzles_that_cannot_be_read_are_left_out(
    puzzle_store: PuzzleStore,
    tries: TryStore,
    posts: DailyStore,
    searched: SearchedStore,
    database: AsyncEngine,
    clock: Clock,
) -> None:
    """One that waits, was posted last, was opened, or is today's keeps no other one back."""

    async def spoil(puzzle_id: PuzzleId) -> None:
        spoilt = update(puzzles).where(puzzles.c.id == puzzle_id).values(line="tictactoe rows=99")
        async with database.begin() as connection:
            await connection.execute(spoilt)

    await searched.searched(HERE, MatchId(1), NOW, [read(BLOCKS), read(FORK)])
    await spoil(PuzzleId(2))
    first = await puzzle_store.today(HERE)
    assert first is not None and first.found.key == read(BLOCKS).key
    await posts.posted(first, ChannelId(7), MessageId(8))
    await spoil(first.id)
    opened = await puzzle_store.beside(HERE, ANN, None)
    assert opened is not None
    await tries.open(opened, ANN)
    await spoil(opened.id)
    clock.now += DAY
    following = await puzzle_store.today(HERE)
    assert following is not None and await puzzle_store.before(following) is None
    for member in (ANN, BEN):
        other = await puzzle_store.beside(HERE, member, None)
        assert other is not None and other.id not in (first.id, opened.id)
    await spoil(following.id)
    instead = await puzzle_store.today(HERE)
    assert instead is not None and instead.id != following.id and instead.day == following.day
    assert await puzzle_store.today(HERE) == instead
    assert await puzzle_store.get(HERE, following.id) is None


async def test_two_tries_at_once(
    puzzle_store: PuzzleStore, tries: TryStore, searched: SearchedStore
) -> None:
    """Of a right and a wrong press at once one counts; two right ones are one step."""
    await searched.searched(HERE, MatchId(1), NOW, [read(BLOCKS)])
    given = await puzzle_store.today(HERE)
    assert given is not None
    for member in map(MemberId, range(10, 20)):
        await tries.open(given, member)
        work = [tries.found(given, member, 0), tries.missed(given, member, 0)]
        if member % 2:
            work.reverse()
        await asyncio.gather(*work, tries.found(given, member, 0))
        own = await tries.open(given, member)
        assert own.steps == 1 and own.ended_at is None
        done = await tries.found(given, member, 1)
        assert done.solved and (done.day is None) is done.missed
    await tries.open(given, ANN)
    found = await tries.found(given, ANN, 0)
    assert await tries.missed(given, ANN, 0) == found, "the press came after that"


async def test_a_post_is_claimed_once(
    puzzle_store: PuzzleStore, posts: DailyStore, clock: Clock
) -> None:
    """Of many that see it due, one sends it; it is noted when it began, until it has arrived."""
    await posts.change(HERE, Daily(ChannelId(7), 9, NOW - 5))
    (due,) = await posts.due(clock.now, 10)
    claims = await asyncio.gather(*(posts.claim(due, NOW + 60) for _ in range(5)))
    assert sorted(claims) == [False] * 4 + [True]
    assert await posts.due(clock.now, 10) == []
    given = await puzzle_store.today(HERE)
    assert given is not None
    assert await posts.begin_posting(given, NOW) == NOW
    assert await posts.begin_posting(given, NOW + 50) == NOW
    await posts.posted(given, ChannelId(7), MessageId(8))
    assert await posts.begin_posting(given, NOW + 50) is None
    await posts.settle(due, NOW + 60, due.after(NOW), 0)
    assert (await posts.settings(HERE)).due_at == (day_of(NOW) + 1) * DAY + 9 * 3600


async def test_times_and_solvers(
    puzzle_store: PuzzleStore,
    tries: TryStore,
    posts: DailyStore,
    searched: SearchedStore,
    clock: Clock,
) -> None:
    """Best times are those of first tries; a post that lags behind its solvers is found."""
    await searched.searched(HERE, MatchId(1), NOW, [read(FORK)])
    given = await puzzle_store.today(HERE)
    assert given is not None
    await posts.posted(given, ChannelId(7), MessageId(8))
    for member, seconds in ((ANN, 30), (BEN, 20)):
        await tries.open(given, member)
        clock.now += seconds
        for step in range(2):
            await tries.found(given, member, step)
    times = await tries.times(given, ANN)
    assert (times.own, times.fastest) == (30, 20)
    assert await posts.untold(5) == [(HERE, given.id, 2)]
    await posts.tell(given.id, 2)
    assert await posts.untold(5) == []
    assert await tries.solved(HERE, ANN) == (1, 1, 1)
    assert await tries.solved(ServerId(6), ANN) == (0, 0, 0)
    await searched.searched(HERE, MatchId(2), NOW, [read(BLOCKS)])
    clock.now += DAY
    easier = await puzzle_store.today(HERE)
    assert easier is not None
    await tries.open(easier, ANN)
    for step in range(2):
        await tries.found(easier, ANN, step)
    assert (await tries.times(easier, ANN)).own == 0
    assert await tries.times(given, ANN) == times, "only those for puzzles as hard count"


async def test_no_earlier_posts_are_looked_at(
    posts: DailyStore, searched: SearchedStore, database: AsyncEngine, puzzle_store: PuzzleStore
) -> None:
    """The latest posts are found by an index, however many there have been."""
    await searched.searched(HERE, MatchId(1), NOW, [read(FORK)])
    given = await puzzle_store.today(HERE)
    assert given is not None
    await posts.posted(given, ChannelId(7), MessageId(8))
    steps = await planned(
        database,
        _behind(day_of(NOW)),
        puzzles,
        lambda n: {"id": given.id + n, "day": day_of(NOW) - n},
    )
    assert any("ix_puzzles_posted" in step for step in steps), steps
    assert not any("Seq Scan" in step for step in steps), steps


async def test_servers_are_searched_in_turn(
    puzzle_store: PuzzleStore, searched: SearchedStore, store: MatchStore, clock: Clock
) -> None:
    """One that has no match to be searched keeps no other from its turn."""
    stored = await create(store)
    await store.save(stored, after(stored.match, X_WINS), NOW)
    for server_id in (ServerId(1), ServerId(2), SERVER):
        await puzzle_store.asked(server_id)
    assert await searched.hungry(2) == [], "somebody may still take a move back"
    clock.now = NOW + DAY + 1
    assert await searched.hungry(2) == [SERVER]
    assert await searched.unsearched(SERVER) == (stored.id, NOW)
    await searched.searched(SERVER, stored.id, NOW, [])
    assert await searched.hungry(2) == []
    assert await searched.unsearched(SERVER) is None


async def test_matches_that_end_in_the_same_second(
    puzzle_store: PuzzleStore, searched: SearchedStore, store: MatchStore, clock: Clock
) -> None:
    """Each of them is searched, once; an earlier end comes first, whichever match is newer."""
    ends = [NOW, NOW, NOW - 1]
    ended = [await create(store, channel_id=number) for number in range(1, 4)]
    for stored, at in zip(ended, ends, strict=True):
        await store.save(stored, after(stored.match, X_WINS), at)
    await puzzle_store.asked(SERVER)
    clock.now = NOW + DAY + 1
    for number in (2, 0, 1):
        following = ended[number].id, ends[number]
        assert await searched.unsearched(SERVER) == following
        await searched.searched(SERVER, *following, [])
    assert await searched.unsearched(SERVER) is None
    assert await searched.hungry(1) == []


async def test_erasing_takes_tries_puzzles_and_settings(
    puzzle_store: PuzzleStore, tries: TryStore, database: AsyncEngine, clock: Clock
) -> None:
    """A member's tries go with them; a server's puzzles and settings with it."""
    await puzzle_store.asked(HERE)
    given = await puzzle_store.today(HERE)
    assert given is not None
    for member in (ANN, BEN):
        await tries.open(given, member)
    personal = PersonalStore(database, Random(1))
    told = {section: rows async for section, rows in personal.pages(ANN)}
    assert told["puzzles"][0]["start"] == given.found.key and len(told["puzzles"]) == 1
    await personal.forget(ANN)
    assert await count(database, puzzle_tries) == 1
    servers = ServerDataStore(database)
    assert HERE in await servers.not_left()
    await servers.note_left(HERE, clock.now)
    assert await servers.erase(HERE)
    assert [await count(database, table) for table in (puzzles, puzzle_tries)] == [0, 0]
