"""Work in the background: which failures are tried again, and what is done at the end."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.gateway.budget import Urgency
from bot.gateway.errors import NoWayError
from bot.gateway.requests import Requests
from tests.bot.processes import until


def refused(status: int, code: int = 0) -> discord.HTTPException:
    """Return the error for an answer with this status, and one of Discord's codes."""
    response: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": ""})


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (ConnectionResetError(), 2),
        (PoolTimeoutError(), 2),
        (refused(503), 2),
        (refused(429), 2),
        (discord.RateLimited(280), 2),
        (refused(403), 2),
        (refused(403, 50013), 1),
        (refused(400), 1),
        (NoWayError(), 1),
        (ValueError(), 1),
    ],
    ids=repr,
)
async def test_which_failures_are_tried_again(error: Exception, tries: int) -> None:
    """Failures of Discord and of the database that may pass are tried again.

    A 403 without one of Discord's codes comes from a proxy, or from a ban of the host's address.
    """
    requests = Requests()
    made = list[Exception]()

    async def work() -> None:
        made.append(error)
        if len(made) == 1:
            raise error

    requests.later(work, pauses=(0.0,))
    await until(lambda: requests.backlog == {"under way": 0, "put off": 0})
    assert len(made) == tries


async def test_work_that_goes_on_failing() -> None:
    """It is given up after the last pause."""
    requests = Requests()
    made = list[int]()

    async def work() -> None:
        made.append(len(made))
        raise ConnectionResetError

    requests.later(work, pauses=(0.0, 0.0))
    await until(lambda: requests.backlog == {"under way": 0, "put off": 0})
    assert len(made) == 3


async def test_work_is_put_off_within_bounds(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a long outage, work beyond the limit is given up and logged, so that memory suffices."""
    monkeypatch.setattr("bot.gateway.requests._MOST_PUT_OFF", 2)
    requests = Requests()

    async def work() -> None:
        raise ConnectionResetError

    for _ in range(3):
        requests.put_off(work, pauses=(600.0,))
    assert requests.backlog == {"under way": 0, "put off": 2}
    assert [record.message for record in caplog.records] == ["a call to Discord is given up"]
    await requests.finish(5)


@pytest.mark.parametrize("failures", [1, 2])
async def test_the_end_of_the_bot(failures: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that was put off is done at once, and again if it fails; no request comes afterwards."""
    monkeypatch.setattr("bot.gateway.requests._LAST_PAUSE_SECONDS", 0.0)
    requests = Requests()
    made = list[int]()

    async def work() -> None:
        made.append(len(made))
        if len(made) <= failures:
            raise ConnectionResetError

    requests.later(work, pauses=(600.0, 600.0))
    await until(lambda: requests.backlog == {"under way": 0, "put off": 1})
    await requests.finish(5)
    requests.later(work)
    with pytest.raises(ConnectionAbortedError):
        await requests.make(Urgency.POST, work)
    assert len(made) == failures + 1


async def test_work_that_is_cut_off_has_ended() -> None:
    """A statement can't be stopped, and the database is closed once the requests are finished."""
    requests = Requests()
    begun, ended = asyncio.Event(), []

    async def work() -> None:
        try:
            begun.set()
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            ended.append(1)

    requests.later(work)
    await begun.wait()
    await requests.finish(0.0)
    assert ended == [1]
