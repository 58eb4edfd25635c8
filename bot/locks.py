"""Locks that live only as long as somebody holds them or waits for them.

A task may hold several at once, and takes them in the order of their `LockKind`, so that no two
tasks wait for each other.
"""

import asyncio
from collections.abc import Hashable
from enum import IntEnum, auto
from typing import TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K", bound=Hashable)


class LockKind(IntEnum):
    """The kinds of locks. A task that holds a lock takes only kinds that come later here.

    So two of one kind are never held together. Presses wait for the lock of their channel, so
    nothing that may take seconds is done under it, such as a call to Discord or a search.
    """

    STEPS = auto()  # of a tournament: its games are opened, and its message shown, in turn
    TOURNAMENT = auto()  # read, changed and saved
    THREAD = auto()  # of a channel: one match after another begins in a new thread
    INVITATION = auto()  # its answers, and what shows them
    OPENING = auto()  # of a channel: one call after another opens a thread
    SEARCH = auto()  # of a position: a second request waits for the first one's result
    CHANNEL = auto()  # its match is read, changed and saved


class Locks(WeakValueDictionary[K, asyncio.Lock]):
    """A lock of one `kind` for each key, made when it is first asked for."""

    def __init__(self, kind: LockKind):
        super().__init__()
        self.kind = kind

    def of(self, key: K) -> asyncio.Lock:
        """Return the lock of a key, the same one for as long as it is used."""
        return self.setdefault(key, asyncio.Lock())
