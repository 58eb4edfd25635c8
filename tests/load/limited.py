"""Presses at a steady rate on a Discord that has limits: answers 429, and how long boards stay.

python -m tests.load.play limits --rate 100 --seconds 60
"""

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field

from .discord_server import LoopbackDiscord
from .limits import Lifetimes, Limits
from .presses import percentile
from .processes import bot_process
from .tables import Table, rowbot_free_squares

CHANNELS = 400
# A game of seven or eight presses.
_BOARD: dict[str, int | str] = {"rows": 4, "columns": 4, "line": 4, "level": "easy"}
# After the last press the bot has this long to remove the boards that are left.
_GRACE_SECONDS = 60.0


@dataclass
class Limited:
    """What the presses met; times in seconds.

    `removals` are the times from a new board to the end of the old one, `left` the number of old
    boards with buttons after the grace. `late` is the driver's own worst delay.
    """

    limits: Limits
    seconds: float = 0.0
    presses: int = 0
    refused: int = 0
    unanswered: int = 0
    left: int = 0
    late: float = 0.0
    answers: list[float] = field(default_factory=list)
    removals: list[float] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return the report."""
        minutes = self.seconds / 60
        told = [
            f"{self.presses} presses in {self.seconds:.0f} s ({self.presses / self.seconds:.0f}/s),"
            f" {self.refused} refused, {self.unanswered} unanswered,"
            f" the driver {1000 * self.late:.0f} ms late at worst",
            f"429: {self.limits.refused()} ({self.limits.refused() / minutes:.1f} a minute);"
            f" invalid requests in ten minutes: {self.limits.invalid}"
            + (", BANNED" if self.limits.banned else ""),
            _times("answers", self.answers),
            _times("old boards removed after", self.removals) + f"; {self.left} left",
        ]
        calls = sorted(self.limits.answers.items())
        told += [f"    {kind:<13} {status}: {count}" for (kind, status), count in calls]
        return told


def _times(what: str, times: list[float]) -> str:
    found = ", ".join(f"p{p} {1000 * percentile(times, p):.0f} ms" for p in (50, 99, 100))
    return f"{what}: {found}"


class _HurriedTable(Table):
    """A table that doesn't wait for the old board to go."""

    def watch(self, found: Limited, watching: asyncio.TaskGroup) -> None:
        self._found, self._watching = found, watching

    async def replaced(self, message_id: int) -> None:
        self._watching.create_task(self._note_gone(message_id, time.perf_counter()))

    async def _note_gone(self, message_id: int, since: float) -> None:
        try:
            await self._server.wait_gone(message_id)
        except TimeoutError:
            self._found.left += 1
        else:
            self._found.removals.append(time.perf_counter() - since)


async def measure(rate: float, seconds: float) -> Limited:
    """Press at `rate` a second for that many seconds, and return what happened."""
    found = Limited(Limits())
    server = LoopbackDiscord(
        CHANNELS,
        CHANNELS,
        timeout=_GRACE_SECONDS,
        limits=found.limits,
        lifetimes=Lifetimes(),
    )
    async with server, bot_process("bot", server):
        places = zip(server.channel_ids, server.user_ids, strict=True)
        tables = [_HurriedTable(server, c, u, rowbot_free_squares, **_BOARD) for c, u in places]
        for table in tables:
            await table.sit_down()
        found.limits.answers.clear()
        async with asyncio.TaskGroup() as watching:
            for table in tables:
                table.watch(found, watching)
            await _press_on(found, tables, rate, seconds)
    return found


async def _press_on(
    found: Limited, tables: list[_HurriedTable], rate: float, seconds: float
) -> None:
    """Press at the tables in turn; one whose press isn't answered yet is passed over."""
    ready = deque(tables)

    async def one(table: _HurriedTable, due: float) -> None:
        try:
            answer = await table.press()
            if answer is not None:
                found.presses += 1
                found.refused += answer.ephemeral
                found.answers.append(answer.at - due)
            async with asyncio.timeout(_GRACE_SECONDS):
                await table.sit_down()
        except TimeoutError:
            found.unanswered += 1
        ready.append(table)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as pressing:
        for n in range(int(rate * seconds)):
            due = began + n / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            found.late = max(found.late, time.perf_counter() - due)
            if ready:
                pressing.create_task(one(ready.popleft(), due))
        found.seconds = time.perf_counter() - began
