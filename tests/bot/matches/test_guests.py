"""Matches of guests in the database: their server adopts them once it has the bot."""

from dataclasses import replace

from sqlalchemy import update

from bot.db.database import Database
from bot.db.statements import upsert, write
from bot.db.tables import guilds
from bot.identity import ChannelId, Context, Place, ServerId
from bot.matches.model import NewMatch
from bot.matches.store import GuestStore, MatchStore
from bot.ratings.model import Unrated
from tests.bot.playing import NOW, begin
from tests.bot.timed import moved
from tests.core.boards import ALICE, BOB

SERVER = ServerId(31)
GUESTS = Place(None, ChannelId(32), None, Context.GUEST, SERVER)


async def test_a_server_adopts_what_has_not_ended(database: Database, store: MatchStore) -> None:
    """A turn that has read the match before is saved after it; an ended match stays as it is."""
    new = NewMatch(GUESTS, begin(ALICE, BOB), ("alice", "bob"))
    begun = await store.create(new, NOW)
    ended = await store.save(begun, begun.match.resign(ALICE), NOW)
    before = await store.create(new, NOW)
    away = replace(GUESTS, channel_id=ChannelId(33))
    archived = await store.create(replace(new, place=away), NOW)
    assert await store.holding.archive(archived, NOW)
    guests = GuestStore(database)
    assert await guests.servers() == [SERVER]
    assert {*await guests.adopt(SERVER)} == {before.id, archived.id}
    assert await guests.servers() == [] == await guests.adopt(SERVER)
    await store.save(before, moved(before), NOW)
    for one, place in ((before, Place(SERVER, ChannelId(32))), (ended, GUESTS)):
        found = await store.load(one.id)
        assert found is not None and found.place == place
    over = await store.load(before.id)
    assert over is not None and over.entry.unrated is Unrated.BEFORE
    over = await store.save(over, over.match.resign(ALICE), NOW)
    assert over.entry.unrated is Unrated.BEFORE


async def test_a_server_that_the_bot_has_left(database: Database, store: MatchStore) -> None:
    """It adopts nothing until the bot's return is noted, which would move on the clocks."""
    begun = await store.create(NewMatch(GUESTS, begin(ALICE, BOB), ("alice", "bob")), NOW)
    await write(database, upsert, guilds, [{"id": SERVER, "removed_at": NOW}])
    guests = GuestStore(database)
    assert await guests.adopt(SERVER) == []
    async with database.begin() as connection:
        await connection.execute(update(guilds).values(removed_at=None))
    assert await guests.adopt(SERVER) == [begun.id]
