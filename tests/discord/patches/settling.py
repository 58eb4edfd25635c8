"""A quicker look at tasks and timers, for simcord's wait until the bot has nothing left to do.

simcord takes the loops of discord.ext.tasks to rest between their rounds, but not a task that only
sleeps for a short time. Here our own loops rest as well: the test lets their pauses pass.

With each press, simcord looks several times for the timers that would wake each task of the bot.
Nearly all tasks are background loops that pause. simcord looked at every timer for every loop, and
asked first for everything else that the task may wait for. Here a look sorts the timers once, and
finds the pausing loops before all else.

For each task and each timer, simcord copied seven values of its environment into a new object. Here
the environment itself is read: it doesn't change during a look.

For a task that waits for something else, simcord compared every timer with every kind of timer that
could wake the task. Here the first argument alone rules out most timers.

When a look had found tasks at work, simcord waited until some task ended, or for 0.01 s; the task
of a loop never ends. Here it waits until the tasks at work rest, and asks only those, each
millisecond. And it looks when nothing is left that can run at once, not after one turn of the event
loop.

A process that stands by waits for its lease, and keeps interactions for two seconds. simcord would
wait for both after each press; here the seconds pass when the test lets time pass.

A time limit that was kept leaves its real timer behind: here the timer ends with it. A thousand
seconds left 2,000 timers, and each question whether a task sleeps went through all of them.

simcord looks up a callback that has run in its list: here by identity, not by all its fields.
simcord's clock, which each turn of the event loop reads, imported a module each time.

When a timer of the bot's is due, simcord's clock goes on to it, and simcord waits until the bot
rests. It took a task that waits for a lock to be at work, even if the lock's holder slept until
another timer, which the clock reaches only after that. Here only the holder counts.

When a bot is attached, simcord waits for five seconds at most, whatever its environment allows. A
busy machine needs more to start the bot again. simcord has one limit for all the time that a test
lets pass at once: here each minute of that time has a limit of its own.
"""

import asyncio
from collections import defaultdict
from collections.abc import Collection
from operator import attrgetter
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

from simcord import _dpy_internals, _runtime, _settlement, env

from bot.gateway.loops import Loop

_is_parked = _settlement._is_parked  # noqa: SLF001
_park_reason = _settlement._park_reason  # noqa: SLF001
_recognized_wait = _settlement._recognized_wait  # noqa: SLF001
_settle_internal = env.Env._settle_internal  # noqa: SLF001
_advance_to = env.Env._advance_to  # noqa: SLF001

_STEP_SECONDS = 60.0
_ASKED_EACH_SECONDS = 0.001
_TURNS = 100  # a task that takes more turns at once never rests
_LOOP = Loop._run.__code__  # noqa: SLF001
_SLEEP = asyncio.sleep.__code__
_ACQUIRE = asyncio.Lock.acquire.__code__
# The ids of the tasks whose loops paused at the last look. simcord asks whether tasks are parked
# right after it has looked at all timers, and nothing runs in between.
_pausing: set[int] = set()
# The tasks by which processes stand by, and what the interactions wait for that they have kept.
STANDING_BY: WeakSet[asyncio.Task[Any]] = WeakSet()
SERVING: WeakSet[asyncio.Event] = WeakSet()
# The tasks that the last look has found at work, each with the state and the deadline of the look.
_at_work: list[tuple[Any, asyncio.Task[Any], float]] = []


def state_of(self: env.Env) -> env.Env:
    """Return what simcord's functions read of its environment: the environment itself."""
    return self


def pauses(task: asyncio.Task[Any], waiter: Any) -> bool:
    """Return whether a task sleeps between two rounds of a loop."""
    if waiter is None or waiter.done():
        return False
    coroutine: Any = task.get_coro()
    if getattr(coroutine, "cr_code", None) is not _LOOP:
        return False
    return getattr(coroutine.cr_await, "cr_code", None) is _SLEEP


def virtualize_waits(self: Any, pending: list[asyncio.Task[Any]]) -> None:
    """Let simcord's clock fire the timers of those waits that only the test can end."""
    waking, limiting = _timers(self)
    _pausing.clear()
    _at_work.clear()
    for task in pending:
        waiter = getattr(task, "_fut_waiter", None)
        paused, kept = pauses(task, waiter), is_kept(task, waiter)
        if not (paused or kept or _recognized_wait(self, task, waiter)):
            continue
        found = [*waking.get(id(waiter), ()), *limiting.get(id(task), ())]
        for record in found:
            real = record.real_handle
            if real is not None and not real.cancelled():
                real.cancel()
        if kept or (paused and found):
            _pausing.add(id(task))


