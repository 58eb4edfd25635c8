"""The messages of boards in the database: a match's newest board, and old ones to be removed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.db.database import Database
from bot.identity import ChannelId, Context, MatchId, MessageId, Place
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import MatchStore, boards
from tests.bot.playing import NAMES, NOW, ON_SQLITE, SERVER, X_WINS, begin, create, loaded
from tests.core.boards import after


async def test_board_messages_are_stored(database: Database, store: MatchStore) -> None:
    """The messages of several matches are written at once, and turns don't change them."""
    one, two = await create(store, channel_id=1), await create(store, channel_id=2)
    for match, board in ((one, 111), (two, 222), (replace(one, id=MatchId(999)), 333)):
        store.board_ids.note(match, MessageId(board))
    await store.board_ids.write()
    await store.save(one, after(one.match, "b2"), NOW)
    written = [await loaded(MatchStore(database), stored.id) for stored in (one, two)]
    assert [stored.board_id for stored in written] == [111, 222]


async def test_a_board_that_comes_while_others_are_written(
    database: Database, store: MatchStore
) -> None:
    """It is written at the next writing."""
    match = await create(store)
    store.board_ids.note(match, MessageId(111))
    writing = asyncio.create_task(store.board_ids.write())
    await asyncio.sleep(0)
    store.board_ids.note(match, MessageId(222))
    await writing
    await store.board_ids.write()
    assert (await loaded(MatchStore(database), match.id)).board_id == 222


