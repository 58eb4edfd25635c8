"""Checks in which order tasks take locks, and that none calls Discord under a channel's lock."""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from simcord.http import router

from bot.locks import LockKind, Locks


class Held:
    """The kinds of the locks that each task holds, and what was wrong about them."""

    def __init__(self) -> None:
        self._of: WeakKeyDictionary[asyncio.Task[Any], list[LockKind]] = WeakKeyDictionary()
        self.wrong: list[str] = []

    @property
    def now(self) -> list[LockKind]:
        """The kinds that the current task holds."""
        task = asyncio.current_task()
        assert task is not None
        return self._of.setdefault(task, [])

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Watch all locks, and all calls to simcord's Discord."""
        dispatch = router.dispatch

        def lock_of(locks: Locks[Any], key: Any) -> asyncio.Lock:
            return locks.setdefault(key, _Watched(locks.kind, self))

        def call(backend: Any, method: str, path: str, **sent: Any) -> Any:
            if LockKind.CHANNEL in self.now:
                self.wrong.append(f"{method} {path} under a channel's lock")
            return dispatch(backend, method, path, **sent)

        patch.setattr(Locks, "of", lock_of)
        patch.setattr(router, "dispatch", call)


class _Watched(asyncio.Lock):
    """A lock that notes by whom it is held."""

    def __init__(self, kind: LockKind, held: Held):
        super().__init__()
        self._kind = kind
        self._held = held

    async def acquire(self) -> Any:
        if self._held.now and self._kind <= max(self._held.now):
            self._held.wrong.append(f"{self._kind!r} is taken under {self._held.now}")
        await super().acquire()
        self._held.now.append(self._kind)
        return True

    def release(self) -> None:
        self._held.now.remove(self._kind)
        super().release()
