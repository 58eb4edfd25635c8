"""Deadlines and archiving racing a move: the database lets exactly one of them happen."""

from collections import Counter

from bot.clocks.service import ClockService
from bot.clocks.store import Due, DueStore
from bot.db.errors import ChangedError
from bot.identity import ChannelId
from bot.matches.clock import DEFAULT_CLOCK
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.times import DAY, HOUR
from tests.bot.playing import NOW, ROUNDS, SERVER, begin, both, loaded, race
from tests.bot.serving import Clock
from tests.bot.timed import UP, create, moved, time_out
from tests.core.boards import ALICE, ROBOT


async def test_a_move_against_the_deadline(store: MatchStore, due: DueStore) -> None:
    """Over many rounds each comes first in some, and only the first of the two happens."""
    seen: Counter[str] = Counter()
    for number in map(ChannelId, range(ROUNDS)):
        stored = await create(store, channel_id=number)
        found = stored.timing
        item = Due(stored.id, number, found.due_at or 0, found.deadline, SERVER)
        move, deadline = store.save(stored, moved(stored), UP), time_out(store, due, item, UP)
        results = await race(number, move, deadline)
        after_all = await loaded(store, stored.id)
        if after_all.match.moves:
            assert after_all.match.outcome is None
            assert None in results and after_all in results
            assert after_all.timing.deadline == UP + DEFAULT_CLOCK
            seen["move"] += 1
        else:
            assert after_all.match.outcome is not None
            assert any(isinstance(result, ChangedError) for result in results)
            seen["deadline"] += 1
    assert min(seen["move"], seen["deadline"]) > 0, seen


async def test_a_move_against_archiving(store: MatchStore) -> None:
    """A last-minute move keeps the match live, or is refused because the match was archived."""
    seen: Counter[str] = Counter()
    later = NOW + 8 * DAY
    for number in map(ChannelId, range(ROUNDS)):
        stored = await create(store, begin(ALICE, ROBOT), channel_id=number)
        move = store.save(stored, moved(stored), later)
        archiving = store.holding.archive(stored, later)
        results = await race(number, move, archiving)
        found = await loaded(store, stored.id)
        assert found.archived != bool(found.match.moves)
        assert found.archived == (True in results)
        seen["archived" if found.archived else "move"] += 1
    assert min(seen["move"], seen["archived"]) > 0, seen


async def test_a_repeated_position_has_a_new_deadline(store: MatchStore, due: DueStore) -> None:
    """After a move and its undo the position is the same, but its deadline is not."""
    stored = await create(store)
    (item,) = await due.due(UP, 10)
    played = await store.save(stored, moved(stored), UP)
    await store.save(played, stored.match, UP + 1)
    assert await time_out(store, due, item, UP + 1) is None
    assert await due.due(UP + 1, 10) == []


async def test_two_processes_remind_a_player_once(
    store: MatchStore, due: DueStore, matches: MatchService, clock: Clock
) -> None:
    """Both find the match due, and one of them is told that the other reminds its player."""
    stored = await create(store)
    clock.now = UP - HOUR
    processes = [ClockService(due, store, matches, clock) for _ in range(2)]
    (item,) = await due.due(clock.now, 10)
    reminding = await both(*(process.claim_reminder(item) for process in processes))
    assert [one.id for one in reminding if one is not None] == [stored.id]
