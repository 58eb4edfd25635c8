"""Looking at ended matches: a round keeps up with a busy bot, and no match holds up the others."""

import asyncio
from random import Random

import pytest
from sqlalchemy import text

from bot.achievements.rules import Achievement
from bot.achievements.service import AchievementService
from bot.achievements.store import AchievementStore
from bot.db.database import Database
from bot.identity import MemberId
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.privacy.store import PersonalStore
from bot.times import HOUR
from bot.workers.fair_queue import Ticket
from bot.workers.search_client import SearchClient
from tests.bot.playing import ALICE_ID, NOW, ON_SQLITE, begin, create
from tests.core.boards import after

# A process plays 75 turns a second when it is saturated, and rounds are ten seconds apart.
MATCHES_A_ROUND = 80
OTHER_SERVER = 7
LAST_SQUARE_WINS = "c1 b1 b2 a1 b3 c3 c2 a3 a2"
# After a3-b3, X completes a line whatever O plays, but c2-b2 would have drawn by repetition.
ESCAPED = (
    "a1-a2 a5-b4 b1-c3 b5-b2 c1-b3 c5-c4 b3-a3 b4-a4 a3-b3 a4-b4 b3-a3 b2-c2 a3-b3"
    " b4-a4 b3-b2 c4-b4 c3-b3 c2-c3 b2-c2 c3-c4"
)


pytestmark = ON_SQLITE


@pytest.fixture
def achieved(database: Database) -> AchievementStore:
    return AchievementStore(database)


@pytest.fixture
def service(
    database: Database, store: MatchStore, achieved: AchievementStore, searches: SearchClient
) -> AchievementService:
    return AchievementService(achieved, store, searches, lambda: NOW)


async def won(store: MatchStore) -> StoredMatch:
    """Store a match that alice has won by the last square."""
    stored = await create(store)
    return await store.save(stored, after(stored.match, LAST_SQUARE_WINS), NOW)


async def test_a_round_looks_at_all_that_a_busy_bot_ends(
    database: Database, store: MatchStore, achieved: AchievementStore, service: AchievementService
) -> None:
    """Otherwise more and more matches would wait, and be looked at too late."""
    for channel in range(1, MATCHES_A_ROUND + 1):
        await create(store, begin(), channel)
    async with database.begin() as connection:
        await connection.execute(
            text(f"UPDATE matches SET ended_at = {NOW}, ending = 'called_off'")
        )
    assert await service.candidates() == []
    assert await achieved.unexamined(1) == []


async def test_a_round_returns_all_that_may_bring_something(
    store: MatchStore, service: AchievementService
) -> None:
    """They come oldest first, but aren't read all at once, which would block the event loop."""
    ended = [(await won(store)).id for _ in range(45)]
    assert [stored.id for stored in await service.candidates()] == ended


async def test_a_match_whose_achievements_can_not_be_written(
    database: Database, store: MatchStore, achieved: AchievementStore, service: AchievementService
) -> None:
    """It is passed over: if such matches stayed due, enough of them would keep others waiting."""
    stored = await won(store)
    async with database.begin() as connection:
        await connection.exec_driver_sql(
            "CREATE TRIGGER refusing BEFORE INSERT ON achievements"
            " BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
    assert await service.award(stored) is None
    assert await achieved.unexamined(1) == []


async def test_a_member_who_is_erased_before_the_channel_is_told(
    database: Database, store: MatchStore, service: AchievementService
) -> None:
    """Nothing is told of them."""
    award = await service.award(await won(store))
    assert award is not None and award.earned == {ALICE_ID: [Achievement.LAST_SQUARE]}
    await PersonalStore(database, Random(1)).forget(ALICE_ID)
    current = await service.current(award)
    assert current is not None and current.earned == {}


async def test_a_hint_goes_before_the_proof_of_a_comeback(
    store: MatchStore, service: AchievementService, searches: SearchClient
) -> None:
    """Nobody waits for the proof, so a hint of a server that asks often goes first."""
    stored = await create(store, begin(game="nineholes", options={"variant": "step"}))
    ended = await store.save(stored, after(stored.match, ESCAPED), NOW)
    hinted = asyncio.Event()

    async def hint() -> None:
        async with searches.queue.place(Ticket(OTHER_SERVER)):
            hinted.set()

    async with asyncio.TaskGroup() as group:
        async with searches.queue.place(Ticket(OTHER_SERVER)):
            group.create_task(service.award(ended))
            await asyncio.sleep(0.3)  # the proof waits for the place
            group.create_task(hint())
            await asyncio.sleep(0)
        for _ in range(3):
            await asyncio.sleep(0)
        assert hinted.is_set()


@pytest.mark.parametrize(("age", "earned"), [(0, {ALICE_ID: [Achievement.COMEBACK]}), (HOUR, {})])
async def test_old_matches_are_not_searched(
    store: MatchStore,
    service: AchievementService,
    age: int,
    earned: dict[MemberId, list[Achievement]],
) -> None:
    """After an update there may be thousands of them, and each could take a minute."""
    stored = await create(store)
    ended = await store.save(stored, after(stored.match, "b1 a1 b3 b2 a3 c1 c3"), NOW - age)
    award = await service.award(ended)
    assert award is not None and award.earned == earned


async def test_a_position_drawn_by_repetition_was_no_lost_one(
    store: MatchStore, service: AchievementService
) -> None:
    """On the board O was lost, but in the match O had a draw, so O's win is no comeback."""
    stored = await create(store, begin(game="nineholes", options={"variant": "step"}))
    award = await service.award(await store.save(stored, after(stored.match, ESCAPED), NOW))
    assert award is not None and award.earned == {}
