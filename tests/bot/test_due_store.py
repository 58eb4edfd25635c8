"""What is due, in the database: renewed with each turn, found by index, claimed once."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.clocks.store import _DUE, Due, DueStore
from bot.matches.clock import DAY, DEFAULT_CLOCK, HOUR, MINUTE, Timing
from bot.matches.model import Series
from bot.matches.store import MatchStore
from bot.matches.turns import ChangedError, ChannelTakenError
from core.outcome import Termination
from tests.bot.playing import HERE, NOW, begin, both
from tests.bot.timed import UP, create, moved, time_out
from tests.core.boards import ALICE, BOB, ROBOT


async def test_a_move_renews_the_deadline(store: MatchStore, due: DueStore) -> None:
    """In the same statement: what comes back is what was returned."""
    stored = await create(store)
    assert stored.timing == Timing(UP, UP - DEFAULT_CLOCK // 4)
    saved = await store.save(stored, moved(stored), NOW + HOUR)
    assert saved.timing == Timing(UP + HOUR, UP + HOUR - DEFAULT_CLOCK // 4)
    assert await store.load(stored.id) == saved
    over = await store.save(saved, saved.match.resign(ALICE), NOW + 2 * HOUR)
    assert over.timing == Timing()
    assert await store.load(stored.id) == over
    assert await due.due(NOW + 100 * DAY, 10) == []


async def test_moves_against_the_computer_leave_the_index_alone(store: MatchStore) -> None:
    """Within an hour nothing but the moves is rewritten."""
    stored = await create(store, begin(ALICE, ROBOT))
    saved = await store.save(stored, moved(stored), NOW + 60)
    assert saved.timing == stored.timing
    later = await store.save(saved, moved(saved, "a1"), NOW + HOUR)
    assert later.timing.due_at == (stored.timing.due_at or 0) + HOUR


async def test_what_is_due_comes_in_order(store: MatchStore, due: DueStore) -> None:
    """The longest due first, so many at a time, and nothing that isn't due."""
    for number, clock in enumerate([DAY, HOUR, 2 * HOUR, None]):
        await create(store, channel_id=number, clock=clock)
    assert await due.due(NOW, 10) == []
    assert [item.match_id for item in await due.due(NOW + DAY, 10)] == [2, 3, 1]
    assert [item.match_id for item in await due.due(NOW + DAY, 2)] == [2, 3]
    (first,) = await due.due(NOW + HOUR, 10)
    assert first == Due(2, 1, NOW + HOUR - 15 * MINUTE, NOW + HOUR)


async def test_a_reminder_is_claimed_once(store: MatchStore, due: DueStore) -> None:
    """Of two at the same moment one reminds; then the deadline is what is due."""
    await create(store)
    (item,) = await due.due(UP - 1, 10)
    assert sorted(await both(due.claim_reminder(item), due.claim_reminder(item))) == [False, True]
    assert await due.due(UP - 1, 10) == []
    (item,) = await due.due(UP, 10)
    assert item.due_at == item.deadline == UP


async def test_lost_time(store: MatchStore, due: DueStore) -> None:
    """The player to move loses; a second claim finds nothing."""
    stored = await create(store)
    (item,) = await due.due(UP, 10)
    lost = await time_out(due, item, UP)
    assert lost is not None and lost.match.outcome is not None
    assert lost.match.outcome.termination is Termination.TIMEOUT
    assert lost.match.outcome.ranks == (2, 1)
    assert await store.load(stored.id) == lost
    assert await time_out(due, item, UP) is None


async def test_grace(store: MatchStore, due: DueStore) -> None:
    """Deadlines that have passed get a tenth of the clock, with a reminder; others stay."""
    late = await create(store, clock=HOUR)
    reminded = await create(store, channel_id=2, clock=HOUR)
    assert await due.claim_reminder(Due(reminded.id, 2, NOW + HOUR - 15 * MINUTE, NOW + HOUR))
    running = await create(store, channel_id=3)
    idle = await create(store, begin(ALICE, ROBOT), channel_id=4)
    now = NOW + DAY - 1
    assert await due.give_grace(now) == 2
    for one in (late, reminded):
        found = await store.load(one.id)
        assert found is not None and found.timing == Timing(now + 6 * MINUTE, now)
    assert await store.load(running.id) == running
    assert await store.load(idle.id) == idle
    assert await due.give_grace(now) == 0


