"""The budget for requests that Discord counts against the bot: the most urgent go first.

Discord takes 50 requests a second from a bot, answers the others with 429, and blocks an address
that has had 10,000 such answers in ten minutes. Answers to interactions, and what goes by an
interaction's token, don't count. https://discord.com/developers/docs/topics/rate-limits
"""

import asyncio
import time
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count

# No more than 40 in any second: discord.py makes requests of its own.
_AT_ONCE = 10
_A_SECOND = 30.0


class Urgency(IntEnum):
    """What a request is for; the lower goes first."""

    MENTION = 0  # a message that notifies somebody
    POST = 1
    TIDY = 2  # an edit or a removal


class Budget:
    """Hands out the turns to make a request: `at_once` together, and `a_second` in the long run.

    The most urgent turn comes first; equally urgent ones come in the order of asking. A process
    that serves a part of the bot's shards has that `part` of the budget, from 0 to 1.
    """

    def __init__(self, at_once: int = _AT_ONCE, a_second: float = _A_SECOND, *, part: float = 1.0):
        self._at_once = max(1.0, at_once * part)
        self._a_second = a_second * part
        self._left = self._at_once
        self._counted_at = time.perf_counter()
        self._order = count()
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._handing_out: asyncio.Task[None] | None = None

    async def turn(self, urgency: Urgency) -> None:
        """Return when a request may be made."""
        if not self._waiting and self._take():
            return
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (urgency, next(self._order), turn))
        if self._handing_out is None or self._handing_out.done():
            self._handing_out = asyncio.create_task(self._hand_out())
        await turn

    async def _hand_out(self) -> None:
        while self._waiting:
            if self._waiting[0][-1].done():  # the caller was cancelled
                heappop(self._waiting)
            elif self._take():
                heappop(self._waiting)[-1].set_result(None)
            else:
                await asyncio.sleep(1 / self._a_second)

    def _take(self) -> bool:
        """Take one request from what is left now; return False if there is none."""
        now = time.perf_counter()  # runs on in the preview, whose other clocks stand still
        earned = (now - self._counted_at) * self._a_second
        self._left, self._counted_at = min(self._at_once, self._left + earned), now
        if self._left < 1:
            return False
        self._left -= 1
        return True
