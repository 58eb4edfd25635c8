"""The budget for requests that Discord counts against the bot: the most urgent go first.

Discord takes 50 requests a second from a bot, answers the others with 429, and blocks an address
that has had 10,000 such answers in ten minutes. Answers to interactions, and calls by an
interaction's token, don't count. https://discord.com/developers/docs/topics/rate-limits
"""

import asyncio
import time
from bisect import bisect_left, insort
from enum import IntEnum
from itertools import count

# Together at most 40 in any second: the other ten are left for discord.py's own requests.
_AT_ONCE = 10
_A_SECOND = 30.0
_LEAST_SECONDS = 0.001


class Urgency(IntEnum):
    """The purpose of a request; lower values come first."""

    MENTION = 0  # a message that notifies somebody
    POST = 1  # or what somebody waits for
    TIDY = 2  # an edit or a removal


class Budget:
    """Hands out turns to make requests: up to `at_once` in a burst, `a_second` in the long run.

    The most urgent turn comes first; equally urgent ones come in the order of asking. A process
    that serves a part of the bot's shards has that `part` of the budget, from 0 to 1.
    """

    def __init__(self, at_once: int = _AT_ONCE, a_second: float = _A_SECOND, *, part: float = 1.0):
        self._at_once = max(1.0, at_once * part)
        self._a_second = a_second * part
        self._left = self._at_once
        self._counted_at = 0.0  # long ago: simcord's clock begins after the bot is made
        self._order = count()
        self._waiting: list[tuple[Urgency, int]] = []  # sorted

    async def turn(self, urgency: Urgency) -> None:
        """Wait until a request may be made."""
        mine = urgency, next(self._order)
        insort(self._waiting, mine)
        try:
            # More urgent turns may come while this one sleeps, and others be cancelled.
            while (ahead := bisect_left(self._waiting, mine)) or not self._take():
                missing = ahead + 1 - self._left
                await asyncio.sleep(max(missing / self._a_second, _LEAST_SECONDS))
        finally:
            del self._waiting[bisect_left(self._waiting, mine)]

    def _take(self) -> bool:
        """Take one request from those left now; return False if there is none."""
        now = time.monotonic()
        earned = (now - self._counted_at) * self._a_second
        self._left, self._counted_at = min(self._at_once, self._left + earned), now
        if self._left < 1:
            return False
        self._left -= 1
        return True
