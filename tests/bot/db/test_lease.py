"""The lease on a PostgreSQL server: one process at a time holds it, however the others end."""

import asyncio
import logging
from typing import TypeVar

import pytest
from sqlalchemy import text

from bot.db import lease
from bot.db.database import ConnectionLimits, create_engine
from bot.db.lease import Lease, lease_of
from bot.shards import Shards

ALL = None
T = TypeVar("T")
# The server is asked five times a second; a busy machine may take longer.
_WHILE_SECONDS, _SOON_SECONDS = 0.5, 5.0
HOLDERS = "SELECT pid FROM pg_locks WHERE classid = 7239164 AND objid = 0"


async def waits(waiting: Lease) -> asyncio.Task[bool]:
    """Return the task that takes a lease which is held elsewhere; it waits by now."""
    taking = asyncio.create_task(waiting.take())
    await asyncio.wait({taking}, timeout=_WHILE_SECONDS)
    assert not taking.done()
    return taking


async def soon(taking: asyncio.Task[T]) -> T:
    """Return the result of a task, such as one that takes a lease; fail if that takes long."""
    async with asyncio.timeout(_SOON_SECONDS):
        return await taking


async def end_connections(url: str, which: str = "true") -> None:
    """End the connections to a database that fulfil a condition, but not the one that does so."""
    engine = create_engine(url)
    async with engine.connect() as connection:
        await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                f" WHERE datname = current_database() AND pid <> pg_backend_pid() AND {which}"
            )
        )
    await engine.dispose()


def test_a_file_needs_no_lease() -> None:
    """The file is held already."""
    assert lease_of("sqlite:///rowbot.db", ALL) is None
    assert lease_of("postgresql://somebody@somewhere/rowbot", ALL) is not None


async def test_the_next_process_takes_a_lease_that_is_let_go(postgres_url: str) -> None:
    """The holder knows that somebody waits, and the other one has the lease at once."""
    first, second = Lease(postgres_url, ALL), Lease(postgres_url, ALL)
    assert await first.take(), "it was free"
    assert not await first.is_awaited()
    taking = await waits(second)
    assert await first.is_awaited()
    await first.let_go()
    assert not await soon(taking), "another process has held it"
    assert not await second.is_awaited(), "who holds it waits no more"
    await second.let_go()


async def test_a_killed_process_loses_its_lease(postgres_url: str) -> None:
    """The server frees the locks of a connection that ends."""
    first, second = Lease(postgres_url, ALL), Lease(postgres_url, ALL)
    await first.take()
    taking = await waits(second)
    await end_connections(postgres_url, f"pid IN ({HOLDERS})")
    await soon(taking)
    await second.let_go()
    await first.let_go()


async def test_a_lost_lease_is_taken_anew(postgres_url: str) -> None:
    """The holder is told at once that its connection has ended, and connects again."""
    only = Lease(postgres_url, ALL)
    await only.take()
    losing = asyncio.create_task(only.lost())
    await asyncio.wait({losing}, timeout=_WHILE_SECONDS)
    assert not losing.done()
    await end_connections(postgres_url)
    await soon(losing)
    async with asyncio.timeout(_SOON_SECONDS):
        await only.take()
    assert not await only.is_awaited()
    await only.let_go()


async def test_who_lets_go_has_not_lost_the_lease(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A look that the end of the connection interrupts is no failure of the database."""
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(lease, "_LOOK_EVERY_SECONDS", 0)
    only = Lease(postgres_url, ALL)
    await only.take()
    losing = asyncio.create_task(only.lost())
    await asyncio.wait({losing}, timeout=_WHILE_SECONDS)
    await only.let_go()
    await soon(losing)
    assert "has lost its lease" not in caplog.text


async def test_a_lease_that_is_free_once_the_server_is_back(postgres_url: str) -> None:
    """It isn't found free: another process may have held it since this one first asked."""
    only = Lease("postgresql://nobody@127.0.0.1:1/rowbot", ALL)
    taking = asyncio.create_task(only.take())
    await asyncio.wait({taking}, timeout=0.1)
    only._url = postgres_url  # noqa: SLF001
    async with asyncio.timeout(_SOON_SECONDS):
        assert not await taking
    await only.let_go()


async def test_a_server_that_does_not_answer(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lease whose connection is silent counts as lost, before the server gives it away."""
    monkeypatch.setattr(lease, "_IS_THERE", text("SELECT pg_sleep(60)"))
    monkeypatch.setattr(lease, "_LIMITS", ConnectionLimits(statement_seconds=1))
    only = Lease(postgres_url, ALL)
    await only.take()
    async with asyncio.timeout(3 * _SOON_SECONDS):
        await only.lost()


async def test_a_lease_is_let_go_after_a_question_was_cut_off(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is cut off in the middle of asking may let go all the same; the next process goes on."""
    monkeypatch.setattr(lease, "_IS_AWAITED", text("SELECT pg_sleep(60)"))
    first, second = Lease(postgres_url, ALL), Lease(postgres_url, ALL)
    await first.take()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await first.is_awaited()
    await first.let_go()
    await soon(asyncio.create_task(second.take()))
    await second.let_go()


async def test_the_holder_goes_first_after_the_server_was_away(postgres_url: str) -> None:
    """It goes on with what it remembers; a standby would only begin while the holder ends."""
    first, second = Lease(postgres_url, ALL), Lease(postgres_url, ALL)
    await first.take()
    taking = await waits(second)
    # The standby's first: between the two, it would have the lease for a moment.
    await end_connections(postgres_url, f"pid NOT IN ({HOLDERS})")
    await end_connections(postgres_url)
    await first.lost()
    await asyncio.sleep(1)
    await first.take()
    await asyncio.wait({taking}, timeout=2)
    assert not taking.done() and await first.is_awaited()
    await first.let_go()
    await soon(taking)
    await second.let_go()


async def test_waiting_outlasts_a_connection_that_ends(postgres_url: str) -> None:
    """A standby takes the lease if the holder has gone together with the server's connections."""
    first, second = Lease(postgres_url, ALL), Lease(postgres_url, ALL)
    await first.take()
    taking = await waits(second)
    await end_connections(postgres_url)
    await first.lost()
    await soon(taking)
    await second.let_go()


PARTS = [Shards(0, 1, 4), Shards(2, 3, 4)]


async def test_parts_of_the_shards_have_leases_of_their_own(postgres_url: str) -> None:
    """Processes with other shards serve at the same time, and don't wait for each other."""
    left, right = (Lease(postgres_url, part) for part in PARTS)
    await left.take()
    await right.take()
    spare = Lease(postgres_url, PARTS[1])
    taking = await waits(spare)
    assert (await left.is_awaited(), await right.is_awaited()) == (False, True)
    await right.let_go()
    await soon(taking)
    assert left.names == ["lease 0", "lease 1"]
    await left.let_go()
    await spare.let_go()


async def test_a_process_with_all_shards_waits_for_every_part(postgres_url: str) -> None:
    """It would serve their servers too; nor does a part serve beside it."""
    every, left, right = (Lease(postgres_url, one) for one in (ALL, *PARTS))
    await left.take()
    await right.take()
    taking = await waits(every)
    assert await left.is_awaited() and await right.is_awaited()
    await left.let_go()
    await asyncio.wait({taking}, timeout=_WHILE_SECONDS)
    assert not taking.done()
    await right.let_go()
    await soon(taking)
    again = await waits(left)
    assert await every.is_awaited()
    await every.let_go()
    await soon(again)
    await left.let_go()
