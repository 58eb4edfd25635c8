"""A request to a search to end early."""


class Stop:
    """Tells the searches of an engine to end at once, with the best that they have found.

    Searches look at it wherever they look at their node budget. This module stays Python where the
    searches are compiled: running some Python lets the interpreter switch to the thread that stops
    them.
    """

    def __init__(self) -> None:
        self._wanted = False

    @property
    def wanted(self) -> bool:
        """Whether somebody has asked for an end since the search began."""
        return self._wanted

    def ask(self) -> None:
        """Ask the search that runs for its end."""
        self._wanted = True

    def forget(self) -> None:
        """Begin anew."""
        self._wanted = False


NEVER = Stop()
"""The stop of searches that nobody ends."""