def is_kept(task: asyncio.Task[Any], waiter: Any) -> bool:
    """Return whether a task waits for the end of another process."""
    return task in STANDING_BY or any(waiter in event._waiters for event in SERVING)  # noqa: SLF001


def active_callbacks(self: Any) -> list[Any]:
    """Return the callbacks yet to run; end the real timers of those that were cancelled."""
    active = []
    for record in self.work.callbacks:
        if record.handle is not None and not record.handle.cancelled():
            active.append(record)
        elif record.real_handle is not None:
            record.real_handle.cancel()
    self.work.callbacks = active
    return active


def _timers(self: Any) -> tuple[dict[int, list[Any]], dict[int, list[Any]]]:
    """Return the timers yet to fire: by the id of what they wake, and of the task that they limit.

    A timer wakes an argument of its callback, or the object whose method the callback is.
    """
    waking: dict[int, list[Any]] = defaultdict(list)
    limiting: dict[int, list[Any]] = defaultdict(list)
    now = self.virtual_time
    for record in self.work.callbacks:
        handle = record.handle
        if record.when is None or handle is None or record.when <= now:
            continue
        if handle.cancelled():
            continue
        for arg in handle._args:  # noqa: SLF001
            waking[id(arg)].append(record)
        if not handle._args:  # noqa: SLF001
            callback = _dpy_internals._original_callback(handle._callback)  # noqa: SLF001
            owner = getattr(callback, "__self__", None)
            if isinstance(owner, asyncio.Timeout):
                limiting[id(owner._task)].append(record)  # type: ignore[attr-defined]  # noqa: SLF001
            else:
                waking[id(owner)].append(record)
    return waking, limiting


def is_parked(self: Any, task: asyncio.Task[Any], deadline: float) -> bool:
    """Return whether `task` waits for something that only the test can bring about."""
    if id(task) in _pausing or _is_parked(self, task, deadline):
        return True
    _at_work.append((self, task, deadline))
    return False


def park_reason(
    self: Any, task: asyncio.Task[Any], deadline: float, seen: set[int] | None = None
) -> str | None:
    """Return why `task` isn't at work, None if it is."""
    found: str | None = _park_reason(self, task, deadline, seen)
    return found or ("a lock that another task holds" if waits_for_lock(task) else None)


def waits_for_lock(task: asyncio.Task[Any]) -> bool:
    """Return whether a task waits for a lock that is still held."""
    waiter = getattr(task, "_fut_waiter", None)
    if waiter is None or waiter.done():
        return False
    awaited: Any = task.get_coro()
    while awaited is not None:
        if getattr(awaited, "cr_code", None) is _ACQUIRE:
            return True
        awaited = getattr(awaited, "cr_await", None)
    return False


async def sleep(seconds: float) -> None:
    """Sleep; with no seconds, until everything has run that can run at once."""
    await asyncio.sleep(seconds)
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]  # noqa: SLF001
    for _ in range(0 if seconds else _TURNS):
        if not ready:
            break
        await asyncio.sleep(0)


async def wait(
    futures: Collection[asyncio.Future[Any]],
    *,
    timeout: float,  # noqa: ASYNC109 - asyncio's own
    return_when: str = asyncio.ALL_COMPLETED,
) -> Any:
    """Wait as `asyncio.wait` does, but until the tasks at work rest, not until the first ends."""
    if return_when != asyncio.FIRST_COMPLETED:
        return await asyncio.wait(futures, timeout=timeout, return_when=return_when)
    at_work = list(_at_work)
    in_threads = [future for future in futures if not isinstance(future, asyncio.Task)]

    def rests() -> bool:
        return all(future.done() for future in in_threads) and all(
            task.done() or _is_parked(state, task, deadline) for state, task, deadline in at_work
        )

    if not at_work and not in_threads:  # but a timer of the bot's will soon be due
        return await asyncio.wait(futures, timeout=timeout, return_when=return_when)
    loop = asyncio.get_running_loop()
    until = loop.time() + timeout
    while loop.time() < until and not rests():
        await asyncio.sleep(_ASKED_EACH_SECONDS)
        await sleep(0)
    return None  # simcord looks again, whatever has ended


