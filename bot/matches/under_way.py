"""Counts of things that are stored but not yet shown: their messages are on the way to Discord."""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class UnderWay(Generic[K]):
    """How many messages are on their way, by a key; a killed bot forgets them, as it should."""

    def __init__(self) -> None:
        self._counts: Counter[K] = Counter()

    @contextmanager
    def one(self, key: K) -> Iterator[None]:
        """Count one more within this context."""
        self._counts[key] += 1
        try:
            yield
        finally:
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]

    def count(self, key: K) -> int:
        """Return how many there are now."""
        return self._counts[key]
