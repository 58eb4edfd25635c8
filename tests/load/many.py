"""A start and a turn beside many live matches in the database, and beside few.

    python -m tests.load.many --few 1000 --many 1000000 --rounds 6

Both bots run at the same time, each on a database of its own, and their rounds of matches on 3x3
alternate. All other live matches are of two members, with clocks that end in days.
"""

import argparse
import asyncio
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from bot.db.database import open_database

from .costs import Costs, Seat
from .discord_server import LoopbackDiscord
from .processes import BotProcess, cpu_seconds, mib
from .sweeper import fill
from .tables import Table, rowbot_free_squares

_TABLES = 40
_DAY = 86_400
_SETTLE_SECONDS = 10
_BOARD: dict[str, int | str] = {"rows": 3, "columns": 3, "line": 3, "level": "easy"}


@dataclass(frozen=True)
class Start:
    """What a start took until the bot was online, and what it cost until it was at rest."""

    seconds: float
    cpu: float
    memory: float


async def filled(path: Path, matches: int) -> None:
    """Make a database with so many live matches."""
    async with open_database(f"sqlite:///{path}"):
        pass
    await asyncio.to_thread(fill, path, matches, [], int(time.time()) + _DAY)


async def measure(counts: list[int], rounds: int) -> list[str]:
    """Return a line for each number of live matches."""
    starts: dict[int, Start] = {}
    seats: list[Seat] = []
    async with AsyncExitStack() as stack:
        for count in counts:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            server = LoopbackDiscord(channels=_TABLES, members=_TABLES)
            await stack.enter_async_context(server)
            bot = BotProcess("bot", server, folder)
            await filled(bot.database, count)
            begun = time.perf_counter()
            await bot.start()
            took = time.perf_counter() - begun
            stack.push_async_callback(bot.end)
            await asyncio.sleep(_SETTLE_SECONDS)
            spent, size = cpu_seconds(bot.process), mib(bot.process.memory_info().rss)
            starts[count] = Start(took, spent, size)
            places = zip(server.channel_ids, server.user_ids, strict=True)
            tables = [Table(server, c, u, rowbot_free_squares, **_BOARD) for c, u in places]
            seats.append(Seat(f"{count}", bot.process, tables))
        for number in range(rounds + 1):
            for seat in seats:
                await seat.matches([])
                if number == 0:
                    seat.costs = Costs()
    return [f"{'live':>8}  start s  start CPU s    MiB  ms a turn  with the match"] + [
        f"{seat.name:>8}{start.seconds:>9.1f}{start.cpu:>13.2f}{start.memory:>7.0f}"
        f"{seat.costs.turn:>11.2f}{seat.costs.whole:>16.2f}"
        for seat, start in zip(seats, starts.values(), strict=True)
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.many", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--few", type=int, default=1000)
    parser.add_argument("--many", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=6)
    args = parser.parse_args()
    print(*asyncio.run(measure([args.few, args.many], args.rounds)), sep="\n")


if __name__ == "__main__":
    main()
