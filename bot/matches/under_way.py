"""Boards that are being sent to Discord, and waiting until they have arrived."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from bot.identity import MatchId
from bot.matches.model import StoredMatch


class UnderWay:
    """The states of matches whose boards are being sent."""

    def __init__(self) -> None:
        # Each one's event is set once Discord has answered.
        self._states: dict[asyncio.Event, StoredMatch] = {}

    @contextmanager
    def sending(self, stored: StoredMatch) -> Iterator[None]:
        """Note that the board of this state is under way in this context."""
        arrived = asyncio.Event()
        self._states[arrived] = stored
        try:
            yield
        finally:
            del self._states[arrived]
            arrived.set()

    def has(self, stored: StoredMatch) -> bool:
        """Return whether a board of this state of a match is under way."""
        state = (stored.id, stored.match)
        return state in [(one.id, one.match) for one in self._states.values()]

    async def wait(self, match_id: MatchId) -> bool:
        """Wait until no board of a match is under way; return whether one was."""
        waited = False
        while under_way := [one for one, state in self._states.items() if state.id == match_id]:
            await under_way[-1].wait()
            waited = True
        return waited
