"""Deadlines in the database: renewed by each turn, found by an index, claimed once."""

import pytest
from sqlalchemy import text

from bot.clocks.store import _DUE, Due, DueStore, go_on
from bot.db.database import Database
from bot.db.tables import matches
from bot.identity import ChannelId, MatchId, Place, ServerId
from bot.matches.clock import DEFAULT_CLOCK, LONGEST, Timing
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from bot.privacy.store import ServerDataStore
from bot.times import DAY, HOUR, MINUTE
from tests.bot.planning import planned
from tests.bot.playing import HERE, NAMES, NOW, SERVER, begin, both, loaded
from tests.bot.timed import UP, create, moved, time_out
from tests.core.boards import ALICE, ROBOT


async def test_a_move_renews_the_deadline(store: MatchStore, due: DueStore) -> None:
    """The turn is saved with its deadline in one statement, and loading returns the same."""
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
    """Moves within an hour leave `due_at` unchanged, so the index is not written."""
    stored = await create(store, begin(ALICE, ROBOT))
    saved = await store.save(stored, moved(stored), NOW + 60)
    assert saved.timing == stored.timing
    later = await store.save(saved, moved(saved, "a1"), NOW + HOUR)
    assert later.timing.due_at == (stored.timing.due_at or 0) + HOUR


async def test_due_matches_come_in_order(store: MatchStore, due: DueStore) -> None:
    """The longest overdue matches come first, up to the limit, and none that aren't due."""
    for number, clock in enumerate([DAY, HOUR, 2 * HOUR, None]):
        await create(store, channel_id=number, clock=clock)
    assert await due.due(NOW, 10) == []
    assert [item.match_id for item in await due.due(NOW + DAY, 10)] == [2, 3, 1]
    assert [item.match_id for item in await due.due(NOW + DAY, 2)] == [2, 3]
    (first,) = await due.due(NOW + HOUR, 10)
    assert first == Due(MatchId(2), ChannelId(1), NOW + HOUR - 15 * MINUTE, NOW + HOUR, SERVER)


async def test_a_reminder_is_claimed_once(store: MatchStore, due: DueStore) -> None:
    """Of two simultaneous claims one succeeds; after the reminder, the deadline is due next."""
    stored = await create(store)
    (item,) = await due.due(UP - HOUR, 10)
    claims = (due.claim_reminder(item, UP - HOUR) for _ in range(2))
    assert sorted(await both(*claims)) == [False, True]
    claimed = await loaded(store, stored.id)
    await due.note_reminded(claimed)
    assert await due.due(UP - 1, 10) == []
    (item,) = await due.due(UP, 10)
    assert item.due_at == item.deadline == UP


@pytest.mark.parametrize(("left", "half"), [(HOUR, 3 * MINUTE), (2 * MINUTE, MINUTE)])
async def test_a_reminder_that_is_not_sent(
    store: MatchStore, due: DueStore, left: int, half: int
) -> None:
    """It is due again soon, while there is time; a late report of the first claim has no effect."""
    stored, now = await create(store), UP - left
    (item,) = await due.due(now, 10)
    await due.claim_reminder(item, now)
    first = await loaded(store, stored.id)
    assert await due.due(now + half - 1, 10) == []
    (item,) = await due.due(now + half, 10)
    assert await due.claim_reminder(item, now + half)
    await due.note_reminded(first)
    assert [item.due_at for item in await due.due(UP - 1, 10)] != []


@pytest.mark.parametrize(("clock", "grace"), [(HOUR, 6 * MINUTE), (MINUTE, MINUTE)])
async def test_a_deadline_that_could_not_be_met_is_extended(
    store: MatchStore, due: DueStore, clock: int, grace: int
) -> None:
    """It is extended once, by a tenth of the clock or a minute, and the reminder comes again."""
    late = await create(store, clock=clock)
    now = NOW + DAY
    (item,) = await due.due(now, 10)
    await both(*(due.put_off(item, now, remind=True) for _ in range(2)))
    assert (await loaded(store, late.id)).timing == Timing(now + grace, now)


