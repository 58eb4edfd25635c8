"""The times in which a bot answers presses that come at a steady rate.

    python -m tests.load.answers --rate 100 --seconds 20
    python -m tests.load.answers --rate 100 --seconds 20 --bare
    python -m tests.load.answers --rate 100 --seconds 60 --limits
    python -m tests.load.answers --rate 10 --seconds 40 --searching 20

Members play the easy computer on 4x4, each in their own channel, and press in turn; a member whose
press isn't answered yet is passed over. The report has the times to the answers, counted from when
a press was due, and the times from a new board to the end of the old one. If the driver itself was
late, the machine is too busy for this measurement.

With `--limits` the loopback Discord has Discord's limits, and the report has all answers of its
REST API. With `--searching` as many others play `perfect` on 5x5, line 4, at a human pace, and the
report has the times of their turns. A run takes half a minute longer than its seconds.
"""

import argparse
import asyncio
import gc
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from .discord_server import LoopbackDiscord
from .figures import in_ms
from .limits import ENDLESS, Lifetimes, Limits
from .processes import SETTLE_SECONDS, bot_process
from .tables import Table, tables

_TABLES_A_PRESS = 4  # a second
# A game of seven or eight presses, and the number of its buttons.
_BOARD: dict[str, int | str] = {"rows": 4, "columns": 4, "line": 4, "level": "easy"}
_BUTTONS = "20"
# A solved board on which a search takes some time.
_SEARCHED: dict[str, int | str] = {"rows": 5, "columns": 5, "line": 4, "level": "perfect"}
# How long a person looks at a board before pressing: equal pauses would keep all in step.
_LOOKS_SECONDS = (0.5, 1.5)
# After the last press the bot has this long to answer, and to remove the boards that are left.
_GRACE_SECONDS = 60.0


@dataclass
class Answers:
    """The answers to the presses; times in seconds.

    `removals` are the times from a new board to the end of the old one, `left` the number of old
    boards with buttons after the grace. `late` is the driver's own worst delay. Of each turn with a
    search, `shown` has the time to the member's move, and `searched` that to the computer's.
    """

    limits: Limits | None = None
    seconds: float = 0.0
    presses: int = 0
    refused: int = 0
    unanswered: int = 0
    left: int = 0
    late: float = 0.0
    answers: list[float] = field(default_factory=list)
    removals: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    searched: list[float] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the report."""
        yield (
            f"{self.presses} presses in {self.seconds:.0f} s ({self.presses / self.seconds:.0f}/s),"
            f" {self.refused} refused, {self.unanswered} unanswered,"
            f" the driver {1000 * self.late:.0f} ms late at worst"
        )
        yield f"answers: {in_ms(self.answers)}"
        yield f"old boards removed: {in_ms(self.removals)}; {self.left} left"
        if self.searched:
            yield f"{len(self.searched)} turns with a search: {in_ms(self.searched)}"
            yield f"    their moves shown: {in_ms(self.shown)}"
        if (limits := self.limits) is not None:
            yield (
                f"429: {limits.refused()}; invalid requests in ten minutes: {limits.invalid}"
                + (", BANNED" if limits.banned else "")
            )
            for (kind, status), count in sorted(limits.answers.items()):
                yield f"    {kind:<13} {status}: {count}"


class _HurriedTable(Table):
    """A table that doesn't wait for the old board to go, but has it noted in `found`."""

    def __init__(self, found: Answers, watching: asyncio.TaskGroup, *given: Any, **options: Any):
        super().__init__(*given, **options)
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


async def measure(
    rate: float, seconds: float, *, bare: bool = False, limits: bool = False, searching: int = 0
) -> Answers:
    """Press at `rate` a second for that many seconds, and return what happened."""
    found = Answers(Limits() if limits else None)
    places = int(_TABLES_A_PRESS * rate)
    server = LoopbackDiscord(
        places + searching,
        places + searching,
        timeout=_GRACE_SECONDS,
        limits=found.limits,
        lifetimes=Lifetimes() if limits else ENDLESS,
    )
    module, board = ("tests.load.bare_bot", {}) if bare else ("bot", _BOARD)
    async with (
        server,
        bot_process(module, server, BUTTONS=_BUTTONS),
        asyncio.TaskGroup() as watching,
    ):
        seats = zip(server.channel_ids[:places], server.user_ids, strict=False)
        pressed = [_HurriedTable(found, watching, server, *seat, **board) for seat in seats]
        await asyncio.sleep(SETTLE_SECONDS)
        for table in pressed:
            await table.sit_down()
        if found.limits is not None:
            found.limits.answers.clear()
        others = enumerate(tables(server, **_SEARCHED)[places:])
        with _unpaused():
            async with asyncio.TaskGroup() as searches:
                playing = [searches.create_task(_play(one, found, Random(n))) for n, one in others]
                await _press_on(found, pressed, rate, seconds)
                for player in playing:
                    player.cancel()
    return found


@contextmanager
def _unpaused() -> Iterator[None]:
    """Disable the garbage collector: the driver's pauses would be measured as the bot's."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def _press_on(
    found: Answers, pressed: list[_HurriedTable], rate: float, seconds: float
) -> None:
    """Press at the tables in turn; a table whose press isn't answered yet is passed over."""
    ready = deque(pressed)

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


async def _play(table: Table, found: Answers, chance: Random) -> None:
    """Play against a computer that searches, until cancelled."""
    await asyncio.sleep(chance.uniform(0, max(_LOOKS_SECONDS)))
    while True:
        await table.sit_down()
        await asyncio.sleep(chance.uniform(*_LOOKS_SECONDS))
        began = time.perf_counter()
        answer = await table.press()
        assert answer is not None and not answer.ephemeral, f"no turn: {answer}"
        found.shown.append(answer.seconds)
        found.searched.append(time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.answers", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rate", type=float, default=100.0, help="presses a second")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--bare", action="store_true", help="a bot of discord.py's quickstart")
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("--searching", type=int, default=0, metavar="GAMES")
    args = parser.parse_args()
    measured = measure(
        args.rate, args.seconds, bare=args.bare, limits=args.limits, searching=args.searching
    )
    print(*asyncio.run(measured).lines(), sep="\n")


if __name__ == "__main__":
    main()
