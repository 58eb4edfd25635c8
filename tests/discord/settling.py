"""A quicker look at tasks and timers, for simcord's wait until the bot has nothing left to do.

With each press, simcord looks several times for the timers that would wake each task of the bot. It
asks of each timer what it is first; with the loops that run in the background, that took a third of
the time of a test. Here a timer is passed over at once if the awaited future isn't among its
arguments. A timer without arguments may be that of `asyncio.timeout`, which simcord knows.

Nearly all tasks are these loops in their pauses. simcord asks that last, after everything else that
a task may wait for; here it comes first.

A callback that has run is looked up in simcord's list: here by identity, not by all its fields.
"""

import asyncio
from typing import Any

from simcord import _dpy_internals, _runtime, _settlement

_recognized_wait = _settlement._recognized_wait  # noqa: SLF001
_park_reason = _settlement._park_reason  # noqa: SLF001


def timers_waking(
    self: _settlement._SettlementState, task: asyncio.Task[Any], waiter: Any
) -> list[Any]:
    """Return the timers yet to come that only wake `task`, which awaits `waiter`."""
    return [
        record
        for record in self.work.callbacks
        if record.when is not None
        and (handle := record.handle) is not None
        # This comes first: it leaves one timer in a dozen. The rest calls functions.
        and (not handle._args or waiter in handle._args)  # noqa: SLF001
        and record.when > self.virtual_time
        and not handle.cancelled()
        and (handle._args or _wakes(handle, task, waiter))  # noqa: SLF001
    ]


def _wakes(handle: Any, task: asyncio.Task[Any], waiter: Any) -> bool:
    callback = _dpy_internals._original_callback(handle._callback)  # noqa: SLF001
    return _dpy_internals.is_wakeup_callback(callback, (), waiter, task)


def recognized_wait(
    self: _settlement._SettlementState, task: asyncio.Task[Any], waiter: Any
) -> bool:
    """Return whether `task` awaits something that only the test brings about."""
    return _dpy_internals.tasks_loop_sleep(task, waiter) or _recognized_wait(self, task, waiter)


def park_reason(
    self: _settlement._SettlementState,
    task: asyncio.Task[Any],
    deadline: float,
    seen: set[int] | None = None,
) -> str | None:
    """Return what `task` waits for until the test brings it about, None if it is at work."""
    waiter = getattr(task, "_fut_waiter", None)
    if _dpy_internals.tasks_loop_sleep(task, waiter) and timers_waking(self, task, waiter):
        return "discord.ext.tasks loop interval"
    return _park_reason(self, task, deadline, seen)


def install() -> None:
    """Let simcord use this."""
    _settlement._timer_records_waking = timers_waking  # noqa: SLF001
    _settlement._recognized_wait = recognized_wait  # noqa: SLF001
    _settlement._park_reason = park_reason  # noqa: SLF001
    _runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]  # noqa: SLF001
