"""The costs of bots: their start, a turn, and their memory, in rounds that alternate.

    python -m tests.load.costs
    python -m tests.load.costs --rows 5 --columns 5 --line 4
    python -m tests.load.costs rowbot pictures --rows 5 --columns 5 --line 4
    python -m tests.load.costs 1000 1000000
    python -m tests.load.costs --saturate 5

The bots are `rowbot`; `bare`, discord.py's quickstart with as many buttons as Rowbot's board;
`pictures`, Rowbot whose players see drawn boards; and a number, Rowbot beside that number of live
matches.

All bots run at the same time, each against its own loopback Discord, and take turns at being
measured: a round of one bot is followed by a round of the next, so that whatever else the machine
does weighs on all of them. In a round each of 40 players plays a match against the computer, one
press after another. The first bot tells how long the matches of a bare bot are, which never end.

The report has the time and the CPU of the start; the CPU of a turn, of a turn with its share of the
match's beginning, and of the processes that search and draw for it; the time to an answer; and the
memory at the start and at the end. The first round isn't counted. Ten rounds of the first command
take about two minutes.

With `--saturate` all 40 players press at once, for that number of seconds a round.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.db.database import open_database
from bot.times import DAY

from .discord_server import LoopbackDiscord
from .figures import columns, percentile
from .processes import BotProcess, bot_process
from .sweeper import fill
from .tables import Table, tables

Board = dict[str, int | str]

_TABLES = 40
_SETTLE_SECONDS = 10.0
_REST_SECONDS = 0.2
_STORED_SECONDS = 0.5
_BOTS = ("rowbot", "bare", "pictures")


@dataclass
class Costs:
    """The costs of one bot's rounds, in seconds of CPU and of time."""

    presses: int = 0
    cpu: float = 0.0
    matches_cpu: float = 0.0
    workers_cpu: float = 0.0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)

    def a_turn(self, cpu: float) -> float:
        """Return milliseconds of a turn."""
        return 1000 * cpu / self.presses

    def answered(self) -> tuple[float, float]:
        """Return the median and the 99th percentile of the milliseconds to an answer."""
        return 1000 * percentile(self.latencies, 50), 1000 * percentile(self.latencies, 99)


