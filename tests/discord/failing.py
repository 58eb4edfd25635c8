"""Calls to Discord that fail: the next one of a kind, or all for a while."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from typing import Any, TypeVar

import aiohttp
import pytest
from simcord.backend.errors import BackendError
from simcord.http import router

from tests.discord.calls import (
    CALLBACK,
    FIRST_RESPONSE,
    IN_CHANNEL,
    Call,
    Sent,
    intercept,
    on_its_way,
)
from tests.discord.program.away import only_reading
from tests.discord.world import World
from tests.fuzzing.timers import simulate_all_time

T = TypeVar("T")

# Within this time the bot tries again what has failed.
PUT_OFF_SECONDS = 40
# After this time without an answer, the bot tries another way to answer, if there is one.
LATE_SECONDS = 4


@dataclass(frozen=True)
class Fault:
    """The error that the bot gets for a call, and whether Discord carries the call out."""

    error: Exception
    carried_out: bool = False


FAULTS = {
    "unknown": Fault(BackendError(404, 10062, "Unknown interaction")),
    "acknowledged": Fault(BackendError(400, 40060, "Already acknowledged"), carried_out=True),
    "invalid": Fault(BackendError(400, 50035, "Invalid Form Body")),
    "forbidden": Fault(BackendError(403, 50001, "Missing Access")),
    "too many": Fault(BackendError(429, 0, "You are being rate limited")),
    "500": Fault(BackendError(500, 0, "Internal Server Error")),
    "503": Fault(BackendError(503, 0, "Service Unavailable")),
    "cut": Fault(aiohttp.ServerDisconnectedError()),
    "lost": Fault(aiohttp.ServerDisconnectedError(), carried_out=True),
}


class FailingOnce:
    """Lets the next call of one kind fail."""

    def __init__(self, patch: pytest.MonkeyPatch, call: Call, fault: Fault):
        self._dispatch = router.dispatch
        self._call = call
        self._fault: Fault | None = fault
        patch.setattr(router, "dispatch", self)

    @property
    def failed(self) -> bool:
        """Whether the call has been made, and has failed."""
        return self._fault is None

    def __call__(self, backend: Any, method: str, path: str, **sent: Any) -> Any:
        fault = self._fault
        if fault is None or method != self._call[0] or not fnmatch(path, self._call[1]):
            return self._dispatch(backend, method, path, **sent)
        self._fault = None
        if fault.carried_out:
            self._dispatch(backend, method, path, **sent)
        raise fault.error


def try_again(patch: pytest.MonkeyPatch, call: Call) -> list[Sent]:
    """Let Discord take the next call of one kind by a token, but answer 500 to it.

    discord.py then makes the call again after a second. simcord doesn't, so this makes the second
    call, and lets the second pass. Returns a list that is filled with the call.
    """
    made, now = list[Sent](), time.monotonic

    async def again(sent: Sent, carry_out: Callable[[], Awaitable[Any]]) -> Any:
        if not made and sent.fits(call):
            made.append(sent)
            await carry_out()
            patch.setattr(time, "monotonic", lambda: now() + 1)
        return await carry_out()

    intercept(patch, again)
    return made


def hold_back(
    patch: pytest.MonkeyPatch, call: Call, times: float = math.inf
) -> list[Callable[[], Awaitable[Any]]]:
    """Let the connection break at the next calls of one kind, before Discord has read them.

    Returns a list that is filled with functions, each of which lets Discord carry one out after
    all.
    """
    held: list[Callable[[], Awaitable[Any]]] = []

    async def hold(sent: Sent, carry_out: Callable[[], Awaitable[Any]]) -> Any:
        if not sent.fits(call) or len(held) >= times:
            return await carry_out()
        held.append(carry_out)
        raise aiohttp.ServerDisconnectedError

    intercept(patch, hold)
    return held


def answer_late(patch: pytest.MonkeyPatch, call: Call, seconds: float) -> None:
    """Let Discord carry out the calls of one kind, but reply only after `seconds`.

    The seconds are simulated time.
    """
    simulate_all_time(patch)
    on_its_way(patch, call, after=partial(asyncio.sleep, seconds))


def meanwhile(patch: pytest.MonkeyPatch, *acts: Callable[[], T], call: Call = CALLBACK) -> list[T]:
    """Begin `acts`, one after another, while the next call of one kind is on its way to Discord.

    After each act this waits until the bot has finished what the act leads to, but only for a
    second, since that may wait for this very call. Returns a list that is filled with what the acts
    return.
    """
    begun: list[T] = []

    async def begin() -> None:
        for act in acts:
            before = asyncio.all_tasks()
            begun.append(act())
            for _ in range(10):
                await asyncio.to_thread(time.sleep, 0.1)  # simcord's clock doesn't go on by itself
                if not asyncio.all_tasks() - before:
                    break

    on_its_way(patch, call, before=begin, times=1)
    return begun


def fail_to_note(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next answer arrive, but nothing be written from then on: the disk is full."""
    fill = partial(only_reading, world, "ON")
    meanwhile(monkeypatch, lambda: asyncio.create_task(fill()))


@contextmanager
def unreachable(world: World, answers: int = 404) -> Iterator[None]:
    """Let the bot post no message in this context.

    Answers fail with the status `answers`; after a 5xx the bot can't know whether they arrived.
    """
    with failing(world):
        world.env.inject_error("POST", "/interactions/*", status=answers, times=None)
        world.env.inject_error(*IN_CHANNEL, status=503, times=None)
        yield


@contextmanager
def failing(world: World) -> Iterator[None]:
    """Remove the faults that are injected in this context at its end."""
    faults = world.env.backend.faults
    usual = [*faults]
    yield
    faults[:] = usual


def lose_the_board(world: World, status: int = 500, code: int = 0) -> None:
    """Let the next answer fail with this error, and the post in the channel in its place too."""
    world.env.inject_error(*CALLBACK, status=status, code=code)
    world.env.inject_error(*IN_CHANNEL)


def lose_the_reply(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next answer arrive, but Discord's reply be lost.

    Discord doesn't tell the bot later either whether the answer has arrived.
    """
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    world.env.inject_error(*FIRST_RESPONSE, times=None)


@contextmanager
def unchangeable(world: World) -> Iterator[None]:
    """Let every edit of a message fail in this context."""
    with failing(world):
        for path in ("/webhooks/*", "/channels/*/messages/*"):
            world.env.inject_error("PATCH", path, status=503, times=None)
        yield
