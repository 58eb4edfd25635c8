"""Which matches are searched for puzzles next, on both databases."""

from sqlalchemy import insert

from bot.clocks.store import go_on
from bot.db.database import Database
from bot.db.tables import puzzles
from bot.identity import ChannelId, Place, ServerId
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from bot.privacy.store import ServerDataStore
from bot.puzzles.store import PuzzleStore, SearchedStore
from bot.puzzles.store.matches import _STOCK
from bot.times import DAY
from tests.bot.playing import NAMES, NOW, SERVER, X_WINS, begin, create
from tests.bot.serving import Clock
from tests.core.boards import after

FIRST = ServerId(0)


async def test_a_server_that_is_far_behind_has_one_turn(
    puzzle_store: PuzzleStore, searched: SearchedStore, store: MatchStore, clock: Clock
) -> None:
    """Otherwise a server with many old matches would keep all others waiting for days."""
    for number, behind in enumerate((9, 1, 5, 1), start=1):
        server_id = ServerId(number)
        place = Place(server_id, ChannelId(number))
        stored = await store.create(NewMatch(place, begin(), NAMES), NOW)
        await store.save(stored, after(stored.match, X_WINS), NOW - behind * DAY)
        await puzzle_store.note_wanted(server_id, clock.now)
    clock.now = NOW + DAY + 1
    assert await searched.to_search(FIRST, 3, clock.now) == [1, 2, 3]
    assert await searched.to_search(ServerId(3), 3, clock.now) == [4, 1, 2]
    assert await searched.to_search(ServerId(4), 5, clock.now) == [1, 2, 3, 4]


async def test_servers_are_searched_in_turn(
    puzzle_store: PuzzleStore,
    searched: SearchedStore,
    store: MatchStore,
    clock: Clock,
    database: Database,
) -> None:
    """A server without a match to be searched doesn't take another's turn."""
    stored = await create(store)
    await store.save(stored, after(stored.match, X_WINS), NOW)
    for server_id in (ServerId(1), ServerId(2), SERVER):
        await puzzle_store.note_wanted(server_id, clock.now)
    assert await searched.to_search(FIRST, 2, clock.now) == [], (
        "somebody may still take a move back"
    )
    clock.now = NOW + 31 * DAY
    assert await searched.unsearched(SERVER, clock.now) is None, "that was too long ago"
    clock.now = NOW + DAY + 1
    assert await searched.to_search(FIRST, 2, clock.now) == [SERVER]
    assert await searched.unsearched(SERVER, clock.now) == (stored.id, NOW)
    servers = ServerDataStore(database, go_on)
    await servers.note_left(SERVER, NOW)
    assert await searched.to_search(FIRST, 2, clock.now) == [], "nobody there would see a puzzle"
    await servers.note_present([SERVER], clock.now)
    await searched.note_searched(SERVER, stored.id, NOW, [])
    assert await searched.to_search(FIRST, 2, clock.now) == []
    assert await searched.unsearched(SERVER, clock.now) is None


async def test_a_server_for_which_enough_puzzles_wait_is_not_searched(
    puzzle_store: PuzzleStore,
    searched: SearchedStore,
    store: MatchStore,
    clock: Clock,
    database: Database,
) -> None:
    """Waiting puzzles of other servers don't count."""
    servers = [ServerId(number) for number in (1, 2, 3)]
    for number, server_id in enumerate(servers):
        place = Place(server_id, ChannelId(number))
        stored = await store.create(NewMatch(place, begin(), NAMES), NOW)
        await store.save(stored, after(stored.match, X_WINS), NOW)
        await puzzle_store.note_wanted(server_id, clock.now)
    clock.now = NOW + DAY + 1
    assert await searched.to_search(FIRST, 3, clock.now) == [1, 2, 3]
    row = {"guild_id": 3, "game": "x", "difficulty": "easy", "line": "x"}
    async with database.begin() as connection:
        waiting = [row | {"start": str(number)} for number in range(_STOCK)]
        await connection.execute(insert(puzzles), waiting)
    assert await searched.to_search(FIRST, 3, clock.now) == [1, 2]


async def test_matches_that_end_in_the_same_second(
    puzzle_store: PuzzleStore, searched: SearchedStore, store: MatchStore, clock: Clock
) -> None:
    """Each of them is searched, once; an earlier end comes first, whichever match is newer."""
    ends = [NOW, NOW, NOW - 1]
    ended = [await create(store, channel_id=number) for number in range(1, 4)]
    for stored, at in zip(ended, ends, strict=True):
        await store.save(stored, after(stored.match, X_WINS), at)
    await puzzle_store.note_wanted(SERVER, clock.now)
    clock.now = NOW + DAY + 1
    for number in (2, 0, 1):
        following = ended[number].id, ends[number]
        assert await searched.unsearched(SERVER, clock.now) == following
        await searched.note_searched(SERVER, *following, [])
    assert await searched.unsearched(SERVER, clock.now) is None
    assert await searched.to_search(FIRST, 1, clock.now) == []