class Measured:
    """One bot that is measured, and its players' tables."""

    def __init__(self, name: str, bot: BotProcess, given: list[Table], online: float) -> None:
        self.name = name
        self.costs = Costs()
        self.bot = bot
        self._tables = given
        self._start = (online, bot.cpu_seconds, bot.mib)

    async def buttons(self) -> int:
        """Return how many buttons the first board has."""
        await self._tables[0].sit_down()
        return self._tables[0].buttons

    async def choose_pictures(self) -> None:
        """Let all players see boards as pictures."""
        for table in self._tables:
            await table.command("settings", "me", boards="picture")

    async def matches(self, lengths: list[int]) -> None:
        """Play a match at each table, and note in `lengths` how many presses each had.

        A bare bot's matches never end, so they are as long as `lengths` says.
        """
        given, costs = list(lengths) if self.name == "bare" else [], self.costs
        await asyncio.sleep(_REST_SECONDS)
        begun = self.bot.cpu_seconds
        for table in self._tables:
            await table.sit_down()
        await asyncio.sleep(_REST_SECONDS)
        seated, began = self.bot.cpu_seconds, time.perf_counter()
        workers = self.bot.workers_seconds
        for number, table in enumerate(self._tables):
            presses = 0
            while table.seated:
                if given and presses == given[number]:
                    table.leave()
                    break
                answer = await table.press()
                assert answer is not None and not answer.ephemeral, "a free square was pressed"
                costs.latencies.append(answer.seconds)
                presses += 1
            costs.presses += presses
            if not given:
                lengths.append(presses)
        costs.seconds += time.perf_counter() - began
        await asyncio.sleep(_REST_SECONDS)
        ended = self.bot.cpu_seconds
        costs.cpu += ended - seated
        costs.matches_cpu += ended - begun
        costs.workers_cpu += self.bot.workers_seconds - workers

    async def saturate(self, seconds: float, length: int) -> int:
        """Press at all tables at once for so long; a match that is over is followed by another.

        A bare bot's matches count as over after `length` presses. Returns how many a match had.
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
                if self.name == "bare" and presses == length:
                    table.leave()

        begun, began = self.bot.cpu_seconds, time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for table in self._tables:
                group.create_task(play(table))
        self.costs.seconds += time.perf_counter() - began
        self.costs.cpu += self.bot.cpu_seconds - begun
        return max(1, round((self.costs.presses - before) / max(1, matches)))

    def row(self) -> tuple[str | int | float, ...]:
        """Return what the start and the rounds have cost."""
        costs, (online, cpu, memory) = self.costs, self._start
        each = map(costs.a_turn, (costs.cpu, costs.matches_cpu, costs.workers_cpu))
        memories = round(memory), round(self.bot.mib)
        return self.name, online, cpu, costs.presses, *each, *costs.answered(), *memories

    def saturated_row(self) -> tuple[str | int | float, ...]:
        """Return how much of its processor the bot has used, and what for."""
        costs, used = self.costs, self.costs.cpu / self.costs.seconds
        rates = round(costs.presses / costs.seconds), round(costs.presses / costs.cpu)
        return self.name, *rates, used, *costs.answered()


_HEAD = (
    *("", "start s", "CPU s", "turns", "ms a turn", "with match", "workers", "p50", "p99"),
    *("MiB at start", "in the end"),
)
_SATURATED_HEAD = ("", "turns/s", "turns/CPU s", "CPU", "p50", "p99")


@asynccontextmanager
async def at_rest(names: list[str], board: Board) -> AsyncIterator[list[Measured]]:
    """Yield the bots at rest; a bare one has as many buttons as the board of the first."""
    async with AsyncExitStack() as stack:
        bots: list[Measured] = []
        for name in names:
            server = LoopbackDiscord(channels=_TABLES, members=_TABLES)
            await stack.enter_async_context(server)
            module, settings, options = "bot", dict[str, str](), board
            if name == "bare":
                module, options = "tests.load.bare_bot", {}
                settings["BUTTONS"] = str(await bots[0].buttons())
            elif name.isdecimal():
                folder = stack.enter_context(tempfile.TemporaryDirectory())
                settings["DATABASE_URL"] = await _filled(Path(folder, "live.db"), int(name))
            began = time.perf_counter()
            bot = await stack.enter_async_context(bot_process(module, server, **settings))
            online = time.perf_counter() - began
            await asyncio.sleep(_SETTLE_SECONDS)
            bots.append(Measured(name, bot, tables(server, **options), online))
            if name == "pictures":
                await bots[-1].choose_pictures()
        yield bots


async def _filled(path: Path, matches: int) -> str:
    """Return the URL of a database with that many live `matches`, whose clocks end in days."""
    async with open_database(url := f"sqlite:///{path}"):
        pass
    await asyncio.to_thread(fill, path, matches, [], int(time.time()) + DAY)
    return url


async def measure(names: list[str], board: Board, rounds: int, saturate: float = 0.0) -> list[str]:
    """Return the lines of the costs after `rounds` of each bot, a match at each table.

    If `saturate` isn't 0, a round is that many seconds of presses at all tables at once.
    """
    async with at_rest(names, board) as bots:
        for number in range(rounds + 1):
            lengths: list[int] = []
            length = 0
            for each in bots:
                if saturate:
                    length = await each.saturate(saturate, length)
                else:
                    await each.matches(lengths)
                if number == 0:
                    each.costs = Costs()
        if saturate:
            return [*columns(_SATURATED_HEAD, (each.saturated_row() for each in bots))]
        return [*columns(_HEAD, (each.row() for each in bots)), *_ratios(bots)]


def _ratios(bots: list[Measured]) -> list[str]:
    """Return how the costs of the first bot are to those of the others."""
    (name, ours), *others = ((each.name, each.costs) for each in bots)
    turn, whole = ours.a_turn(ours.cpu), ours.a_turn(ours.matches_cpu)
    return [
        f"{name} / {other}: a turn {turn / costs.a_turn(costs.cpu):.2f},"
        f" with the match {whole / costs.a_turn(costs.matches_cpu):.2f}"
        for other, costs in others
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.costs", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("bots", nargs="*", default=["rowbot", "bare"], metavar="BOT")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--rows", type=int, default=3)
    parser.add_argument("--columns", type=int, default=3)
    parser.add_argument("--line", type=int, default=3)
    parser.add_argument("--saturate", type=float, default=0.0, metavar="SECONDS")
    args = parser.parse_args()
    if wrong := [name for name in args.bots if name not in _BOTS and not name.isdecimal()]:
        parser.error(f"no such bot: {', '.join(wrong)}")
    if args.bots[0] == "bare":
        parser.error("a bare bot follows another, whose matches tell how long its own are")
    board: Board = {"rows": args.rows, "columns": args.columns, "line": args.line, "level": "easy"}
    print(*asyncio.run(measure(args.bots, board, args.rounds, args.saturate)), sep="\n")


if __name__ == "__main__":
    main()
