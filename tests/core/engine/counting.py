"""Stops that count what a search costs, independently of the machine."""

from core.engine.stop import Stop


class CountingStop(Stop):
    """Counts how often searches look at it, about once a node, but never stops them."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    @property
    def wanted(self) -> bool:
        """False."""
        self.looks += 1
        return False


class StopAfter(CountingStop):
    """Ends a search after `most` looks; raises if the search goes on nevertheless."""

    def __init__(self, most: int):
        super().__init__()
        self._most = most

    @property
    def wanted(self) -> bool:
        """Whether the search has looked more than `most` times."""
        _ = super().wanted
        assert self.looks < self._most + 1_000, "the search goes on"
        return self.looks > self._most
