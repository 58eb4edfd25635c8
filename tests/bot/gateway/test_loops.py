"""Loops in the background: whatever a round raises, the next one comes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from bot.gateway import loops
from bot.gateway.loops import Loop
from tests.bot.processes import until


class Work:
    """Counts its calls, and raises the given errors first."""

    def __init__(self, *errors: BaseException):
        self.calls = 0
        self.errors = list(errors)

    async def __call__(self) -> None:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)


async def at_once() -> None:
    """Say that the bot is ready."""


@pytest.fixture
async def run() -> AsyncIterator[Callable[..., Loop]]:
    """Start loops that end with the test."""
    started: list[Loop] = []

    def start(work: Callable[[], Awaitable[None]], **options: object) -> Loop:
        ready = options.pop("ready", at_once)
        loop = Loop("testing", **({"seconds": 0.001, "work": work} | options))  # type: ignore[arg-type]
        started.append(loop)
        loop.start(ready)  # type: ignore[arg-type]
        return loop

    yield start
    for loop in started:
        await loop.stop()


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("SELECT 1", {}, Exception("no such table: matches")),
        OSError("connection reset"),
        TimeoutError(),
        asyncio.CancelledError(),
        BaseExceptionGroup("both", [asyncio.CancelledError()]),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_no_error_ends_a_loop(run: Callable[..., Loop], error: BaseException) -> None:
    """After a failure of any kind the loop goes on, and knows that it failed and works again."""
    loop = run(work := Work(error, error))
    await until(lambda: work.calls >= 4)
    assert loop.failures == 2
    assert loop.failures_in_a_row == 0
    assert loop.succeeded_at is not None
    assert loop.well


async def test_a_loop_waits_again_if_the_wait_for_the_connection_fails(
    run: Callable[..., Loop],
) -> None:
    """A failure before the first round doesn't end the loop either."""
    connecting = Work(RuntimeError("not connected"))
    run(work := Work(), ready=connecting)
    await until(lambda: work.calls >= 1)


async def test_work_that_is_done_once_is_tried_until_it_succeeds(run: Callable[..., Loop]) -> None:
    """It isn't done again after its success, and the loop counts as healthy from then on."""
    loop = run(work := Work(OSError(), OSError()), once=True)
    await until(lambda: loop.succeeded_at is not None)
    await asyncio.sleep(0.01)
    assert work.calls == 3
    assert loop.well


async def test_a_loop_that_goes_on_failing_is_logged_more_and_more_seldom(
    run: Callable[..., Loop], caplog: pytest.LogCaptureFixture
) -> None:
    """Each line tells how many failures there were in a row; the recovery has a line too."""
    caplog.set_level(logging.INFO)
    loop = run(work := Work(*(OSError("away") for _ in range(40))))
    await until(lambda: work.calls >= 20)
    assert not loop.well
    await until(lambda: work.calls > 40)
    assert [record.getMessage() for record in caplog.records] == [
        *(f"testing failed (failures in a row: {times}): away" for times in (1, 2, 4, 8, 16, 32)),
        "testing works again (failures in a row: 40)",
    ]


async def test_a_round_that_takes_too_long(
    run: Callable[..., Loop], caplog: pytest.LogCaptureFixture
) -> None:
    """The logged traceback says where it was."""
    run(work := Work(TimeoutError()))
    await until(lambda: work.calls >= 2)
    assert [bool(record.exc_info) for record in caplog.records] == [True]


async def test_a_round_may_be_longer_if_it_says_so(run: Callable[..., Loop]) -> None:
    """Other long rounds are cut off, and count as failed."""

    async def dawdle() -> None:
        await asyncio.sleep(0.1)

    short, long = run(dawdle, longest=0.01), run(dawdle, longest=60)
    await until(lambda: short.failures > 0 and long.rounds > 0)
    assert not long.failures


async def test_a_database_that_is_away_is_logged_in_a_line(
    run: Callable[..., Loop], caplog: pytest.LogCaptureFixture
) -> None:
    """Each loop meets it, so tracebacks would fill the log.

    The line has only the cause, and not SQLAlchemy's text with the statement and an address.
    """
    gone = ConnectionRefusedError("connection refused")
    away = DBAPIError("SELECT 1", {}, gone, connection_invalidated=True)
    run(work := Work(away))
    await until(lambda: work.calls >= 2)
    (record,) = caplog.records
    assert record.getMessage().endswith("in a row: 1): the database: connection refused")
    assert not record.exc_info


@pytest.mark.parametrize(("status", "traced"), [(503, False), (429, False), (400, True)])
async def test_a_failure_of_discord_is_logged_in_a_line(
    run: Callable[..., Loop], caplog: pytest.LogCaptureFixture, status: int, traced: bool
) -> None:
    """In an outage each loop meets it. A request that Discord rejects is our fault, and traced."""
    response: Any = SimpleNamespace(status=status, reason="Why")
    run(work := Work(discord.HTTPException(response, "not now")))
    await until(lambda: work.calls >= 2)
    (record,) = caplog.records
    assert record.getMessage().endswith(f"{status} Why (error code: 0): not now")
    assert bool(record.exc_info) == traced


