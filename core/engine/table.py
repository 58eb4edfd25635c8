"""What a search has found, by position."""

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Table(dict[K, V]):
    """A table of at most `size` entries: when it is full it begins anew."""

    def __init__(self, size: int):
        super().__init__()
        self._size = size

    def keep(self, key: K, value: V) -> V:
        """Keep and return `value`."""
        if len(self) >= self._size:
            self.clear()
        self[key] = value
        return value
