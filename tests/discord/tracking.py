"""Callbacks of the bot's that simcord keeps a record of, made quickly and freed at once.

simcord wraps each callback in a function of its own, with its variables in cells, and the function
and its record hold each other: that was two fifths of a test's garbage that only the collector
finds.
"""

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeAlias

from simcord import _runtime

Scope: TypeAlias = tuple[Any, int] | None


class _Tracked:
    """A callback with its record, which it lets go when it is called."""

    __slots__ = ("__simcord_original_callback__", "called", "record", "record_error", "work")

    def __init__(self, work: Any, callback: Any, record: Any, record_error: Any):
        self.__simcord_original_callback__ = callback
        self.work, self.record, self.record_error = work, record, record_error
        self.called = False

    def __call__(self, *args: Any) -> None:
        self.called = True
        record = self.record
        if record.real_handle is not None:
            record.real_handle.cancel()
        if record.handle is not None:
            if record in self.work.callbacks:
                self.work.callbacks.remove(record)
            record.handle = None
        try:
            self.__simcord_original_callback__(*args)
        except BaseException as error:
            self.record_error(error)
            raise


def track_callback(
    work: Any,
    original: Callable[..., asyncio.Handle],
    callback: Any,
    args: tuple[Any, ...],
    *,
    identity: tuple[Any, int],
    loop: asyncio.AbstractEventLoop,
    context_for_scope: Callable[[Context, Scope], Context],
    record_error: Callable[[BaseException], None],
    schedule_timer: Callable[[Any, Any, tuple[Any, ...], Context | None], None],
    context: Context | None,
    when: float | None,
    schedule_args: tuple[Any, ...] = (),
) -> asyncio.Handle:
    """Schedule a callback as simcord's own function does; keep a record of it if it is the bot's.

    A step of a task runs in the task's context, which says whose it is; a copy would not do.
    """
    bound = getattr(callback, "__self__", None)
    scope: Scope
    if isinstance(bound, asyncio.Task):
        owner = work.tasks.get(bound)
        if owner is not None:
            scope = identity[0], owner.generation
        else:
            scope = None if context is None else context.get(_runtime._BOT_SCOPE)  # noqa: SLF001
    else:
        scope = _runtime._BOT_SCOPE.get()  # noqa: SLF001
        if context is not None:
            scope = scope or context.get(_runtime._BOT_SCOPE)  # noqa: SLF001
            context = context_for_scope(context, scope)
    if scope is None or scope != identity:
        return original(*schedule_args, callback, *args, context=context)
    label = getattr(callback, "__qualname__", None) or type(callback).__name__
    record = _runtime._CallbackRecord(None, when, label)  # noqa: SLF001
    tracked = _Tracked(work, callback, record, record_error)
    if when is None:
        handle = original(*schedule_args, tracked, *args, context=context)
    else:
        handle = asyncio.TimerHandle(when, tracked, args, loop, context=context)
        schedule_timer(record, callback, args, context)
    record.handle = handle
    if not tracked.called:
        work.callbacks.append(record)
    return handle


def install() -> None:
    """Let simcord use this."""
    vars(_runtime)["_track_callback"] = track_callback
