"""A quicker look at timers, for simcord's wait until the bot has nothing left to do.

With each press, simcord looks several times for the timers that would wake each task of the bot. It
asks of each timer what it is first; with the loops that run in the background, that took a third of
the time of a test. Here a timer is passed over at once if the awaited future isn't among its
arguments. A timer without arguments may be that of `asyncio.timeout`, which simcord knows.
"""

import asyncio
from typing import Any

from simcord import _dpy_internals, _settlement


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


def install() -> None:
    """Let simcord use this."""
    _settlement._timer_records_waking = timers_waking  # noqa: SLF001