async def test_a_board_that_cannot_be_written_for_long(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It isn't forgotten before it is written, as other boards are after half an hour."""
    monkeypatch.setattr(boards, "_REMEMBERED_SECONDS", 0)
    store = MatchStore(database)
    match = await create(store)
    store.board_ids.note(match, MessageId(222))
    store.board_ids.note_old(match.id, [MessageId(111)])
    async with database.begin() as connection:
        await connection.execute(text("ALTER TABLE old_boards RENAME TO away"))
    with pytest.raises(DBAPIError):
        await store.board_ids.write()
    async with database.begin() as connection:
        await connection.execute(text("ALTER TABLE away RENAME TO old_boards"))
    assert (await loaded(store, match.id)).board_id == 222
    await store.board_ids.write()
    assert store.board_ids.board(match.id) is None
    assert (await loaded(MatchStore(database), match.id)).board_id == 222


async def test_a_board_of_a_later_state_from_another_process(
    database: Database, store: MatchStore
) -> None:
    """It stays the newest, even if this process then writes an earlier board that it has noted."""
    begun, other = await create(store), MatchStore(database)
    store.board_ids.note(begun, MessageId(111))
    moved = await other.save(begun, after(begun.match, "b2"), NOW)
    other.board_ids.note(moved, MessageId(222))
    await other.board_ids.write()
    noted = await loaded(store, begun.id)
    await store.board_ids.write()
    written = await loaded(MatchStore(database), begun.id)
    assert {(one.board_id, one.board_unsure) for one in (noted, written)} == {(222, False)}


@pytest.mark.parametrize("own", [111, 333])
async def test_a_board_of_the_same_state_from_another_process(
    database: Database, store: MatchStore, own: int
) -> None:
    """Of two messages with the same state the later is the newest, whichever is written last."""
    stored, other = await create(store), MatchStore(database)
    for board_ids, board in ((store.board_ids, own), (other.board_ids, 222)):
        board_ids.note(stored, MessageId(board))
        await board_ids.write()
    read = [await loaded(one, stored.id) for one in (store, MatchStore(database))]
    assert {one.board_id for one in read} == {max(own, 222)}


async def played(store: MatchStore, stored: StoredMatch) -> None:
    await store.save(stored, after(stored.match, "b2"), NOW)


async def taken_elsewhere(store: MatchStore, stored: StoredMatch) -> None:
    await store.holding.move(stored, Place(SERVER, ChannelId(21)), NOW)


async def brought_back(store: MatchStore, stored: StoredMatch) -> None:
    await store.holding.archive(stored, NOW)
    await store.holding.bring_back(stored, stored.place.channel_id, None, NOW)


async def ended_unread(store: MatchStore, stored: StoredMatch) -> None:
    await store.holding.strand_unread(stored.place.channel_id, NOW)


@pytest.mark.parametrize("change", [played, taken_elsewhere, brought_back, ended_unread])
async def test_a_board_from_before_a_change(
    store: MatchStore, change: Callable[[MatchStore, StoredMatch], Awaitable[None]]
) -> None:
    """It is known to be out of date, even if the change was in the same second."""
    stored, shown = await create(store), store.board_ids
    shown.note(stored, MessageId(111))
    assert shown.shows(stored)
    await change(store, stored)
    changed = await loaded(store, stored.id)
    assert not shown.shows(changed)


@ON_SQLITE
async def test_a_board_that_arrives_again_after_a_later_one(store: MatchStore) -> None:
    """It comes too late, even if the match was read again for it, since it has been removed."""
    stored, shown = await create(store), store.board_ids
    first, later = MessageId(111), MessageId(222)
    shown.note(stored, first)
    assert not shown.comes_too_late(stored, later)
    shown.note(stored, later)
    read_anew = await loaded(store, stored.id)
    assert shown.comes_too_late(read_anew, first)
    assert not shown.comes_too_late(read_anew, later)


@pytest.mark.parametrize("written", [True, False])
async def test_a_match_that_has_moved_has_no_board_yet(store: MatchStore, written: bool) -> None:
    """A board in the channel that the match has left isn't its newest board."""
    stored = await create(store)
    store.board_ids.note(stored, MessageId(111))
    if written:
        await store.board_ids.write()
    await store.holding.move(stored, Place(SERVER, ChannelId(21)), NOW)
    assert (await loaded(store, stored.id)).board_id is None


async def test_a_board_that_arrives_where_a_match_has_moved_away(
    database: Database, store: MatchStore
) -> None:
    """It isn't the match's board, and is to be removed."""
    stored = await create(store)
    await store.holding.move(stored, Place(SERVER, ChannelId(21)), NOW)
    store.board_ids.note(stored, MessageId(111))
    noted = await loaded(store, stored.id)
    await store.board_ids.write()
    written = await loaded(MatchStore(database), stored.id)
    assert {(one.board_id, one.board_unsure) for one in (noted, written)} == {(None, True)}


@ON_SQLITE
async def test_a_board_of_a_state_from_before_a_turn(store: MatchStore) -> None:
    """It comes too late, even if its message is later: another thread read the match slowly."""
    before, shown = await create(store), store.board_ids
    after_turn = await store.save(before, after(before.match, "b2"), NOW)
    shown.note(after_turn, MessageId(111))
    assert shown.comes_too_late(before, MessageId(222))


@ON_SQLITE
async def test_a_board_that_was_asked_for_again(store: MatchStore) -> None:
    """The request is met by another message of that state, or by any message of a later one."""
    stored, shown = await create(store), store.board_ids
    first, again = MessageId(111), MessageId(222)
    shown.note(stored, first)
    assert not shown.is_shown_anew(stored, [first])
    shown.note(stored, again)
    assert shown.is_shown_anew(stored, [first])
    after_turn = await store.save(stored, after(stored.match, "b2"), NOW)
    assert not shown.is_shown_anew(after_turn, [])
    shown.note(after_turn, first)
    assert shown.is_shown_anew(stored, [first])


async def test_an_end_is_left_behind_until_its_board_is_known(
    database: Database, store: MatchStore
) -> None:
    """The board before the end stays noted until the final one is written."""
    match = after(begin(), " ".join(X_WINS.split()[:-1]))
    live = await create(store, match)
    store.board_ids.note_old(live.id, [MessageId(1), MessageId(2)])
    store.board_ids.note_removed(live.id, MessageId(1))
    store.board_ids.note(live, MessageId(3))
    known = await loaded(store, live.id)
    ended = await store.save(known, after(match, X_WINS.split()[-1]), NOW)
    store.board_ids.note_removed(live.id, MessageId(2))
    await store.board_ids.write()
    assert await left_behind(database) == {live.id: {3}}
    assert store.board_ids.old(live.id) == {3}
    store.board_ids.note(ended, MessageId(4))
    store.board_ids.note_old(ended.id, [MessageId(3)])
    store.board_ids.note_removed(ended.id, MessageId(3))
    await store.board_ids.write()
    assert await left_behind(database) == {}


async def test_an_end_where_the_bot_removes_nothing(database: Database, store: MatchStore) -> None:
    """The board before the end is edited into the final one, so nobody looks for it."""
    elsewhere = Place(None, ChannelId(22), context=Context.PRIVATE)
    live = await store.create(NewMatch(elsewhere, begin(), NAMES), NOW)
    shown = replace(live, board_id=MessageId(1))
    await store.save(shown, after(shown.match, X_WINS), NOW)
    assert store.board_ids.old(live.id) == frozenset()
    assert await left_behind(database) == {}


async def test_an_old_board_that_is_current_again(database: Database, store: MatchStore) -> None:
    """It isn't removed, now or after the next start."""
    match = await create(store)
    store.board_ids.note_old(match.id, [MessageId(1)])
    store.board_ids.note(match, MessageId(1))
    assert store.board_ids.old(match.id) == frozenset()
    await store.board_ids.write()
    assert await left_behind(database) == {}


async def test_an_old_board_that_was_removed(database: Database, store: MatchStore) -> None:
    """It isn't removed again, even before its row is deleted."""
    match = await create(store)
    store.board_ids.note_old(match.id, [MessageId(1)])
    await store.board_ids.write()
    started = MatchStore(database).board_ids
    started.note_written(match.id, *(await started.written())[match.id])
    started.note_removed(match.id, MessageId(1))
    assert await started.written() == {}


async def test_an_old_board_that_was_current_again_meanwhile(
    database: Database, store: MatchStore
) -> None:
    """It is still noted as old, although that was forgotten since the last writing."""
    match = await create(store)
    store.board_ids.note_old(match.id, [MessageId(1)])
    await store.board_ids.write()
    store.board_ids.note(match, MessageId(1))
    store.board_ids.note_old(match.id, [MessageId(1)])
    await store.board_ids.write()
    assert await left_behind(database) == {match.id: {1}}


async def test_an_old_board_of_two_matches(database: Database, store: MatchStore) -> None:
    """Once it is gone neither looks for it, even if the second notes it between two writings.

    A board may be old for two matches after a restart: for the match before, and for the new one.
    """
    before, begun = await create(store, channel_id=1), await create(store, channel_id=2)
    store.board_ids.note_old(begun.id, [MessageId(1)])
    await store.board_ids.write()
    for match in (begun, before):
        store.board_ids.note_old(match.id, [MessageId(1)])
        store.board_ids.note_removed(match.id, MessageId(1))
    assert await store.board_ids.written() == {}
    await store.board_ids.write()
    assert await left_behind(database) == {}


async def left_behind(database: Database) -> dict[MatchId, set[MessageId]]:
    """Return the old boards that a new start would know, by match."""
    written = await MatchStore(database).board_ids.written()
    return {match_id: set(message_ids) for match_id, message_ids in written.items()}


async def test_old_boards_that_cannot_be_written_yet(database: Database, store: MatchStore) -> None:
    """The next attempt writes them, except those of an erased match.

    It also writes boards that were noted meanwhile, even one that seemed to be gone. Boards that
    are gone by then are deleted, or never written.
    """
    match = await create(store)
    store.board_ids.note_old(match.id, [MessageId(4), MessageId(6), MessageId(8)])
    await store.board_ids.write()
    for gone in (4, 6):
        store.board_ids.note_removed(match.id, MessageId(gone))
    store.board_ids.note_old(match.id, [MessageId(1), MessageId(2), MessageId(7)])
    store.board_ids.note_old(MatchId(999), [MessageId(3)])
    async with database.begin() as connection:
        await connection.execute(text("ALTER TABLE old_boards RENAME TO away"))
    writing = asyncio.create_task(store.board_ids.write())
    await asyncio.sleep(0)
    store.board_ids.note_old(match.id, [MessageId(4), MessageId(5)])
    for gone in (7, 8):
        store.board_ids.note_removed(match.id, MessageId(gone))
    with pytest.raises(DBAPIError):
        await writing
    store.board_ids.note_removed(match.id, MessageId(1))
    async with database.begin() as connection:
        await connection.execute(text("ALTER TABLE away RENAME TO old_boards"))
    await store.board_ids.write()
    assert await left_behind(database) == {match.id: {2, 4, 5}}
