"""Work that the bot owes: moves of the computer, boards to show, and old boards to remove."""

import asyncio
from random import Random

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import DBAPIError

from bot.db.database import Database
from bot.db.tables import matches
from bot.identity import ChannelId, MatchId, MessageId, Place
from bot.matches.model import NewMatch, PressedBoard, Series, StoredMatch
from bot.matches.owed import Owed, _is_due
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.players import Computer
from tests.bot.engines import WaitingEngine
from tests.bot.playing import ALICE_ID, NOW, SERVER, begin
from tests.bot.processes import until
from tests.bot.searching import Gate, searching
from tests.core.boards import ALICE, after
from tests.services import services_with

LEVEL = Level.PERFECT


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    return sqlite_database


async def owing(store: MatchStore, channel_id: int, level: Level = LEVEL) -> StoredMatch:
    """Store a match in which the computer is to move."""
    match = begin(ALICE, Computer(level)).play("b2")
    place = Place(SERVER, ChannelId(channel_id))
    return await store.create(NewMatch(place, match, ("Alice", None)), NOW - 60)


def unused(match_id: MatchId) -> None:
    raise AssertionError(match_id)


def service(store: MatchStore, searches: SearchClient) -> MatchService:
    return services_with(store, WaitingEngine(), searches, Random(1), clock).matches


def clock() -> int:
    return NOW


async def test_owed_moves_are_made_side_by_side_and_once(store: MatchStore, gate: Gate) -> None:
    """Searches of two channels run at once, and two simultaneous attempts make each move once.

    A press on a board of an older state doesn't wait for the move: it gets the match as it is.
    """
    shown: list[MatchId] = []
    first, second = await owing(store, 20), await owing(store, 21)
    async with searching(WaitingEngine, processes=2, seconds=20) as searches:
        matches = service(store, searches)
        owed = Owed(matches, store, shown.append, unused, clock)
        making = asyncio.gather(owed.catch_up(), owed.catch_up())
        await until(lambda: gate.begun() == 2)

        board = PressedBoard(first.place.channel_id, MessageId(100), 0)
        async with matches.lock(board.channel_id):
            pressed = await matches.play(first.id, ALICE_ID, "a1", board)
        assert pressed.match.ply == 1
        gate.open()
        await making
        assert gate.begun() == 2
    assert sorted(shown) == [first.id, second.id]
    played = await store.load_all(shown)
    assert [stored.match.ply for stored in played] == [2, 2]
    assert await store.computer_due() == []


async def test_owed_moves_that_failed_are_made_by_the_next_attempt(
    store: MatchStore, database: Database, searches: SearchClient, caplog: pytest.LogCaptureFixture
) -> None:
    """A failed move is logged, a failure of all is raised, and the next attempt makes the rest."""
    shown = set[MatchId]()
    first, refused, last = [(await owing(store, n, Level.EASY)).id for n in (20, 21, 22)]

    def show(match_id: MatchId) -> None:
        if match_id == refused:
            raise OSError("the line was cut")
        shown.add(match_id)

    owed = Owed(service(store, searches), store, show, unused, clock)
    await rename(database, "matches", "away")
    with pytest.raises(DBAPIError):
        await owed.catch_up()
    await rename(database, "away", "matches")
    await owed.catch_up()
    assert shown == {first, last}
    assert f"catching up with boards failed at {refused}" in caplog.text
    assert await store.computer_due() == []


async def test_a_match_that_was_never_shown(
    store: MatchStore, database: Database, searches: SearchClient
) -> None:
    """A match whose first board was lost with the program is shown; no other one is.

    If it has changed since its last board, even in the same second, the bot looks at its channel. A
    match that can't be read doesn't keep others from being shown.
    """
    shown: list[MatchId] = []
    checked: list[MatchId] = []

    async def begun(channel_id: int, ago: int) -> StoredMatch:
        place = Place(SERVER, ChannelId(channel_id))
        match, series = begin(ALICE, Computer(LEVEL)), Series()
        return await store.create(NewMatch(place, match, ("Alice", None), series), NOW - ago)

    corrupt, lost, seen = await begun(19, ago=60), await begun(20, ago=60), await begun(21, ago=60)
    await damage(database, corrupt.id)
    await begun(22, ago=0)  # its board is on its way
    await begun(23, ago=90_000)
    moved, current = await begun(24, ago=60), await begun(25, ago=60)
    store.board_ids.note(moved, MessageId(1 << 62))
    moved = await store.save(moved, after(moved.match, "b2 a1"), NOW - 60)
    current = await store.save(current, after(current.match, "b2 a1"), NOW - 60)
    store.board_ids.note(current, MessageId(2))
    await store.board_ids.write()
    store.board_ids.note(seen, MessageId(3))
    await Owed(service(store, searches), store, shown.append, checked.append, clock).catch_up()
    assert (shown, checked) == ([lost.id], [moved.id])


