"""Which matches are searched for puzzles next, on both databases."""

from bot.identity import ServerId
from bot.matches.store import MatchStore
from bot.puzzles.model import DAY
from bot.puzzles.store import PuzzleStore, SearchedStore
from tests.bot.playing import NOW, SERVER, X_WINS, create
from tests.bot.serving import Clock
from tests.core.boards import after


async def test_servers_are_searched_in_turn(
    puzzle_store: PuzzleStore, searched: SearchedStore, store: MatchStore, clock: Clock
) -> None:
    """One that has no match to be searched keeps no other from its turn."""
    stored = await create(store)
    await store.save(stored, after(stored.match, X_WINS), NOW)
    for server_id in (ServerId(1), ServerId(2), SERVER):
        await puzzle_store.asked(server_id)
    assert await searched.hungry(2) == [], "somebody may still take a move back"
    clock.now = NOW + 31 * DAY
    assert await searched.unsearched(SERVER) is None, "that was too long ago"
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
