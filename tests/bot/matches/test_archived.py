"""Archived matches in the database: they free their channel, and go on in it or in another one."""

import asyncio
from dataclasses import replace

import pytest

from bot.db.errors import ChangedError
from bot.identity import ChannelId, Context, MessageId, Place, ServerId
from bot.matches.clock import Timing
from bot.matches.model import NewMatch
from bot.matches.occupancy import Occupancy
from bot.matches.service import MatchService
from bot.matches.store import ChannelTakenError, MatchStore
from bot.refusals import Refusal
from bot.times import DAY, HOUR
from tests.bot.playing import ALICE_ID, BOB_ID, HERE, NOW, begin, both, late
from tests.bot.serving import Clock
from tests.bot.timed import create, moved
from tests.core.boards import ALICE, ROBOT


async def test_archived_and_restored(store: MatchStore) -> None:
    """An archived match frees its channel; its players can restore it, with a new deadline."""
    stored = await create(store, begin(ALICE, ROBOT))
    assert await store.holding.archive(stored, NOW + 8 * DAY)
    assert not await store.holding.archive(stored, NOW + 8 * DAY)
    assert await store.live(HERE.channel_id) is None
    with pytest.raises(ChangedError):
        await store.save(stored, moved(stored), NOW + 8 * DAY)
    away = await store.archived(HERE, ALICE_ID, 9)
    assert away == [replace(stored, archived=True, timing=Timing())]
    assert await store.archived(HERE, BOB_ID, 9) == []
    assert await store.archived(Place(ServerId(11), ChannelId(21)), ALICE_ID, 9) == []
    await store.holding.bring_back(stored, HERE.channel_id, NOW + 20 * DAY, NOW + 9 * DAY)
    back = await store.live(HERE.channel_id)
    due_again = Timing(None, NOW + 20 * DAY)
    assert back == replace(stored, timing=due_again, moved_at=NOW + 9 * DAY, revision=1)
    with pytest.raises(ChangedError):
        await store.holding.bring_back(stored, HERE.channel_id, NOW + 20 * DAY, NOW + 9 * DAY)


async def test_a_move_in_the_same_second(store: MatchStore) -> None:
    """A match read before the move can be neither archived nor moved to another channel."""
    stored = await create(store, begin(ALICE, ROBOT))
    await store.save(stored, moved(stored), NOW)
    assert not await store.holding.archive(stored, NOW)
    with pytest.raises(ChangedError):
        await store.holding.move(stored, Place(HERE.server_id, ChannelId(HERE.channel_id + 1)), NOW)


async def test_a_match_moves_while_somebody_waits_for_its_lock(
    matches: MatchService, store: MatchStore
) -> None:
    """It is then held by the lock of its new channel; it was held by that of the old one."""
    stored = await create(store, begin(ALICE, ROBOT))
    there = Place(HERE.server_id, ChannelId(HERE.channel_id + 1))

    async def locked_channels() -> list[bool]:
        async with matches.held(stored.id) as held:
            assert held.place == there
            return [matches.lock(place.channel_id).locked() for place in (HERE, there)]

    async with matches.lock(HERE.channel_id):
        waiting = asyncio.create_task(locked_channels())
        await asyncio.sleep(0.05)
        await store.holding.move(stored, there, NOW)
    assert await asyncio.wait_for(waiting, 5) == [False, True]


async def test_a_move_over_a_state_from_before_the_archiving(store: MatchStore) -> None:
    """A match that was archived and restored has the same moves, but counts as changed."""
    stored = await create(store, begin(ALICE, ROBOT))
    assert await store.holding.archive(stored, NOW)
    await store.holding.bring_back(stored, HERE.channel_id, None, NOW + HOUR)
    with pytest.raises(ChangedError):
        await store.save(stored, moved(stored), NOW + HOUR)


async def test_restored_in_another_channel(store: MatchStore) -> None:
    """An archived match can go to another channel of its server; its old board stays behind."""
    there = Place(HERE.server_id, ChannelId(HERE.channel_id + 1))
    older = await create(store, begin(ALICE, ROBOT), there.channel_id)
    newer = await create(store, begin(ALICE, ROBOT))
    for stored in (older, newer):
        store.board_ids.note(stored, MessageId(5))
        assert await store.holding.archive(stored, NOW)
    for place, expected in ((there, older), (HERE, newer)):
        (found,) = await store.archived(place, ALICE_ID, 1)
        assert found.id == expected.id
    await store.holding.bring_back(newer, there.channel_id, None, NOW)
    back = await store.live(there.channel_id)
    assert back is not None
    assert (back.id, back.place, back.board_id) == (newer.id, there, None)
    with pytest.raises(ChannelTakenError):
        await store.holding.bring_back(older, there.channel_id, None, NOW)


async def test_private_channels_have_nothing_to_do_with_each_other(store: MatchStore) -> None:
    """A match archived in one doesn't come back in another, where other people would read it."""
    here, there = (Place(None, ChannelId(one), context=Context.PRIVATE) for one in (5, 6))
    stored = await store.create(NewMatch(here, begin(ALICE, ROBOT), ("Alice", None)), NOW)
    assert await store.holding.archive(stored, NOW)
    assert await store.archived(there, ALICE_ID, 9) == []
    (found,) = await store.archived(here, ALICE_ID, 9)
    assert found.id == stored.id


async def test_a_match_brought_back_in_two_channels_at_once(
    store: MatchStore, matches: MatchService, clock: Clock
) -> None:
    """It comes back in one of them, and the refusal in the other says where it is."""
    stored = await create(store, begin(ALICE, ROBOT))
    assert await store.holding.archive(stored, NOW)
    occupancy, archived = Occupancy(matches, store, clock), replace(stored, archived=True)
    there = Place(HERE.server_id, ChannelId(HERE.channel_id + 1))
    back = await occupancy.bring_back(archived, there)
    with pytest.raises(Refusal, match="back_elsewhere") as refused:
        await occupancy.bring_back(archived, HERE)
    assert refused.value.board == back == await store.live(there.channel_id)


async def test_a_move_and_a_taking_over(store: MatchStore) -> None:
    """Of a move and an archiving at the same moment, exactly one changes the match."""
    for number, milliseconds in enumerate((0, 1, 3)):
        stored = await create(store, begin(ALICE, ROBOT), number)
        archiving = asyncio.create_task(
            late(store.holding.archive(stored, NOW + HOUR), milliseconds)
        )
        try:
            await store.save(stored, moved(stored), NOW + HOUR)
        except ChangedError:
            assert await archiving
        else:
            assert not await archiving


async def test_two_members_take_over_a_match_at_once(store: MatchStore) -> None:
    """Only one of two archives the match."""
    stored = await create(store, begin(ALICE, ROBOT))
    assert sorted(await both(*(store.holding.archive(stored, NOW) for _ in range(2)))) == [
        False,
        True,
    ]


async def test_a_busy_channel(store: MatchStore) -> None:
    """The database restores a match only into a free channel."""
    stored = await create(store, begin(ALICE, ROBOT))
    await store.holding.archive(stored, NOW + 8 * DAY)
    other = await create(store)
    with pytest.raises(ChannelTakenError):
        await store.holding.bring_back(stored, HERE.channel_id, NOW, NOW)
    await store.save(other, other.match.resign(ALICE), NOW)
    await store.holding.bring_back(stored, HERE.channel_id, NOW, NOW)
