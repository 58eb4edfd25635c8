"""The sweeper's cost with many live matches: with nothing due, and with many due at once.

    python -m tests.load.sweeper --matches 100000 --due 1000 --seconds 60

The real bot runs against the loopback Discord, over a database with that many live matches, and
over an empty one for comparison. The report has its CPU and memory at rest over either; then in
what time, and with what CPU, all due players have lost, each once. It takes four minutes.
"""

import argparse
import asyncio
import sqlite3
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bot.db.database import open_database
from bot.times import DAY
from core.games import GAMES

from . import payloads
from .discord_server import LoopbackDiscord
from .processes import BotProcess, bot_process

# The delay until matches are due: the bot must start first, and be measured at rest.
_LEAD_SECONDS = 15
_SETTLE_SECONDS = 5
_PATIENCE_SECONDS = 300


def fill(path: Path, matches: int, channels: list[int], due_at: int) -> None:
    """Insert live matches of two members; those in `channels` are due at `due_at` (Unix time)."""
    game = GAMES["tictactoe"]
    start = game.start(game.resolve({}), Random(0)).notation
    later = due_at + 3 * DAY
    places = channels + [2**60 + n for n in range(matches - len(channels))]
    rows = (
        (
            n,
            payloads.GUILD_ID,
            place,
            start,
            *((due_at,) * 2 if n <= len(channels) else (later,) * 2),
        )
        for n, place in enumerate(places, start=1)
    )
    seats = ((n, seat, 1000 + seat, "Alice") for n in range(1, matches + 1) for seat in (0, 1))
    with sqlite3.connect(path) as connection:
        connection.executemany(
            "INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves,"
            " computer_due, started_at, clock, deadline, due_at)"
            " VALUES (?, ?, ?, 'tictactoe', '{}', ?, '', 0, 1, 86400, ?, ?)",
            rows,
        )
        connection.executemany(
            "INSERT INTO seats (match_id, seat, user_id, name) VALUES (?, ?, ?, ?)", seats
        )
    connection.close()


def ended(path: Path) -> int:
    """Return the number of finished matches."""
    connection = sqlite3.connect(path)
    counted = connection.execute("SELECT COUNT(*) FROM matches WHERE ended_at IS NOT NULL")
    (count,) = counted.fetchone()
    connection.close()
    return int(count)


@dataclass(frozen=True)
class Sweeping:
    """The measurements: CPU in milliseconds per second at rest, memory in MiB, times in seconds.

    `empty` and `full` are (CPU, memory) without matches and with all of them. `told` is the time
    until every channel was notified, `each` the CPU milliseconds per loss, `after` the memory then.
    """

    empty: tuple[float, float]
    full: tuple[float, float]
    told: float
    each: float
    after: float


async def measure(matches: int, due: int, seconds: float) -> Sweeping:
    """Measure the sweeper."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sweep.db")
        url = f"sqlite:///{path}"
        async with (
            LoopbackDiscord(channels=due, members=4) as server,
            bot_process("bot", server) as bot,
        ):
            empty = await at_rest(bot, seconds)
        async with open_database(url):
            pass
        async with LoopbackDiscord(channels=due, members=4) as server:
            moment = int(time.time() + _LEAD_SECONDS + _SETTLE_SECONDS + seconds)
            fill(path, matches, server.channel_ids, moment)
            async with bot_process("bot", server, DATABASE_URL=url) as bot:
                full = await at_rest(bot, seconds)
                told, each = await all_at_once(bot, server, path, moment)
                return Sweeping(empty, full, told, each, bot.mib)


async def at_rest(bot: BotProcess, seconds: float) -> tuple[float, float]:
    """Return the CPU and memory of an idle bot."""
    await asyncio.sleep(_SETTLE_SECONDS)
    before = bot.cpu_seconds
    await asyncio.sleep(seconds)
    spent = bot.cpu_seconds - before
    return 1000 * spent / seconds, bot.mib


async def all_at_once(
    bot: BotProcess, server: LoopbackDiscord, path: Path, moment: int
) -> tuple[float, float]:
    """Return the cost of simultaneous losses on time in every channel."""
    due = len(server.channel_ids)
    await asyncio.sleep(max(0.0, moment - time.time() - 1))
    assert ended(path) == 0
    before = bot.cpu_seconds
    while not all(server.messages(channel) for channel in server.channel_ids):
        assert time.time() < moment + _PATIENCE_SECONDS, "some losses were not posted"
        await asyncio.sleep(0.2)
    took = time.time() - moment
    await asyncio.sleep(2 * _SETTLE_SECONDS)
    spent = bot.cpu_seconds - before
    posted = sum(len(server.messages(channel)) for channel in server.channel_ids)
    assert (ended(path), posted) == (due, due), "each match is lost, and posted, once"
    return took, 1000 * spent / due


def main() -> None:
    """Run the measurement with the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.sweeper", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--due", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    args = parser.parse_args()
    found = asyncio.run(measure(args.matches, args.due, args.seconds))
    for what, (cpu, memory) in (("no match", found.empty), ("nothing due", found.full)):
        print(f"{what}: {cpu:.2f} ms of CPU a second, {memory:.1f} MiB")
    print(
        f"{args.due} due at once, of {args.matches}: lost and told within {found.told:.1f} s,",
        end=" ",
    )
    print(f"{found.each:.2f} ms of CPU each, {found.after:.1f} MiB afterwards")


if __name__ == "__main__":
    main()
