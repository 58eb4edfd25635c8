"""Achievements in both databases: each is given once, and erased with its member."""

from collections import Counter
from random import Random

import pytest
from sqlalchemy import update

from bot.achievements.rules import Achievement
from bot.achievements.store import AchievementStore
from bot.db.database import Database
from bot.db.tables import achievements, matches, seats
from bot.identity import MatchId
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.privacy.store import PersonalStore
from bot.shards import Shards
from core.engine.levels import Level
from core.players import Computer
from tests.bot.playing import (
    ALICE_ID,
    BOB_ID,
    DRAWN,
    NOW,
    O_WINS,
    ROUNDS,
    SERVER,
    X_WINS,
    begin,
    both,
    create,
    race,
)
from tests.core.boards import ALICE, after

EARNED = {ALICE_ID: {Achievement.STRAIGHT, Achievement.LAST_SQUARE}}


@pytest.fixture
def achieved(database: Database) -> AchievementStore:
    return AchievementStore(database)


async def ended(store: MatchStore, channel: int = 20, variant: str = "classic") -> StoredMatch:
    """Store a match that alice has won, or lost where a line loses."""
    stored = await create(store, begin(options={"variant": variant}), channel)
    return await store.save(stored, after(stored.match, X_WINS), NOW)


async def unexamined(achieved: AchievementStore) -> list[MatchId]:
    """Return the matches that weren't yet looked at for achievements."""
    return [one.id for one in await achieved.unexamined(5)]


async def test_a_match_that_no_member_has_won_or_drawn(
    store: MatchStore, achieved: AchievementStore
) -> None:
    """It is recognised without being loaded, since most games against the computer are lost."""
    for number, ending in enumerate((X_WINS, O_WINS, DRAWN)):
        stored = await create(store, begin(ALICE, Computer(Level.EASY)), 20 + number)
        await store.save(stored, after(stored.match, ending), NOW)
    both_members = await create(store, begin(), 30)
    await store.save(both_members, after(both_members.match, O_WINS), NOW)
    called_off = await create(store, begin(), 31)
    await store.save(called_off, called_off.match.call_off(), NOW)
    assert [one.unlost for one in await achieved.unexamined(5)] == [True, False, True, True, False]


async def test_a_match_brings_its_achievements_once(
    store: MatchStore, achieved: AchievementStore, database: Database
) -> None:
    """Of two looks at a match at once, only one gets them; the next match adds nothing."""
    first = await ended(store)
    assert await unexamined(achieved) == [first.id]
    elsewhere = AchievementStore(database.serving(Shards(1, 1, 2)))
    assert await unexamined(elsewhere) == []  # server 10 belongs to shard 0
    results = await both(*(achieved.award(first.id, first.revision, EARNED) for _ in range(2)))
    assert sorted(results, key=len) == [
        {},
        {ALICE_ID: [Achievement.STRAIGHT, Achievement.LAST_SQUARE]},
    ]
    assert await unexamined(achieved) == []
    second = await ended(store)
    more = {ALICE_ID: {Achievement.STRAIGHT, Achievement.COMEBACK}}
    assert await achieved.award(second.id, second.revision, more) == {
        ALICE_ID: [Achievement.COMEBACK]
    }
    assert await achieved.earned(SERVER, ALICE_ID) == dict.fromkeys(
        (Achievement.STRAIGHT, Achievement.LAST_SQUARE, Achievement.COMEBACK), NOW
    )
    assert await achieved.earned(SERVER, BOB_ID) == {}


async def test_an_achievement_of_a_later_version_is_left_out(
    store: MatchStore, achieved: AchievementStore, database: Database
) -> None:
    stored = await ended(store)
    await achieved.award(stored.id, stored.revision, EARNED)
    other = update(achievements).where(achievements.c.achievement == Achievement.STRAIGHT)
    async with database.begin() as connection:
        await connection.execute(other.values(achievement="unheard of"))
    assert await achieved.earned(SERVER, ALICE_ID) == {Achievement.LAST_SQUARE: NOW}


async def test_a_match_that_has_changed_brings_nothing(
    store: MatchStore, achieved: AchievementStore
) -> None:
    """It stays due, even if it changed within the same second; a live match is never due."""
    live = await create(store)
    stored = await create(store, begin(ALICE, Computer(Level.EASY)), 21)
    stored = await store.save(stored, after(stored.match, X_WINS), NOW)
    assert await unexamined(achieved) == [stored.id]
    again = await store.save(stored, stored.match.undo(ALICE), NOW)
    again = await store.save(again, again.match.resign(ALICE), NOW)
    assert again.moved_at == stored.moved_at
    assert await achieved.award(stored.id, stored.revision, EARNED) == {}
    assert await achieved.award(live.id, live.revision, EARNED) == {}
    assert await unexamined(achieved) == [stored.id]
    await achieved.mark([again])
    assert await unexamined(achieved) == []


async def test_matches_that_bring_nothing_are_marked_together(
    store: MatchStore, achieved: AchievementStore
) -> None:
    """A match that was reopened and ended again since it was read stays due."""
    matches = [await ended(store, 20 + number) for number in range(3)]
    ids = [stored.id for stored in matches]
    assert await store.load_all([*ids, MatchId(99)]) == matches
    ended_before = await achieved.unexamined(5)
    await achieved.mark([*ended_before[:2], ended_before[2]._replace(revision=0)])
    assert await unexamined(achieved) == ids[2:]


async def test_erasure_against_an_achievement(
    store: MatchStore, achieved: AchievementStore, database: Database
) -> None:
    """Whichever comes first, an erased member has no achievement afterwards."""
    personal, seen = PersonalStore(database, Random(1)), Counter[bool]()
    for number in range(ROUNDS):
        stored = await ended(store, 100 + number)
        awarding = achieved.award(stored.id, stored.revision, EARNED)
        results = await race(number, awarding, personal.forget(ALICE_ID))
        assert not any(isinstance(result, Exception) for result in results)
        assert await achieved.earned(SERVER, ALICE_ID) == {}
        seen[any(results)] += 1
    assert seen[True] > 0 and seen[False] > 0, seen


async def test_wins_are_those_on_the_board(
    store: MatchStore, achieved: AchievementStore, database: Database
) -> None:
    """Each game and set of options counts once; losses, draws, resignations and help don't."""
    for channel, variant in enumerate(("classic", "classic", "torus", "misere"), start=30):
        await ended(store, channel, variant)
    resigned = await create(store, begin(options={"variant": "corners"}), 40)
    match = resigned.match.play("a1").play("b1")
    await store.save(resigned, match.resign(match.players[1]), NOW)
    drawn = await create(store, begin(options={"variant": "corners"}), 41)
    await store.save(drawn, after(drawn.match, DRAWN), NOW)
    found = await achieved.wins(SERVER, ALICE_ID)
    assert sorted(str(options["variant"]) for _, options in found) == ["classic", "torus"]
    assert [game for game, _ in await achieved.wins(SERVER, BOB_ID)] == ["tictactoe"]
    spoilt = ({"hinted": True}, {"undone": True}, {"withdrawals": "1 2"})
    for values in spoilt:
        async with database.begin() as connection:
            await connection.execute(update(matches).values(values))
        assert await achieved.wins(SERVER, ALICE_ID) == [], values
        async with database.begin() as connection:
            whole = {"hinted": False, "undone": False, "withdrawals": ""}
            await connection.execute(update(matches).values(whole))
    async with database.begin() as connection:
        await connection.execute(update(seats).values(user_id=ALICE_ID))
    assert await achieved.wins(SERVER, ALICE_ID) == [], "against themselves"