def is_sleep_waiter(waiter: Any, loop: Any, deadline: float) -> bool:
    """Return whether `waiter` is a sleep whose real timer fires after the deadline."""
    if waiter is None or waiter.done():
        return False
    # Cancelled timers, of which there may be a hundred, have no arguments.
    mine = [timer for timer in loop._scheduled if timer._args and timer._args[0] is waiter]  # noqa: SLF001
    return any(_sleeps(timer, waiter) and timer.when() > deadline for timer in mine)


def is_virtual_sleep_waiter(self: Any, waiter: Any, deadline: float) -> bool:
    """Return whether `waiter` is a sleep that outlasts the deadline unless the test lets time pass.

    That is a sleep by simcord's clock.
    """
    if waiter is None or waiter.done():
        return False
    return any(
        record.when is not None
        and record.handle is not None
        and _sleeps(record.handle, waiter)
        and callback_is_parked(self, record, deadline)
        for record in self.work.callbacks
    )


def _sleeps(handle: Any, waiter: Any) -> bool:
    """Return whether a timer ends the sleep that `waiter` waits for."""
    args = handle._args  # noqa: SLF001
    if not args or args[0] is not waiter or handle.cancelled():
        return False
    callback = _dpy_internals._original_callback(handle._callback)  # noqa: SLF001
    return getattr(callback, "__name__", "") == "_set_result_unless_cancelled"


def callback_is_parked(self: Any, record: Any, deadline: float) -> bool:
    """Return whether a timer doesn't fire before the deadline unless the test advances time."""
    if record.when is None or record.when <= self.virtual_time:
        return False
    if self.advancing:
        return True
    real = record.real_handle
    return real is None or real.cancelled() or real.when() > deadline


async def settle(self: Any, *, timeout: float | None = None, **given: Any) -> None:  # noqa: ASYNC109
    """Wait until the bot has nothing left to do; the limit is at least that of the environment."""
    await _settle_internal(self, timeout=max(timeout or 0.0, self.settle_timeout), **given)


async def advance_to(self: Any, target: float, deadline: float) -> None:
    """Let simulated time pass until `target`; only the first minute ends by the `deadline`."""
    while self._virtual_time + _STEP_SECONDS < target:
        await _advance_to(self, self._virtual_time + _STEP_SECONDS, deadline)
        deadline = self._loop.time() + self.settle_timeout
    await _advance_to(self, target, deadline)


def monotonic() -> float:
    """Return the simulated time in the work of a bot, and the machine's time elsewhere."""
    scope = _runtime._BOT_SCOPE.get()  # noqa: SLF001
    if scope is not None:
        of, generation = scope
        if of._started and of._runtime is not None and generation == of._generation:  # noqa: SLF001
            simulated: float = of._virtual_time  # noqa: SLF001
            return simulated
    return _dpy_internals.real_monotonic()


def install() -> None:
    """Let simcord use the functions of this module."""
    # While the database's thread works for a loop that never ends, simcord asks at this interval
    # whether it is done. With simcord's own 0.05 s, a test of half an hour's rounds took 20 s.
    vars(env.Env)["_settle_internal"].__kwdefaults__["idle"] = 0.01
    _dpy_internals._clock_monotonic = monotonic  # noqa: SLF001
    _dpy_internals.tasks_loop_sleep = pauses
    _dpy_internals.is_sleep_waiter = is_sleep_waiter
    vars(_settlement)["_park_reason"] = park_reason
    vars(_settlement)["_is_virtual_sleep_waiter"] = is_virtual_sleep_waiter
    _runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]  # noqa: SLF001
    vars(env)["asyncio"] = SimpleNamespace(**{**vars(asyncio), "sleep": sleep, "wait": wait})
    vars(env)["_virtualize_recognized_waits"] = virtualize_waits
    vars(env)["_active_callbacks"] = active_callbacks
    vars(env)["_is_parked"] = is_parked
    vars(env)["_callback_is_parked"] = callback_is_parked
    for name in ("work", "loop", "advancing", "generation", "last_dispatch"):
        setattr(env.Env, name, property(attrgetter(f"_{name}")))
    env.Env.virtual_time = property(attrgetter("backend.clock.elapsed"))  # type: ignore[attr-defined]
    env.Env._settlement_state = state_of  # type: ignore[assignment]  # noqa: SLF001
    env.Env._settle_internal = settle  # type: ignore[method-assign]  # noqa: SLF001
    env.Env._advance_to = advance_to  # type: ignore[method-assign]  # noqa: SLF001