async def test_old_boards_of_a_damaged_match(
    database: Database, searches: SearchClient, caplog: pytest.LogCaptureFixture
) -> None:
    """A start logs that they can't be removed; the next start has nothing to log."""
    before = MatchStore(database)
    ended = await owing(before, 20)
    before.board_ids.note_old(ended.id, [MessageId(1), MessageId(2)])
    await before.board_ids.write()
    await damage(database, ended.id)
    for warnings in (1, 0):
        store = MatchStore(database)
        await Owed(service(store, searches), store, unused, unused, clock).catch_up()
        assert caplog.text.count("keeps its boards") == warnings
        caplog.clear()
        await store.board_ids.write()


async def test_a_database_that_is_away_at_the_start(
    database: Database, searches: SearchClient
) -> None:
    """Old boards that couldn't be read from the database then are removed once it is back."""
    before = MatchStore(database)
    place = Place(SERVER, ChannelId(20))
    match_id = (await before.create(NewMatch(place, begin(), ("A", "B")), NOW - 60)).id
    before.board_ids.note_old(match_id, [MessageId(1)])
    await before.board_ids.write()
    store, shown = MatchStore(database), list[MatchId]()
    owed = Owed(service(store, searches), store, shown.append, unused, clock)
    await rename(database, "old_boards", "away")
    with pytest.raises(DBAPIError):
        await owed.catch_up()
    await rename(database, "away", "old_boards")
    await owed.catch_up()
    assert shown == [match_id]


async def test_boards_and_moves_that_stay_owed(store: MatchStore, searches: SearchClient) -> None:
    """The first look after a start acts at once; later, a board is only owed at a second look.

    Until then it may be on its way. If it can't be shown, the pauses between attempts double.
    """
    shown = list[MatchId]()
    owed = Owed(service(store, searches), store, shown.append, unused, clock)

    async def looks_that_show(match_id: MatchId, looks: int) -> list[int]:
        found = []
        for look in range(1, looks + 1):
            await owed.catch_up()
            found += [look] * shown.count(match_id)
            shown.clear()
        return found

    left, lost = [
        await store.create(NewMatch(Place(SERVER, ChannelId(n)), begin(), ("A", "B")), NOW - 60)
        for n in (20, 21)
    ]
    store.board_ids.note(lost, MessageId(1))
    await store.board_ids.write()
    assert await looks_that_show(left.id, 5) == [1, 2, 4]
    store.board_ids.note(left, MessageId(2))
    await store.board_ids.write()
    store.board_ids.note_old(lost.id, [MessageId(3)])
    await store.board_ids.write()
    assert await looks_that_show(lost.id, 20) == [2, 4, 8, 16]
    store.board_ids.note_old(lost.id, [MessageId(4)])
    await store.board_ids.write()
    assert await looks_that_show(lost.id, 3) == [2], "something has happened in this match"
    for message_id in (3, 4):
        store.board_ids.note_removed(lost.id, MessageId(message_id))
    assert await looks_that_show(lost.id, 20) == []


async def damage(database: Database, match_id: MatchId) -> None:
    """Let a match have a move that can't be read."""
    async with database.begin() as connection:
        unread = update(matches).where(matches.c.id == match_id)
        await connection.execute(unread.values(moves="castle"))


async def rename(database: Database, name: str, becomes: str) -> None:
    async with database.begin() as connection:
        await connection.execute(text(f"ALTER TABLE {name} RENAME TO {becomes}"))


def test_pauses_between_vain_looks_double() -> None:
    """They double, up to a limit: a channel may be open to the bot again after a month."""
    due = [looks for looks in range(7000) if _is_due(looks)]
    assert due == [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 6144]
