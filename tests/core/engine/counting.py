"""A stop that counts what a search costs, whatever the machine is."""

from core.engine.stop import Stop


class CountingStop(Stop):
    """Counts how often searches look at it, about once a node, and stops none."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    @property
    def wanted(self) -> bool:
        """False."""
        self.looks += 1
        return False