async def test_a_deadline_is_put_off(store: MatchStore, due: DueStore) -> None:
    """At least a tenth of the clock is left, and half of that before the match is due again."""
    stored = await create(store, clock=10 * HOUR)
    (reminder,) = await due.due(NOW + 8 * HOUR, 10)
    await due.put_off(reminder, NOW + 8 * HOUR, remind=False)
    timing = Timing(NOW + 10 * HOUR, NOW + 8 * HOUR + HOUR // 2)
    assert (await loaded(store, stored.id)).timing == timing
    late = NOW + 11 * HOUR
    (item,) = await due.due(late, 10)
    await both(*(due.put_off(item, late, remind=False) for _ in range(2)))
    assert (await loaded(store, stored.id)).timing == Timing(late + HOUR, late + HOUR // 2)
    assert await time_out(store, due, item, late) is None


async def test_deadlines_move_on_by_the_time_without_the_bot(
    store: MatchStore, due: DueStore, database: Database
) -> None:
    """Once a server has the bot again, each player has the time that was left when it went.

    A turn that began meanwhile has its whole clock, and nobody has less than a tenth.
    """
    left_at, back = NOW + 2 * HOUR, NOW + 3 * DAY
    running = await create(store)
    stopped = await create(store, channel_id=2, clock=4 * HOUR)
    late = await create(store, channel_id=3, clock=HOUR)
    begun = await create(store, channel_id=4)
    begun = await store.save(begun, moved(begun), left_at + HOUR)
    elsewhere = NewMatch(Place(ServerId(SERVER + 1), ChannelId(7)), begin(), NAMES, clock=LONGEST)
    others = [
        await create(store, channel_id=5, clock=None),
        await create(store, begin(ALICE, ROBOT), channel_id=6),
        await store.create(elsewhere, NOW),
    ]
    left = ServerDataStore(database, go_on)
    await left.note_left(SERVER, left_at)
    for item in await due.due(NOW + 4 * HOUR, 10):
        assert item.left
        await due.stop(item, NOW)
    await left.note_present([SERVER], back)
    for one, timing in (
        (running, Timing(back + 22 * HOUR, back + 16 * HOUR)),
        (stopped, Timing(back + 2 * HOUR, back)),
        (late, Timing(back + 6 * MINUTE, back)),
        (begun, Timing(back + DAY, back + 18 * HOUR)),
        *((other, other.timing) for other in others),
    ):
        assert (await loaded(store, one.id)).timing == timing
    assert not [item for item in await due.due(back, 10) if item.left]


@pytest.mark.parametrize(
    "damage", ["moves = 'nonsense'", "game = 'chess'", "moves = 'a1 a3 b1 b3 c1'"]
)
async def test_an_unreadable_match_is_found_once(
    store: MatchStore, due: DueStore, database: Database, damage: str
) -> None:
    """Its clock is stopped, and so is the clock of a match whose moves end it; other clocks run."""
    await create(store)
    await create(store, channel_id=2)
    async with database.begin() as connection:
        await connection.execute(text(f"UPDATE matches SET {damage} WHERE id = 1"))
    for item in await due.due(UP, 10):
        await time_out(store, due, item, UP)
    assert await due.due(UP + DAY, 10) == []
    assert (await loaded(store, MatchId(2))).match.outcome is not None


# --- cost


async def test_a_round_uses_an_index(database: Database, store: MatchStore) -> None:
    """With nothing due, a sweep searches one small index, and looks at no server."""
    stored = await create(store)
    steps = await planned(
        database,
        _DUE.params(now=NOW, most=200),
        matches,
        lambda n: {"id": stored.id + n, "channel_id": HERE.channel_id + n},
    )
    if database.dialect.name == "postgresql":
        assert any("ix_matches_due" in step for step in steps), steps
        assert not any("Seq Scan" in step for step in steps), steps
    else:
        search, *of_each_found = steps
        assert search == "SEARCH matches USING INDEX ix_matches_due (due_at<?)"
        assert not any("SCAN" in step for step in of_each_found), steps


# --- three seats


async def test_lost_time_of_three(store: MatchStore, due: DueStore) -> None:
    """A player who runs out of time leaves, the next one's clock starts, and the last one wins."""
    match = begin(game="tribolo")
    names = ("Alice", "Bob", "Carol")
    stored = await store.create(NewMatch(HERE, match, names, clock=HOUR), NOW)
    (item,) = await due.due(NOW + HOUR, 10)
    left = await time_out(store, due, item, NOW + HOUR)
    assert left is not None and left.match.outcome is None
    assert left.match.to_move != match.to_move
    assert left.timing.deadline == NOW + 2 * HOUR
    assert await store.load(stored.id) == left
    assert await time_out(store, due, item, NOW + HOUR) is None
    (item,) = await due.due(NOW + 2 * HOUR, 10)
    over = await time_out(store, due, item, NOW + 2 * HOUR)
    assert over is not None and over.match.outcome is not None
    assert sorted(over.match.outcome.ranks) == [1, 2, 3]
    assert over.match.outcome.ranks[match.to_move or 0] == 3
    assert over.timing == Timing()


async def test_leaving_out_of_turn_keeps_the_deadline(store: MatchStore) -> None:
    """A player who leaves out of turn gives the player to move no more time."""
    match = begin(game="tribolo")
    stored = await store.create(NewMatch(HERE, match, ("A", "B", "C"), clock=HOUR), NOW)
    waiting = next(player for player in match.players if player != match.next_player)
    left = await store.save(stored, match.resign(waiting), NOW + MINUTE)
    assert left.timing == stored.timing
    assert await store.load(stored.id) == left
