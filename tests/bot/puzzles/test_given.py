"""The puzzles that a server is given, on both databases: each once, and none that is corrupt."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from random import Random

from sqlalchemy import func, insert, select, update

from bot.clocks.store import go_on
from bot.db.database import Database
from bot.db.tables import puzzle_tries, puzzles
from bot.identity import ChannelId, MatchId, MessageId, PuzzleId, ServerId
from bot.privacy.store import PersonalStore, ServerDataStore
from bot.puzzles.model import Given, day_of
from bot.puzzles.store import DailyStore, PuzzleStore, SearchedStore, TryStore
from bot.times import DAY
from core.puzzles import read, shipped
from core.puzzles.finding import Difficulty
from tests.bot.playing import ALICE_ID, BOB_ID, NOW, SERVER
from tests.bot.serving import Clock
from tests.core.puzzles.written import BLOCKS, FORK


async def count(database: Database, table: object = puzzles) -> int:
    async with database.connect() as connection:
        found = await connection.execute(select(func.count()).select_from(table))  # type: ignore[arg-type]
        return int(found.scalar_one())


async def test_one_puzzle_a_day(
    puzzle_store: PuzzleStore, searched: SearchedStore, database: Database
) -> None:
    """Members who ask at the same moment get the same.

    Own puzzles go before shipped ones, the newest first, and none waits twice.
    """
    for number, puzzle in enumerate((FORK, FORK, BLOCKS), 1):
        await searched.note_searched(SERVER, MatchId(number), NOW, [read(puzzle)])
    found = await asyncio.gather(*(puzzle_store.give_today(SERVER, NOW) for _ in range(5)))
    assert {given.id for given in found if given} == {2} and await count(database) == 2
    assert found[0] is not None and found[0].match_id == 3


async def test_no_puzzle_comes_twice_in_a_year(
    puzzle_store: PuzzleStore, tries: TryStore, clock: Clock
) -> None:
    """Neither daily nor other puzzles do, in whichever order they are given."""
    seen = set[str]()
    for _ in range(30):
        for given in (
            await puzzle_store.give_today(SERVER, clock.now),
            await puzzle_store.give_another(SERVER, ALICE_ID, None, clock.now),
        ):
            if given is not None and given.day in (None, day_of(clock.now)):
                assert given.found.key not in seen
                seen.add(given.found.key)
                await tries.open(given, ALICE_ID, clock.now)
                await tries.give_up(given, ALICE_ID, clock.now)
        clock.now += DAY
    assert len(seen) >= 30


async def test_half_a_year_of_puzzles_of_the_day(puzzle_store: PuzzleStore, clock: Clock) -> None:
    """The first is of the board that everybody knows, and the first week is easy.

    Most of a quarter's puzzles are of tic-tac-toe, few of Nine Holes, and all boards come up.
    """
    given = list[Given]()
    for _ in range(180):
        today = await puzzle_store.give_today(SERVER, clock.now)
        assert today is not None
        given.append(today)
        clock.now += DAY
    lines = {one.key: one for one in shipped()}
    drawn = [lines[one.found.key] for one in given]
    assert drawn[0].board == "tictactoe rows=3 columns=3 line=3 variant=classic"
    assert {one.difficulty for one in drawn[:7]} == {Difficulty.EASY}
    assert len(set(drawn)) == len(drawn)
    share = Counter(one.game for one in drawn[:90])
    assert share["tictactoe"] > share["connectfour"] > share["nineholes"] >= 5
    assert {one.board for one in drawn} == {one.board for one in shipped()}


async def test_a_member_goes_on_with_what_they_opened_last(
    puzzle_store: PuzzleStore, tries: TryStore, clock: Clock
) -> None:
    """They do until they end it; then comes the puzzle opened before, and then another one."""
    today = await puzzle_store.give_today(SERVER, clock.now)
    assert today is not None
    await tries.open(today, ALICE_ID, clock.now)
    opened = list[Given]()
    for difficulty in (Difficulty.EASY, Difficulty.HARD):
        given = await puzzle_store.give_another(SERVER, ALICE_ID, difficulty, clock.now)
        assert given is not None
        await tries.open(given, ALICE_ID, clock.now)
        opened.append(given)
        clock.now += 1
    for given in reversed(opened):
        assert await puzzle_store.give_another(SERVER, ALICE_ID, None, clock.now) == given
        await tries.give_up(given, ALICE_ID, clock.now)
    other = await puzzle_store.give_another(SERVER, ALICE_ID, None, clock.now)
    assert other is not None and other not in (today, *opened)
    assert await puzzle_store.give_another(SERVER, BOB_ID, Difficulty.EASY, clock.now) == opened[0]


async def test_a_server_that_has_had_all(
    puzzle_store: PuzzleStore, tries: TryStore, database: Database, clock: Clock
) -> None:
    """Every fifth is for members who want more; the others are left for the days.

    A day also takes what is left of the members' share.
    """

    async def have(some: Iterable[int], server_id: ServerId = SERVER) -> None:
        fixed = {"guild_id": server_id, "game": "x", "difficulty": "easy", "line": "x"}
        rows = [fixed | {"given_at": NOW, "start": shipped()[number].key} for number in some]
        async with database.begin() as connection:
            await connection.execute(insert(puzzles), rows)

    numbers = {one.key: number for number, one in enumerate(shipped())}
    today = await puzzle_store.give_today(SERVER, clock.now)
    more = await puzzle_store.give_another(SERVER, ALICE_ID, None, clock.now)
    assert today is not None and more is not None
    assert numbers[today.found.key] % 5 and not numbers[more.found.key] % 5
    await tries.open(more, ALICE_ID, clock.now)
    await tries.give_up(more, ALICE_ID, clock.now)
    await have(range(0, len(numbers), 5))
    assert await puzzle_store.give_another(SERVER, ALICE_ID, None, clock.now) is None
    clock.now += DAY
    assert await puzzle_store.give_today(SERVER, clock.now) is not None
    await have(numbers.values())
    clock.now += DAY
    assert await puzzle_store.give_today(SERVER, clock.now) is None
    other = ServerId(6)
    await have((number for number in numbers.values() if number % 5), other)
    left = await puzzle_store.give_today(other, clock.now)
    assert left is not None and not numbers[left.found.key] % 5


async def test_a_puzzle_that_waits_is_not_shown(
    puzzle_store: PuzzleStore, searched: SearchedStore
) -> None:
    """Nor is a puzzle of another server, whatever its number."""
    await searched.note_searched(SERVER, MatchId(1), NOW, [read(BLOCKS)])
    assert await puzzle_store.get(SERVER, PuzzleId(1)) is None
    given = await puzzle_store.give_today(SERVER, NOW)
    assert given is not None and await puzzle_store.get(SERVER, given.id) == given
    assert await puzzle_store.get(ServerId(6), given.id) is None
    await searched.note_searched(ServerId(6), MatchId(2), NOW, [read(BLOCKS)])
    same = await puzzle_store.give_today(ServerId(6), NOW)
    assert same is not None and same.match_id == 2, "each server has its own"


async def test_the_last_puzzle_that_was_posted(
    puzzle_store: PuzzleStore, posts: DailyStore, clock: Clock
) -> None:
    """It is that of an earlier day on the same server; days without a post are passed over."""
    days = list[Given]()
    for _ in range(3):
        for server in (SERVER, ServerId(6)):
            given = await puzzle_store.give_today(server, clock.now)
            assert given is not None
            if server != SERVER or not days:
                await posts.note_posted(given, ChannelId(server), MessageId(given.id))
            if server == SERVER:
                days.append(given)
        clock.now += DAY
    before = await puzzle_store.before(days[2])
    assert before is not None and before.id == days[0].id
    assert await puzzle_store.before(days[0]) is None


async def test_puzzles_that_cannot_be_read_are_left_out(
    puzzle_store: PuzzleStore,
    tries: TryStore,
    posts: DailyStore,
    searched: SearchedStore,
    database: Database,
    clock: Clock,
) -> None:
    """Whether it waits, was posted last, was opened, or is today's, it holds up no other."""

    async def spoil(puzzle_id: PuzzleId) -> None:
        spoilt = update(puzzles).where(puzzles.c.id == puzzle_id).values(line="tictactoe rows=99")
        async with database.begin() as connection:
            await connection.execute(spoilt)

    await searched.note_searched(SERVER, MatchId(1), NOW, [read(BLOCKS), read(FORK)])
    await spoil(PuzzleId(2))
    first = await puzzle_store.give_today(SERVER, clock.now)
    assert first is not None and first.found.key == read(BLOCKS).key
    await posts.note_posted(first, ChannelId(7), MessageId(8))
    await spoil(first.id)
    opened = await puzzle_store.give_another(SERVER, ALICE_ID, None, clock.now)
    assert opened is not None
    await tries.open(opened, ALICE_ID, clock.now)
    await spoil(opened.id)
    clock.now += DAY
    following = await puzzle_store.give_today(SERVER, clock.now)
    assert following is not None and await puzzle_store.before(following) is None
    for member in (ALICE_ID, BOB_ID):
        other = await puzzle_store.give_another(SERVER, member, None, clock.now)
        assert other is not None and other.id not in (first.id, opened.id)
    await spoil(following.id)
    instead = await puzzle_store.give_today(SERVER, clock.now)
    assert instead is not None and instead.id != following.id and instead.day == following.day
    assert await puzzle_store.give_today(SERVER, clock.now) == instead
    assert await puzzle_store.get(SERVER, following.id) is None


async def test_erasing_takes_tries_puzzles_and_settings(
    puzzle_store: PuzzleStore, tries: TryStore, database: Database, clock: Clock
) -> None:
    """A member's tries are erased with them, a server's puzzles and settings with the server."""
    await puzzle_store.note_wanted(SERVER, clock.now)
    given = await puzzle_store.give_today(SERVER, clock.now)
    assert given is not None
    for member in (ALICE_ID, BOB_ID):
        await tries.open(given, member, clock.now)
    personal = PersonalStore(database, Random(1))
    told = {section: rows async for section, rows in personal.pages(ALICE_ID)}
    assert told["puzzles"][0]["start"] == given.found.key and len(told["puzzles"]) == 1
    await personal.forget(ALICE_ID)
    assert await count(database, puzzle_tries) == 1
    servers = ServerDataStore(database, go_on)
    assert SERVER in await servers.not_left()
    await servers.note_left(SERVER, clock.now)
    assert await servers.erase(SERVER)
    assert [await count(database, table) for table in (puzzles, puzzle_tries)] == [0, 0]
