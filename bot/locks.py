"""Locks that live only as long as somebody holds them or waits for them."""

import asyncio
from collections.abc import Hashable
from typing import TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K", bound=Hashable)


class Locks(WeakValueDictionary[K, asyncio.Lock]):
    """A lock for each key, made when it is first asked for."""

    def of(self, key: K) -> asyncio.Lock:
        """Return the lock of a key, the same one for as long as it is used."""
        return self.setdefault(key, asyncio.Lock())