async def test_pauses_grow_while_a_loop_fails(
    run: Callable[..., Loop], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause doubles from failure to failure, up to that after a success."""
    monkeypatch.setattr(loops, "_AGAIN_SECONDS", 0.01)
    moments: list[float] = []

    async def fail() -> None:
        moments.append(asyncio.get_running_loop().time())
        raise OSError

    run(fail, seconds=0.04)
    await until(lambda: len(moments) >= 11)
    assert moments[10] - moments[0] > 0.3, "0.01 + 0.02 + 8 × 0.04; 0.1 s without"
    assert moments[10] - moments[9] < 3, "5.12 s if they went on doubling"


async def test_a_round_that_fails_is_done_again_soon(
    run: Callable[..., Loop], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hourly work that meets a short outage of the database isn't put off for an hour."""
    monkeypatch.setattr(loops, "_AGAIN_SECONDS", 0.01)
    loop = run(work := Work(OSError(), OSError()), seconds=3600)
    await until(lambda: work.calls >= 3)
    assert loop.failures_in_a_row == 0
    await asyncio.sleep(0.1)
    assert work.calls == 3, "after a success the pause is an hour again"


async def test_the_first_round_can_wait(run: Callable[..., Loop]) -> None:
    """The first round comes `first_after` seconds after the start, then one every `seconds`."""
    begun = asyncio.get_running_loop().time()
    moments: list[float] = []

    async def note() -> None:
        moments.append(asyncio.get_running_loop().time() - begun)

    loop = run(note, seconds=0.05, first_after=0.2)
    await until(lambda: len(moments) >= 2)
    assert 0.19 < moments[0] < moments[1]
    assert loop.rounds == len(moments)
    idle = run(Work(), seconds=60, first_after=0.01)
    await until(lambda: idle.rounds == 1)


async def test_the_first_round_waits_for_the_connection_and_then_for_its_time(
    run: Callable[..., Loop],
) -> None:
    """Presses that have waited for the connection come before work that can wait."""
    connected, clock = asyncio.Event(), asyncio.get_running_loop().time
    moments: list[float] = []

    async def ready() -> None:
        await connected.wait()

    async def note() -> None:
        moments.append(clock())

    run(note, seconds=60, first_after=0.2, ready=ready)
    await asyncio.sleep(0.3)
    connected.set()
    begun = clock()
    await until(lambda: bool(moments))
    assert moments[0] - begun > 0.19


async def test_a_round_longer_than_the_pause_is_followed_by_a_whole_pause(
    run: Callable[..., Loop],
) -> None:
    """Rounds that were missed meanwhile aren't made up for: the database may be busy."""
    begins, ends = list[float](), list[float]()
    clock = asyncio.get_running_loop().time

    async def dawdle() -> None:
        begins.append(clock())
        await asyncio.sleep(0.1)
        ends.append(clock())

    run(dawdle, seconds=0.05)
    await until(lambda: len(ends) >= 3)
    assert all(begun - ended > 0.04 for ended, begun in zip(ends, begins[1:], strict=False))


async def test_a_stopped_loop_stays_stopped(run: Callable[..., Loop]) -> None:
    """Stopping waits for the current round, and no other one begins."""
    begun, finished = asyncio.Event(), []

    async def work() -> None:
        begun.set()
        await asyncio.sleep(0.01)
        finished.append(1)

    loop = run(work)
    await begun.wait()
    await loop.stop()
    done = len(finished)
    assert done >= 1
    await asyncio.sleep(0.03)
    assert len(finished) == done


async def test_a_round_that_is_cut_off_has_ended(run: Callable[..., Loop]) -> None:
    """A statement can't be stopped, and the database is closed once the loops have stopped."""
    begun, ended = asyncio.Event(), []

    async def work() -> None:
        try:
            begun.set()
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            ended.append(1)

    loop = run(work)
    await begun.wait()
    await loop.stop(within=0.0)
    assert ended == [1]


async def test_a_cancelled_loop_ends(run: Callable[..., Loop]) -> None:
    """When an event loop ends, it cancels the remaining tasks and waits for them."""
    begun, before = asyncio.Event(), asyncio.all_tasks()

    async def work() -> None:
        begun.set()
        await asyncio.sleep(60)

    run(work)
    await begun.wait()
    (task,) = asyncio.all_tasks() - before
    task.cancel()
    await asyncio.wait({task}, timeout=5)
    assert task.done()


async def test_work_of_many_parts_ends_between_them() -> None:
    """A few parts are done side by side, and none begins once the loop is to stop."""
    begun: list[int] = []

    async def act(number: int) -> None:
        begun.append(number)
        if number == 3:
            await loop.stop()

    loop = Loop("testing", 60.0, Work())
    await loop.each(range(9), act, 2)
    assert begun == [0, 1, 2, 3]


async def test_work_of_many_parts_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts that are left when time is up wait for the next round; that is no failure."""
    monkeypatch.setattr(loops, "LONGEST_WORK_SECONDS", 0.05)
    begun: list[int] = []

    async def act(number: int) -> None:
        begun.append(number)
        await asyncio.sleep(0.03)

    await Loop("testing", 60.0, Work()).each(range(99), act, 2)
    assert 2 <= len(begun) < 99


async def test_a_part_that_fails_leaves_the_others(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged with its subject, and the others go on; an absent database ends the round."""
    errors: dict[int, Exception] = {1: KeyError("?"), 4: TimeoutError()}
    done: list[int] = []

    async def act(number: int) -> None:
        if number in errors:
            raise errors[number]
        done.append(number)

    loop = Loop("testing", 60.0, Work())
    with pytest.raises(TimeoutError):
        await loop.each(range(9), act, 1)
    assert done == [0, 2, 3]
    assert [record.message for record in caplog.records] == ["testing failed at 1"]


async def test_no_part_goes_on_after_its_round() -> None:
    """If the database is away for one part, those beside it end before the round does."""
    done: list[int] = []

    async def act(number: int) -> None:
        if number == 0:
            raise TimeoutError
        await asyncio.sleep(0.01)
        done.append(number)

    with pytest.raises(TimeoutError):
        await Loop("testing", 60.0, Work()).each(range(9), act, 3)
    assert done == [1, 2]
