"""One process serves at a time, and answers each interaction that no other one has taken."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.db.database import Database
from bot.db.facts import FactStore
from bot.gateway import serving
from bot.gateway.serving import Serving, TakenOverError
from tests.leases import Baton, HandedLease

# On a busy machine a hand-over takes a while: only a test in which nobody takes over waits this
# long, so that one has a shorter limit.
KEPT_SECONDS = 30.0


class Process:
    """A process that wants to serve: its lease, and its task that keeps it."""

    def __init__(self, baton: Baton, facts: FactStore, *, has_all: bool = True):
        self.baton = baton
        self.lease: HandedLease = baton.lease(has_all=has_all)
        self.serving = Serving(self.lease, facts)
        self.begun = 0
        self.serving.on_begin.append(self._begin)
        self.keeping = asyncio.create_task(self.serving.keep())

    async def _begin(self) -> None:
        self.begun += 1

    async def end(self) -> None:
        """End as the bot does."""
        await self.serving.leave()
        await self.serving.hand_over()
        self.keeping.cancel()


@pytest.fixture
async def processes(
    sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Process, Process]]:
    """Two processes: the first serves, and the second waits."""
    monkeypatch.setattr(serving, "_KEPT_SECONDS", KEPT_SECONDS)
    monkeypatch.setattr(serving, "_LOOK_EVERY_SECONDS", 0.01)
    baton, facts = Baton(), FactStore(sqlite_database)
    first = Process(baton, facts)
    await first.serving.set_up()
    await first.serving.wait()
    second = Process(baton, facts)
    await second.serving.set_up()
    await second.lease.asked.wait()
    yield first, second
    for one in (first, second):
        one.keeping.cancel()
        await asyncio.gather(one.keeping, return_exceptions=True)


Pair = tuple[Process, Process]


async def test_who_stands_by_drops_what_it_has_kept(
    processes: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holder answers, and the other one does nothing."""
    monkeypatch.setattr(serving, "_KEPT_SECONDS", 0.02)
    first, second = processes
    assert await first.serving.admits(1)
    assert not await second.serving.admits(1)
    assert (first.begun, second.begun) == (1, 0)
    assert not second.serving.active and not second.serving.lost


async def test_what_the_holder_has_not_taken_is_served_after_the_hand_over(processes: Pair) -> None:
    """Each interaction that reaches both is answered once."""
    first, second = processes
    assert await first.serving.admits(1)
    kept = [asyncio.create_task(second.serving.admits(number)) for number in (1, 2)]
    await first.serving.leave()
    assert first.serving.awaited
    assert not await first.serving.admits(2)
    await first.serving.hand_over()
    assert await asyncio.gather(*kept) == [False, True]
    assert await second.serving.admits(3)
    assert second.begun == 1


async def test_what_was_kept_is_dropped_after_a_kill(processes: Pair) -> None:
    """Nobody knows what the killed process has done."""
    first, second = processes
    kept = asyncio.create_task(second.serving.admits(1))
    await asyncio.sleep(0)
    first.keeping.cancel()
    await first.lease.lose()
    assert not await kept
    assert await second.serving.admits(2)


async def test_what_was_kept_is_dropped_after_a_kill_that_follows_a_hand_over(
    processes: Pair, sqlite_database: Database
) -> None:
    """The hand-over says nothing about the killed process, which has begun to serve since."""
    first, second = processes
    await first.end()
    await second.serving.wait()
    third = Process(first.baton, FactStore(sqlite_database))
    await third.serving.set_up()
    kept = asyncio.create_task(third.serving.admits(1))
    await asyncio.sleep(0.01)
    second.keeping.cancel()
    await second.lease.lose()
    assert not await kept
    assert third.serving.active
    third.keeping.cancel()
    await asyncio.gather(third.keeping, return_exceptions=True)


async def test_a_process_that_ends_alone_goes_on_answering(processes: Pair) -> None:
    """Nobody else would refuse a press in words."""
    first, second = processes
    second.keeping.cancel()
    await asyncio.gather(second.keeping, return_exceptions=True)
    await first.serving.leave()
    assert not first.serving.awaited
    assert await first.serving.admits(1)
    await first.serving.hand_over()
    assert not await first.serving.admits(2)


