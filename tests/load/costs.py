"""What a turn costs beside bare bots that send as many buttons, in rounds that alternate.

    python -m tests.load.costs --rounds 10
    python -m tests.load.costs --rounds 10 --rows 5 --columns 5 --line 4
    python -m tests.load.costs --saturate 10

All bots run at the same time, each against its own loopback Discord, and take turns at being
measured: a round of one bot is followed by a round of the next, so that whatever else the machine
does weighs on all of them. A round is measured twice: the presses alone, and whole matches with
their commands, first boards and ends. Bare bots play matches of the same lengths.

With `--saturate` each bot gets more presses than it can take for so many seconds a round.
"""

import argparse
import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import psutil

from .discord_server import LoopbackDiscord
from .presses import percentile
from .processes import bot_process, cpu_seconds
from .tables import Table, bare_free_squares, rowbot_free_squares

_TABLES = 40
_REST_SECONDS = 0.2
_STORED_SECONDS = 0.5
_BARE = {
    "bare": "tests.load.bare_bot",
    "lean": "tests.load.lean_bot",
}


@dataclass
class Costs:
    """What the rounds of one bot have cost; seconds of CPU and of time."""

    presses: int = 0
    cpu: float = 0.0
    matches_cpu: float = 0.0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def turn(self) -> float:
        """CPU milliseconds of a turn."""
        return 1000 * self.cpu / self.presses

    @property
    def whole(self) -> float:
        """CPU milliseconds of a turn with its share of the match's beginning."""
        return 1000 * self.matches_cpu / self.presses


class Seat:
    """One bot that is measured: its process, and its players' tables."""

    def __init__(self, name: str, process: psutil.Process, tables: list[Table]) -> None:
        self.name = name
        self.costs = Costs()
        self._process = process
        self._tables = tables

    async def buttons(self) -> int:
        """Return how many buttons the first board has."""
        await self._tables[0].sit_down()
        return self._tables[0].buttons

    async def matches(self, lengths: list[int]) -> None:
        """Play a match at each table, of `lengths` presses if they are given; note them there."""
        given = list(lengths)
        await asyncio.sleep(_REST_SECONDS)
        begun = cpu_seconds(self._process)
        for table in self._tables:
            await table.sit_down()
        await asyncio.sleep(_REST_SECONDS)
        seated, began = cpu_seconds(self._process), time.perf_counter()
        for number, table in enumerate(self._tables):
            presses = 0
            while table.seated:
                if given and presses == given[number]:
                    table.leave()
                    break
                answer = await table.press()
                assert answer is not None and not answer.ephemeral, "a free square was pressed"
                self.costs.latencies.append(answer.seconds)
                presses += 1
            self.costs.presses += presses
            if not given:
                lengths.append(presses)
        self.costs.seconds += time.perf_counter() - began
        await asyncio.sleep(_REST_SECONDS)
        ended = cpu_seconds(self._process)
        self.costs.cpu += ended - seated
        self.costs.matches_cpu += ended - begun

    async def saturate(self, seconds: float, length: int | None = None) -> int:
        """Press at all tables at once for so long; a match that is over is followed by another.

        A match is over after `length` presses, if that is given. Returns how many it had.
        """
        until, matches, before = time.perf_counter() + seconds, 0, self.costs.presses

        async def play(table: Table) -> None:
            nonlocal matches
            presses = 0
            while time.perf_counter() < until:
                if not table.seated:
                    matches, presses = matches + 1, 0
                    await table.sit_down()
                    # A busy bare bot loses the press of a board that it hasn't stored yet.
                    await asyncio.sleep(_STORED_SECONDS)
                if (answer := await table.press()) is not None:
                    assert not answer.ephemeral, "a free square was pressed"
                    self.costs.latencies.append(answer.seconds)
                    self.costs.presses += 1
                    presses += 1
                if presses == length:
                    table.leave()

        begun, began = cpu_seconds(self._process), time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for table in self._tables:
                group.create_task(play(table))
        self.costs.seconds += time.perf_counter() - began
        self.costs.cpu += cpu_seconds(self._process) - begun
        return max(1, round((self.costs.presses - before) / max(1, matches)))


@asynccontextmanager
async def seated(board: dict[str, int | str]) -> AsyncIterator[list[Seat]]:
    """Yield Rowbot and the bare bots, warm, the latter with as many buttons as Rowbot's board."""
    async with AsyncExitStack() as stack:

        async def sit(name: str, module: str, **settings: str) -> Seat:
            server = LoopbackDiscord(channels=_TABLES, members=_TABLES)
            await stack.enter_async_context(server)
            process = await stack.enter_async_context(bot_process(module, server, **settings))
            ours = module == "bot"
            free = rowbot_free_squares if ours else bare_free_squares
            places = zip(server.channel_ids, server.user_ids, strict=True)
            given = board if ours else {}
            return Seat(name, process, [Table(server, c, u, free, **given) for c, u in places])

        rowbot = await sit("rowbot", "bot")
        count = str(await rowbot.buttons())
        yield [rowbot, *[await sit(n, module, BUTTONS=count) for n, module in _BARE.items()]]


async def measure(board: dict[str, int | str], rounds: int) -> list[str]:
    """Return the table of costs after so many rounds of all bots; the first one isn't counted."""
    async with seated(board) as seats:
        for number in range(rounds + 1):
            lengths: list[int] = []
            for seat in seats:
                await seat.matches(lengths)
                if number == 0:
                    seat.costs = Costs()
        ours, *others = seats
        lines = [f"{'':>8} presses  ms a turn  with the match  p50 ms  p95 ms"]
        lines += [
            f"{s.name:>8}{s.costs.presses:>8}{s.costs.turn:>11.2f}{s.costs.whole:>16.2f}"
            f"{_ms(s.costs, 50):>8.1f}{_ms(s.costs, 95):>8.1f}"
            for s in seats
        ]
        return lines + [
            f"rowbot / {s.name}: a turn {ours.costs.turn / s.costs.turn:.2f},"
            f" whole matches {ours.costs.whole / s.costs.whole:.2f}"
            for s in others
        ]


async def saturated(board: dict[str, int | str], rounds: int, seconds: float) -> list[str]:
    """Return how many turns a second the bots make, the first round not counted."""
    async with seated(board) as seats:
        for number in range(rounds + 1):
            length: int | None = None
            for seat in seats:
                length = await seat.saturate(seconds, length)
                if number == 0:
                    seat.costs = Costs()
        return [f"{'':>8} turns/s  turns/CPU s  CPU   p50 ms  p95 ms"] + [
            f"{s.name:>8}{s.costs.presses / s.costs.seconds:>8.0f}"
            f"{s.costs.presses / s.costs.cpu:>13.0f}{s.costs.cpu / s.costs.seconds:>5.2f}"
            f"{_ms(s.costs, 50):>9.1f}{_ms(s.costs, 95):>8.1f}"
            for s in seats
        ]


def _ms(costs: Costs, percent: float) -> float:
    return 1000 * percentile(costs.latencies, percent)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.costs", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--rows", type=int, default=3)
    parser.add_argument("--columns", type=int, default=3)
    parser.add_argument("--line", type=int, default=3)
    parser.add_argument("--saturate", type=float, metavar="SECONDS")
    args = parser.parse_args()
    board: dict[str, int | str] = {"rows": args.rows, "columns": args.columns}
    board |= {"line": args.line, "level": "easy"}
    work = measure(board, args.rounds)
    if args.saturate:
        work.close()
        work = saturated(board, args.rounds, args.saturate)
    print(*asyncio.run(work), sep="\n")


if __name__ == "__main__":
    main()
