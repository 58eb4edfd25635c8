"""Members' tries at puzzles, on both databases."""

import asyncio
from random import Random

import pytest

from bot.db.database import Database
from bot.identity import ChannelId, MatchId, MemberId, MessageId
from bot.privacy.store import PersonalStore
from bot.puzzles.model import Given, Try
from bot.puzzles.service import PuzzleService
from bot.puzzles.store import DailyStore, PuzzleStore, SearchedStore, TryStore
from bot.times import DAY
from core.puzzles import read
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, NOW, SERVER
from tests.bot.serving import Clock
from tests.core.puzzles.written import BLOCKS, FORK


async def test_two_tries_at_once(
    puzzle_store: PuzzleStore, tries: TryStore, searched: SearchedStore, clock: Clock
) -> None:
    """Of a right and a wrong press at once one counts; two right ones are one step."""
    await searched.note_searched(SERVER, MatchId(1), NOW, [read(BLOCKS)])
    given = await puzzle_store.give_today(SERVER, clock.now)
    assert given is not None
    for member in map(MemberId, range(10, 20)):
        await tries.open(given, member, clock.now)
        work = [tries.note_found(given, member, 0, clock.now), tries.note_missed(given, member, 0)]
        if member % 2:
            work.reverse()
        await asyncio.gather(*work, tries.note_found(given, member, 0, clock.now))
        own = await tries.open(given, member, clock.now)
        assert own.steps == 1 and own.ended_at is None
        done = await tries.note_found(given, member, 1, clock.now)
        assert done.solved and (done.day is None) is done.missed
        clock.now += 1
        assert await tries.give_up(given, member, clock.now) == done, "it is over"
    await tries.open(given, ALICE_ID, clock.now)
    found = await tries.note_found(given, ALICE_ID, 0, clock.now)
    assert await tries.note_missed(given, ALICE_ID, 0) == found, "the press came after that"


async def test_a_right_and_a_wrong_move_at_once(
    puzzle_store: PuzzleStore, tries: TryStore, searched: SearchedStore, clock: Clock
) -> None:
    """A move is called wrong on the board that was pressed, never on the one after it."""
    await searched.note_searched(SERVER, MatchId(1), NOW, [read(BLOCKS)])
    given = await puzzle_store.give_today(SERVER, clock.now)
    assert given is not None
    puzzles = PuzzleService(puzzle_store, tries, clock)
    for member in map(MemberId, range(10, 20)):
        attempt = await puzzles.open(SERVER, member, given.id)
        right, wrong = await asyncio.gather(
            *(puzzles.play(attempt, 0, move) for move in ("a3", "b1"))
        )
        assert right.own.steps == 1
        assert wrong.wrong is None or wrong.own.steps == 0


async def test_the_puzzle_that_is_meant(
    puzzle_store: PuzzleStore, tries: TryStore, clock: Clock
) -> None:
    """It is the one that the member saw last, even if they have ended it."""
    today = await puzzle_store.give_today(SERVER, clock.now)
    other = await puzzle_store.give_another(SERVER, BOB_ID, None, clock.now)
    assert today is not None and other is not None
    for given in (today, other, today):
        await tries.open(given, ALICE_ID, clock.now)
        clock.now += 1
    assert await tries.current(SERVER, ALICE_ID) == today.id
    await tries.give_up(today, ALICE_ID, clock.now)
    await tries.open(today, ALICE_ID, clock.now)
    assert await tries.current(SERVER, ALICE_ID) == today.id


@pytest.fixture
async def given(puzzle_store: PuzzleStore, searched: SearchedStore, clock: Clock) -> Given:
    """Today's puzzle."""
    await searched.note_searched(SERVER, MatchId(1), NOW, [read(FORK)])
    today = await puzzle_store.give_today(SERVER, clock.now)
    assert today is not None
    return today


@pytest.fixture
async def solved(given: Given, tries: TryStore, posts: DailyStore, clock: Clock) -> Given:
    """Today's puzzle, posted and then solved by alice, bob and carol, by carol with a miss."""
    await posts.note_posted(given, ChannelId(7), MessageId(8))
    for member in (ALICE_ID, BOB_ID, CAROL_ID):
        await tries.open(given, member, clock.now)
        if member == CAROL_ID:
            await tries.note_missed(given, member, 0)
        for step in range(2):
            await tries.note_found(given, member, step, clock.now)
    return given


async def test_a_post_tells_an_old_number_of_solvers(
    solved: Given, posts: DailyStore, clock: Clock
) -> None:
    """It is found until it tells the new one, and up to the end of the next day."""
    assert await posts.untold(clock.now, 5) == [(SERVER, solved.id, 3)]
    clock.now += DAY
    assert len(await posts.untold(clock.now, 5)) == 1, "it was solved before midnight"
    clock.now += DAY
    assert await posts.untold(clock.now, 5) == []
    clock.now -= 2 * DAY
    await posts.note_told(solved.id, 3)
    assert await posts.untold(clock.now, 5) == []


async def test_an_erased_member_is_no_solver(
    solved: Given, posts: DailyStore, tries: TryStore, clock: Clock, database: Database
) -> None:
    """The post is found again, and the member may open the puzzle anew."""
    await posts.note_told(solved.id, 3)
    await PersonalStore(database, Random(1)).forget(CAROL_ID)
    assert await posts.untold(clock.now, 5) == [(SERVER, solved.id, 2)]
    assert await tries.note_missed(solved, CAROL_ID, 0) == Try(), "she had opened it before"
    await tries.open(solved, CAROL_ID, clock.now)
    assert await tries.solved(SERVER, CAROL_ID, clock.now) == (0, 0, 0)