@pytest.mark.parametrize(
    "damage", ["moves = 'nonsense'", "game = 'chess'", "moves = 'a1 a3 b1 b3 c1'"]
)
async def test_a_match_that_cannot_be_read_is_met_once(
    store: MatchStore, due: DueStore, database: AsyncEngine, damage: str
) -> None:
    """Nor one that is over by its moves: its clock is stopped, and the others' go on."""
    await create(store)
    await create(store, channel_id=2)
    async with database.begin() as connection:
        await connection.execute(text(f"UPDATE matches SET {damage} WHERE id = 1"))
    for item in await due.due(UP, 10):
        await time_out(due, item, UP)
    assert await due.due(UP, 10) == []
    other = await store.load(2)
    assert other is not None and other.match.outcome is not None


# --- put away, and back


async def test_put_away_and_back(store: MatchStore, due: DueStore) -> None:
    """The channel is free meanwhile; whoever played finds the match; it is due again later."""
    stored = await create(store, begin(ALICE, ROBOT))
    (item,) = await due.due(NOW + 8 * DAY, 10)
    assert await due.put_away(item, NOW + 8 * DAY)
    assert not await due.put_away(item, NOW + 8 * DAY)
    assert await store.live(HERE.channel_id) is None
    with pytest.raises(ChangedError):
        await store.save(stored, moved(stored), NOW + 8 * DAY)
    away = await due.put_away_of(HERE.channel_id, ALICE.id)
    assert away == replace(stored, put_away=True, timing=Timing())
    assert await due.put_away_of(HERE.channel_id, BOB.id) is None
    assert await due.put_away_of(HERE.channel_id + 1, ALICE.id) is None
    await due.bring_back(stored.id, NOW + 20 * DAY)
    back = await store.live(HERE.channel_id)
    assert back == replace(stored, timing=Timing(None, NOW + 20 * DAY))
    with pytest.raises(ChangedError):
        await due.bring_back(stored.id, NOW + 20 * DAY)


async def test_a_busy_channel(store: MatchStore, due: DueStore) -> None:
    """The database lets a match come back only where no other is played."""
    stored = await create(store, begin(ALICE, ROBOT))
    (item,) = await due.due(NOW + 8 * DAY, 10)
    await due.put_away(item, NOW + 8 * DAY)
    other = await create(store)
    with pytest.raises(ChannelTakenError):
        await due.bring_back(stored.id, NOW)
    await store.save(other, other.match.resign(ALICE), NOW)
    await due.bring_back(stored.id, NOW)


# --- what it costs


async def test_a_round_reads_an_index(database: AsyncEngine) -> None:
    """Where nothing is due, a small index of what will be is looked into, and nothing else."""
    bound = _DUE.params(now=NOW, most=200)
    compiled = str(bound.compile(database.sync_engine, compile_kwargs={"literal_binds": True}))
    async with database.connect() as connection:
        if database.dialect.name == "postgresql":
            # It would read all of a table as small as this.
            await connection.execute(text("SET LOCAL enable_seqscan = off"))
            plan = await connection.execute(text(f"EXPLAIN {compiled}"))
            steps = [row[0].strip() for row in plan]
            assert any("ix_matches_due" in step for step in steps), steps
            assert not any("Seq Scan" in step for step in steps), steps
        else:
            plan = await connection.execute(text(f"EXPLAIN QUERY PLAN {compiled}"))
            steps = [row[-1] for row in plan]
            assert steps == ["SEARCH matches USING INDEX ix_matches_due (due_at<?)"]


# --- three seats


async def test_lost_time_of_three(store: MatchStore, due: DueStore) -> None:
    """Whoever runs out of time leaves; the next one's time begins, and the last one wins."""
    match = begin(game="tribolo")
    names = ("Alice", "Bob", "Carol")
    stored = await store.create(HERE, match, names, Series(), NOW, HOUR)
    (item,) = await due.due(NOW + HOUR, 10)
    left = await time_out(due, item, NOW + HOUR)
    assert left is not None and left.match.outcome is None
    assert left.match.to_move != match.to_move
    assert left.timing.deadline == NOW + 2 * HOUR
    assert await store.load(stored.id) == left
    assert await time_out(due, item, NOW + HOUR) is None
    (item,) = await due.due(NOW + 2 * HOUR, 10)
    over = await time_out(due, item, NOW + 2 * HOUR)
    assert over is not None and over.match.outcome is not None
    assert sorted(over.match.outcome.ranks) == [1, 2, 3]
    assert over.match.outcome.ranks[match.to_move or 0] == 3
    assert over.timing == Timing()


async def test_somebody_elses_leaving_stops_no_clock(store: MatchStore) -> None:
    """Who leaves out of turn doesn't give the player to move more time."""
    match = begin(game="tribolo")
    stored = await store.create(HERE, match, ("A", "B", "C"), Series(), NOW, HOUR)
    waiting = next(player for player in match.players if player != match.next_player)
    left = await store.save(stored, match.resign(waiting), NOW + MINUTE)
    assert left.timing == stored.timing
    assert await store.load(stored.id) == left
