"""Timers and caches that only follow the simulated time."""

import asyncio
import time
from types import CoroutineType
from typing import Any

import pytest
from cachetools import TTLCache
from simcord import _runtime
from simcord import env as simulation
from simcord.env import Env


def simulate_all_time(patch: pytest.MonkeyPatch) -> None:
    """Let timers fire and caches forget by the simulated time, never by the machine's clock.

    A task may then wait for a lock whose holder waits for such a timer. So simcord doesn't wait for
    either of them.
    """
    is_parked = vars(simulation)["_is_parked"]

    def parked(state: Any, task: asyncio.Task[Any], deadline: float) -> bool:
        return bool(is_parked(state, task, deadline)) or _waits_for_another(task)

    patch.setattr(Env, "_schedule_timer", lambda *_: None)
    # cachetools keeps the clock that it has found at its import.
    _, *others = TTLCache.__init__.__defaults__ or ()
    patch.setattr(TTLCache.__init__, "__defaults__", (_now, *others))
    patch.setitem(vars(simulation), "_is_parked", parked)


def _now() -> float:
    """Return the simulated time, also for a call of the test's own, such as one that ends a bot."""
    simulated = _runtime._selected_env()  # noqa: SLF001
    return time.monotonic() if simulated is None else float(simulated.backend.clock.elapsed)


def _waits_for_another(task: asyncio.Task[Any]) -> bool:
    """Return whether a task waits for a lock, an event, or tasks of its own."""
    future = getattr(task, "_fut_waiter", None)
    if future is None or future.done():
        return False
    if isinstance(future, asyncio.tasks._GatheringFuture):  # type: ignore[attr-defined] # noqa: SLF001
        return True
    coroutine: Any = task.get_coro()
    while isinstance(inner := getattr(coroutine, "cr_await", None), CoroutineType):
        coroutine = inner
    frame = getattr(coroutine, "cr_frame", None)
    return frame is not None and frame.f_code.co_filename == asyncio.locks.__file__
