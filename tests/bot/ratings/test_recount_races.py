"""What comes while all ratings are worked out anew, which may take minutes."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, Table, text
from sqlalchemy.util import await_only

from bot.clocks.store import go_on
from bot.db.database import Database
from bot.db.tables import matches
from bot.identity import MemberId
from bot.matches.store import MatchStore
from bot.privacy.store import PersonalStore, ServerDataStore, servers
from bot.privacy.store.erasing import erase
from bot.ratings import rerate
from bot.ratings.model import ALL_GAMES, month_before
from bot.ratings.standings import Sheet
from bot.ratings.store import ScoreStore
from tests.bot.playing import ALICE_ID, BOB_ID, NOW, SERVER
from tests.bot.ratings.counting import won
from tests.bot.ratings.test_presence import listed
from tests.core.boards import ALICE, BOB

# PostgreSQL looks for a deadlock once, after a second of waiting, and fails the one that finds it.
_LONG = 1.2
_LEFT = "SELECT user_id FROM ratings UNION SELECT user_id FROM standings"


async def _during_a_recount(
    database: Database, monkeypatch: pytest.MonkeyPatch, act: Callable[[], Awaitable[object]]
) -> None:
    """Let `act` begin once the old ratings are deleted, and end when it can."""
    acting = list[asyncio.Future[object]]()

    def late() -> Sheet:
        acting.append(asyncio.ensure_future(act()))
        await_only(asyncio.sleep(_LONG))
        return Sheet()

    monkeypatch.setattr(rerate, "Sheet", late)
    async with database.begin() as connection:
        assert await connection.run_sync(rerate.rerate) == 1
    await acting[0]


async def _rated(database: Database) -> set[int]:
    async with database.connect() as connection:
        return {*await connection.scalars(text(_LEFT))}


async def test_a_member_is_erased_meanwhile(
    postgres_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The erasure waits: the new ratings would have kept the member's id, or one of both failed."""
    await won(MatchStore(postgres_database), ALICE, BOB)
    personal = PersonalStore(postgres_database, Random(1))
    await _during_a_recount(postgres_database, monkeypatch, lambda: personal.forget(ALICE_ID))
    assert ALICE_ID not in await _rated(postgres_database)


async def test_a_server_is_erased_meanwhile(
    postgres_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The erasure waits: the new ratings would have stayed for good."""
    await won(MatchStore(postgres_database), ALICE, BOB)
    left = ServerDataStore(postgres_database, go_on)
    await left.note_left(SERVER, NOW)
    await _during_a_recount(postgres_database, monkeypatch, lambda: left.erase(SERVER))
    assert await _rated(postgres_database) == set()


async def test_a_member_is_seen_meanwhile(
    postgres_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is back is listed again, and who has left isn't: later presses would change neither."""
    await won(MatchStore(postgres_database), ALICE, BOB)
    scores = ScoreStore(postgres_database)
    for back, left in ((ALICE_ID, BOB_ID), (BOB_ID, ALICE_ID)):
        await scores.note_left(SERVER, [back], month_before(NOW))

        async def both(back: MemberId = back, left: MemberId = left) -> None:
            await scores.note_seen(SERVER, back, NOW)
            await scores.note_left(SERVER, [left], month_before(NOW))

        await _during_a_recount(postgres_database, monkeypatch, both)
        assert await listed(scores, ALL_GAMES) == {back}
        await scores.note_seen(SERVER, left, NOW)


async def test_a_recount_between_two_steps_of_an_erasure(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it writes of matches that are still there is erased after them."""
    await won(MatchStore(database), ALICE, BOB)
    left = ServerDataStore(database, go_on)
    await left.note_left(SERVER, NOW)

    recounted = list[int]()

    def after_a_recount(connection: Connection, table: Table, *about: Any) -> int:
        if table is matches and not recounted:
            recounted.append(rerate.rerate(connection))
        return erase(connection, table, *about)

    monkeypatch.setattr(servers, "erase", after_a_recount)
    assert await left.erase(SERVER)
    assert recounted == [1]
    assert await _rated(database) == set()
