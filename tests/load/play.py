"""Drivers that play many games against a bot process and measure it.

    python -m tests.load.play {bare|lean|rowbot} --presses N --rate R
    python -m tests.load.play compare --presses N --rate R
    python -m tests.load.play memory --turns 10000
    python -m tests.load.play limits --rate 100 --seconds 60

The server runs in this process and the bot in another, so that the bot's CPU time and memory can
be measured separately.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psutil

from . import limited
from .discord_server import LoopbackDiscord
from .presses import Report, run_presses
from .processes import bot_process, mib
from .tables import FreeSquares, Table, bare_free_squares, rowbot_free_squares

CHANNELS = 200
WARM_UP = 200
CHECKPOINTS = 10


@dataclass(frozen=True)
class BotKind:
    """A bot to measure."""

    module: str
    free_squares: FreeSquares


BOTS = {
    "bare": BotKind("tests.load.bare_bot", bare_free_squares),
    "lean": BotKind("tests.load.lean_bot", bare_free_squares),
    "rowbot": BotKind("bot", rowbot_free_squares),
}


@asynccontextmanager
async def warm_bot(name: str) -> AsyncIterator[tuple[psutil.Process, list[Table]]]:
    """Run a bot with a game in every channel, after a warm-up."""
    kind = BOTS[name]
    async with (
        LoopbackDiscord(channels=CHANNELS, members=CHANNELS) as server,
        bot_process(kind.module, server) as process,
    ):
        free_squares = kind.free_squares
        places = zip(server.channel_ids, server.user_ids, strict=True)
        tables = [Table(server, channel, user, free_squares) for channel, user in places]
        await run_presses(process, tables, WARM_UP)
        yield process, tables
        if server.unknown:
            print(f"unanswered requests: {Counter(server.unknown)}", file=sys.stderr)


async def measure(name: str, presses: int, rate: float | None) -> Report:
    """Measure one bot and return its report."""
    async with warm_bot(name) as (process, tables):
        return await run_presses(process, tables, presses, rate)


async def memory(name: str, turns: int) -> None:
    """Print the bot's memory after the warm-up and at checkpoints up to `turns` turns."""
    async with warm_bot(name) as (process, tables):
        first = process.memory_info().rss
        print(f"{name}: {'turns':>8} {'RSS MiB':>9} {'growth':>8}")
        print(f"{name}: {0:>8} {mib(first):>9.1f} {0:>8.1f}", flush=True)
        done = 0
        for n in range(1, CHECKPOINTS + 1):
            step = turns * n // CHECKPOINTS - done
            report = await run_presses(process, tables, step)
            done += step
            rss = report.rss_after
            print(f"{name}: {done:>8} {mib(rss):>9.1f} {mib(rss - first):>8.1f}", flush=True)


_COLUMNS = "bot presses refused seconds ms/press p50ms p99ms maxms latems RSSMiB"


def print_reports(reports: dict[str, Report]) -> None:
    """Print one line per bot."""
    print("".join(f"{title:>10}" for title in _COLUMNS.split()))
    for name, r in reports.items():
        counts = f"{name:>10}{r.count:>10}{r.refused:>10}{r.seconds:>10.1f}"
        cpu = f"{r.cpu_ms_per_press:>10.2f}"
        times = "".join(f"{r.percentile_ms(percent):>10.1f}" for percent in (50, 99, 100))
        rest = f"{1000 * r.driver_late:>10.1f}{mib(r.rss_after):>10.1f}"
        print(f"{counts}{cpu}{times}{rest}")


async def compare(presses: int, rate: float | None) -> None:
    """Measure both bots in turn, and print their reports and the ratio of their costs."""
    reports = {name: await measure(name, presses, rate) for name in BOTS}
    print_reports(reports)
    for yardstick in ("bare", "lean"):
        ratio = reports["rowbot"].cpu_ms_per_press / reports[yardstick].cpu_ms_per_press
        print(f"rowbot / {yardstick}: {ratio:.2f} in CPU per press")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.load.play", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", choices=[*BOTS, "compare", "memory", "limits"])
    parser.add_argument("--presses", type=int, default=2000)
    parser.add_argument("--rate", type=float, help="presses a second; sequential without")
    parser.add_argument("--turns", type=int, default=10_000, help="for memory")
    parser.add_argument("--seconds", type=float, default=60.0, help="for limits")
    parser.add_argument("--bot", choices=list(BOTS), default="rowbot", help="for memory")
    return parser.parse_args()


def main() -> None:
    """Run the measurement named on the command line."""
    args = _arguments()
    if args.what == "compare":
        asyncio.run(compare(args.presses, args.rate))
    elif args.what == "memory":
        asyncio.run(memory(args.bot, args.turns))
    elif args.what == "limits":
        found = asyncio.run(limited.measure(args.rate or 100.0, args.seconds))
        print(*found.lines(), sep="\n")
    else:
        report = asyncio.run(measure(args.what, args.presses, args.rate))
        print_reports({args.what: report})


if __name__ == "__main__":
    main()
