"""Erasing a member in a large database, and in one with a match that can't be read."""

import asyncio
import shutil
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bot.db.database import Database, reach
from bot.db.errors import ChangedError
from bot.db.tables import invitations, members, offers, seats
from bot.db.tables import matches as match_table
from bot.identity import ChannelId, MessageId, Place, ServerId, is_former
from bot.invitations.model import InvitationStatus
from bot.invitations.store import InvitationStore
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.privacy.service import PrivacyService
from bot.privacy.store import PersonalStore
from tests.bot.inviting import LAPSES, closed, new_challenge
from tests.bot.playing import ALICE_ID, BOB_ID, NAMES, NOW, SERVER, begin, create


async def test_an_unreadable_match_keeps_nobody_from_being_erased(
    database: Database, store: MatchStore, matches: MatchService, privacy: PrivacyService
) -> None:
    """It can't be resigned, nor its question answered, but the member's seat is still erased."""
    unreadable, begun = [await create(store, channel_id=channel) for channel in (1, 2)]
    async with database.begin() as connection:
        damaged = update(match_table).where(match_table.c.id == unreadable.id)
        await connection.execute(damaged.values(moves="nonsense"))
        asking = [
            {"match_id": one.id, "message_id": one.id, "kind": "draw", "wanting": "0"}
            for one in (unreadable, begun)
        ]
        await connection.execute(insert(offers), asking)
    void = list[StoredMatch]()
    matches.on_void.append(void.append)
    assert [stored.id for stored in await privacy.forget(ALICE_ID)] == [begun.id]
    assert [stored.id for stored in void] == [begun.id]
    async with database.connect() as connection:
        assert ALICE_ID not in (await connection.execute(select(seats.c.user_id))).scalars().all()


async def test_an_invitation_of_an_unknown_place(sqlite_database: Database) -> None:
    """Its message can't be removed, but the invitation is still erased."""
    store = InvitationStore(sqlite_database)
    made = await store.create(new_challenge(), NOW, LAPSES)
    await store.note_posted(made.id, MessageId(5))
    async with sqlite_database.begin() as connection:
        await connection.execute(update(invitations).values(context="nowhere"))
    privacy = PersonalStore(sqlite_database, Random(1))
    assert await privacy.invitations(ALICE_ID) == []
    await privacy.forget(ALICE_ID)
    assert await store.load(made.id) is None


async def test_messages_of_an_erased_members_invitations(sqlite_database: Database) -> None:
    """Messages that wait for an answer are removed; older ones stay."""
    store = InvitationStore(sqlite_database)
    for number, status in enumerate(InvitationStatus):
        place = Place(SERVER, ChannelId(number))
        made = await store.create(new_challenge(place=place), NOW, LAPSES)
        await store.note_posted(made.id, MessageId(number + 1))
        if status is not InvitationStatus.OPEN:
            await store.change(made, closed(made, status))
    privacy = PersonalStore(sqlite_database, Random(1))
    assert [one.id for one in await privacy.invitations(ALICE_ID)] == [1]


async def test_an_invitation_that_comes_in_the_moment_of_an_erasure(database: Database) -> None:
    """It lapses, so that no match begins with a former player; nothing names the member."""
    store = InvitationStore(database)
    made = await store.create(new_challenge(), NOW, LAPSES)
    await PersonalStore(database, Random(1)).forget(BOB_ID)
    after = await store.load(made.id)
    assert after is not None and after.status is InvitationStatus.LAPSED
    assert [(is_former(one.id), one.name) for one in after.opponents] == [(True, "")]
    with pytest.raises(ChangedError):
        await store.change(made, made)


async def test_an_erased_name_leaves_the_file(
    tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does even with a build of SQLite that only marks erased rows as free."""
    connect = sqlite3.connect

    def connect_by_that_build(*where: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*where, **options)
        connection.execute("PRAGMA secure_delete=OFF")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_by_that_build)
    file = Path(shutil.copy(migrated, tmp_path))
    async with reach(f"sqlite:///{file}") as database:
        known = {"user_id": ALICE_ID, "name": "Alice of many servers", "present": True}
        async with database.begin() as connection:
            await connection.execute(
                insert(members), [{"guild_id": number, **known} for number in range(200)]
            )
        await PersonalStore(database, Random(1)).forget(ALICE_ID)
    assert b"Alice of" not in await asyncio.to_thread(file.read_bytes)


async def test_a_former_player_is_another_one_in_each_place(
    database: Database, store: MatchStore
) -> None:
    """Nothing shows that two servers, or two conversations, had the same member."""
    places = [(SERVER, 1), (SERVER, 2), (ServerId(11), 3), (None, 4), (None, 5)]
    for server_id, channel in places:
        place = Place(server_id, ChannelId(channel))
        await store.create(NewMatch(place, begin(), NAMES), NOW)
    await PersonalStore(database, Random(1)).forget(ALICE_ID)
    first = select(seats.c.user_id).where(seats.c.seat == 0).order_by(seats.c.match_id)
    async with database.connect() as connection:
        here, also_here, *others = (await connection.execute(first)).scalars()
    assert here == also_here
    assert len({here, *others}) == 4 and all(one and is_former(one) for one in {here, *others})