async def test_a_process_that_ends_while_it_waits_takes_nothing(processes: Pair) -> None:
    """It lets go of a lease that comes too late."""
    first, second = processes
    await second.serving.leave()
    await first.end()
    async with asyncio.timeout(1):
        await second.keeping
    assert second.baton.holder is None
    assert not await second.serving.admits(1)
    assert second.begun == 0


@pytest.mark.parametrize("before", ["nobody", "an end", "a kill"])
async def test_a_process_that_finds_the_lease_free(sqlite_database: Database, before: str) -> None:
    """It answers what arrived while it was taking the lease: nobody else can have done so."""
    baton, facts = Baton(), FactStore(sqlite_database)
    if before != "nobody":
        former = Process(baton, facts)
        await former.serving.set_up()
        await former.serving.wait()
        if before == "a kill":
            former.keeping.cancel()
            await asyncio.gather(former.keeping, return_exceptions=True)
        else:
            await former.end()
    process = Process(baton, facts)
    kept = asyncio.create_task(process.serving.admits(1))
    await asyncio.sleep(0)
    await process.serving.set_up()
    assert await kept
    process.keeping.cancel()
    await asyncio.gather(process.keeping, return_exceptions=True)


async def test_a_process_that_ends_while_it_takes_over_does_not_begin(
    processes: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its loops would run although they were stopped; the lease is free for the next process."""
    first, second = processes
    put, notes, ends = FactStore.put, asyncio.Event(), asyncio.Event()

    async def slow_put(facts: FactStore, name: str, value: str) -> None:
        notes.set()
        await ends.wait()
        await put(facts, name, value)

    monkeypatch.setattr(FactStore, "put", slow_put)
    first.keeping.cancel()
    await first.lease.lose()
    await notes.wait()
    await second.serving.leave()
    await second.serving.hand_over()
    ends.set()
    async with asyncio.timeout(1):
        await second.keeping
    assert (second.begun, second.serving.active, second.baton.holder) == (0, False, None)


async def test_a_lost_lease_that_is_taken_anew(processes: Pair) -> None:
    """A process goes on if nobody has served meanwhile, also with what arrived meanwhile."""
    first, second = processes
    second.keeping.cancel()
    await asyncio.gather(second.keeping, return_exceptions=True)
    taking = first.lease.take
    returns = asyncio.Event()

    async def take() -> bool:
        await returns.wait()
        return await taking()

    first.lease.take = take  # type: ignore[method-assign]
    await first.lease.lose()
    await asyncio.sleep(0.01)
    assert first.serving.lost
    kept = asyncio.create_task(first.serving.admits(1))
    await asyncio.sleep(0.02)
    returns.set()
    assert await kept
    assert first.begun == 1 and not first.serving.lost


async def test_a_process_that_was_replaced_has_to_be_started_again(processes: Pair) -> None:
    """What it remembers of boards and settings may be old."""
    first, second = processes
    await first.lease.lose()
    await second.serving.wait()
    with pytest.raises(TakenOverError):
        async with asyncio.timeout(1):
            await first.keeping
    assert second.serving.active


async def test_a_process_that_divides_the_shards_otherwise(
    processes: Pair, sqlite_database: Database
) -> None:
    """Its notes have other names, but it counts as any other process that serves in between."""
    first, second = processes
    second.keeping.cancel()
    await asyncio.gather(second.keeping, return_exceptions=True)
    facts = FactStore(sqlite_database)
    part = Process(first.baton, facts, has_all=False)
    await part.serving.set_up()
    await asyncio.sleep(0.01)
    await first.end()
    await part.serving.wait()
    every = Process(first.baton, facts)
    await every.serving.set_up()
    kept = asyncio.create_task(every.serving.admits(1))
    await asyncio.sleep(0.01)
    await part.lease.lose()  # without a note
    assert not await kept, "the first one's note isn't the last one's"
    with pytest.raises(TakenOverError):
        async with asyncio.timeout(1):
            await part.keeping
    every.keeping.cancel()
    await asyncio.gather(every.keeping, return_exceptions=True)
