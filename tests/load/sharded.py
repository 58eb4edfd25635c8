"""Several processes of one bot: games on all shards, while one process is killed and comes back.

    python -m tests.load.sharded --processes 2 --games 1000
    python -m tests.load.sharded --processes 2 --games 3000 --restarts 5

Each process serves a part of eight shards, and all of them one PostgreSQL database (of a wheel).
Members play against the computer in every channel of eight guilds, as fast as they are answered.
When half of the games are over, one process is killed; it is started again, and the next one is
replaced by a process that begins before the old one ends, as in a rolling update. PostgreSQL can be
restarted meanwhile. The exit status is 1 if a move was lost, something was shown twice, or a
channel stands still.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import uniform
from typing import Any

from bot.db.database import open_database, reach
from tests.postgresql import running

from .aftermath import Aftermath
from .calls import age
from .discord_server import LoopbackDiscord
from .ledger import Ledger
from .mishaps import STALL_SECONDS, restart_database
from .payloads import Json
from .presses import percentile
from .processes import BotProcess, cpu_seconds
from .tables import Table, rowbot_free_squares

SHARDS = 8
_GUILDS = 8
_CHANNELS_A_GUILD = 5
_ANSWER_SECONDS = 15.0
_AWAY_SECONDS = 2.0
_ONLINE_SECONDS = 120.0
_NOTED_WITHIN_SECONDS = 8.0
# The gateway's identify turns: 5.5 seconds a shard, in all processes together.
_OVERLAP_SECONDS = 20.0


@dataclass
class Result:
    """What happened; times are in seconds."""

    processes: int
    games: int = 0
    turns: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    latencies: list[float] = field(default_factory=list)
    killed: float = 0.0  # the `perf_counter` when a process was killed
    restarts: int = 0  # of the database
    trouble: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def has(self, games: int) -> bool:
        """Return whether at least this number of games is over."""
        return self.games >= games

    def unknown(self, message: Json) -> bool:
        """Return whether no process can know of a message: the one that sent it was killed."""
        sent = time.perf_counter() - age(int(message["id"]))
        return 0 < self.killed - sent < _NOTED_WITHIN_SECONDS

    def lines(self) -> list[str]:
        """Return the result for a person to read."""
        rate = self.turns / self.seconds
        p50, p99 = (1000 * percentile(self.latencies, percent) for percent in (50, 99))
        return [
            f"{self.processes} processes: {self.games} games, {self.turns} turns"
            f" in {self.seconds:.0f} s: {rate:.0f} a second;"
            f" answers {p50:.0f} ms (median), {p99:.0f} ms (99th percentile)",
            f"  while processes or the database were away: {dict(self.trouble)}",
            f"  restarts of the database: {self.restarts}",
            f"  wrong: {len(self.wrong)}",
            *(f"    {line}" for line in self.wrong[:20]),
        ]


class _Player(Table):
    """A player who asks for the board where an answer hasn't come."""

    def __init__(self, server: LoopbackDiscord, channel_id: int, user_id: int) -> None:
        super().__init__(server, channel_id, user_id, rowbot_free_squares, level="easy")

    async def play(self, result: Result, games: int) -> None:
        """Play until all channels together have had `games` games."""
        while result.games < games:
            try:
                async with asyncio.timeout(2 * _ANSWER_SECONDS):
                    await self.sit_down()
                    answer = await self.press()
            except (TimeoutError, ConnectionError, LookupError, RuntimeError) as error:
                await self._look(result, type(error).__name__)
                continue
            if answer is not None and answer.ephemeral:
                await self._look(result, "refused")
                continue
            if answer is not None:
                result.turns += 1
                result.latencies.append(answer.seconds)
            result.games += not self.seated

    async def _look(self, result: Result, trouble: str) -> None:
        """Ask for the current board, some time after there was trouble."""
        result.trouble[trouble] += 1
        await asyncio.sleep(_AWAY_SECONDS)
        try:
            async with asyncio.timeout(2 * _ANSWER_SECONDS):
                answer = await self._server.slash(self._user_id, self._channel_id, ("board",))
                board = await self._server.answered(await answer.shown)
        except (TimeoutError, ConnectionError, LookupError) as error:
            result.trouble[f"/board: {type(error).__name__}"] += 1
            return
        self._message = board if rowbot_free_squares(board) else None


@asynccontextmanager
async def postgresql() -> AsyncIterator[Any]:
    """Yield a PostgreSQL server whose database is migrated."""
    with running(durable=True) as server:
        async with open_database(server.get_uri()):
            pass
        yield server


def _bots(
    server: LoopbackDiscord, url: str, folder: Path, processes: int
) -> list[tuple[range, BotProcess]]:
    """Return the processes, which haven't been started, with their shards."""
    each = SHARDS // processes
    parts = [range(number * each, (number + 1) * each) for number in range(processes)]
    bots = []
    for part in parts:
        own = folder / str(part.start)
        own.mkdir(parents=True, exist_ok=True)
        shards = f"{part.start}-{part.stop - 1}/{SHARDS}"
        bot = BotProcess("bot", server, own, DATABASE_URL=url, SHARDS=shards)
        bots.append((part, bot))
    return bots


async def _until(true: Callable[[], bool]) -> None:
    while not true():  # noqa: ASYNC110 - the loopback Discord sends no notification
        await asyncio.sleep(0.1)


async def _online(server: LoopbackDiscord, shards: Sequence[int], sessions: int = 1) -> None:
    """Wait until each of the shards has `sessions` connections."""
    async with asyncio.timeout(_ONLINE_SECONDS):
        await _until(lambda: all(server.gateway.shards[n] >= sessions for n in shards))


async def _start(
    server: LoopbackDiscord, bot: BotProcess, shards: Sequence[int], sessions: int = 1
) -> None:
    """Start a process until its shards are online; it ends if it finds the database away."""
    online = asyncio.create_task(_online(server, shards, sessions))
    while not online.done():
        ended = asyncio.create_task((await bot.launch()).wait())
        await asyncio.wait({online, ended}, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
    await online


async def _disturb(
    server: LoopbackDiscord, bots: list[tuple[range, BotProcess]], result: Result, games: int
) -> None:
    """Kill one process in the middle and start it again; then replace another while it runs."""
    await _until(partial(result.has, games // 2))
    shards, killed = bots[0]
    await killed.end(signal.SIGKILL)
    result.killed = time.perf_counter()
    await _start(server, killed, shards)
    shards, old = bots[-1]
    new = old.another()
    await _start(server, new, shards, sessions=2)
    await asyncio.sleep(_OVERLAP_SECONDS)
    await old.end()
    bots[-1] = shards, new


async def _restart(postgres: Any, result: Result, games: int, restarts: int) -> None:
    """Restart PostgreSQL `restarts` times, spread over the games."""
    for number in range(restarts):
        await _until(partial(result.has, games * (number + 1) // (restarts + 1)))
        result.restarts += 1
        await restart_database(postgres, uniform(*STALL_SECONDS))


async def measure(
    processes: int, games: int, folder: Path, *, disturb: bool = True, restarts: int = 0
) -> Result:
    """Let members play `games` games, and return what happened; logs stay in `folder`."""
    result, ledger = Result(processes), Ledger()
    server = LoopbackDiscord(
        _CHANNELS_A_GUILD, _GUILDS * _CHANNELS_A_GUILD, guilds=_GUILDS, timeout=_ANSWER_SECONDS
    )
    server.shown.on_shown.append(ledger.note)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(server)
        postgres = await stack.enter_async_context(postgresql())
        url = postgres.get_uri()
        bots = _bots(server, url, folder, processes)
        for _, bot in bots:
            await bot.launch()
        stack.push_async_callback(_end, bots)
        await _online(server, range(SHARDS))
        await server.bot_online()
        places = zip(server.channel_ids, server.user_ids, strict=True)
        players = [_Player(server, channel, user) for channel, user in places]
        cpu = sum(cpu_seconds(bot.process) for _, bot in bots)
        began = time.perf_counter()
        async with asyncio.TaskGroup() as playing:
            if disturb:
                playing.create_task(_disturb(server, bots, result, games))
            playing.create_task(_restart(postgres, result, games, restarts))
            for player in players:
                playing.create_task(player.play(result, games))
        result.seconds = time.perf_counter() - began
        if not disturb:
            result.cpu = sum(cpu_seconds(bot.process) for _, bot in bots) - cpu
        database = await stack.enter_async_context(reach(url))
        aftermath = Aftermath(server, ledger, database, result.unknown)
        result.wrong += await aftermath.at_rest()
        result.wrong += await aftermath.unplayable(server.user_ids[-1])
        result.wrong += [f"unknown request: {request}" for request in server.unknown]
    return result


async def _end(bots: list[tuple[range, BotProcess]]) -> None:
    for _, bot in bots:
        await bot.end()


def main() -> None:
    """Run the measurement of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.sharded", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--processes", type=int, choices=(1, 2, 4, 8), default=2)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--undisturbed", action="store_true", help="no process is killed")
    parser.add_argument("--restarts", type=int, default=0, help="of the database meanwhile")
    parser.add_argument("--folder", type=Path, help="keeps the logs")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rowbot-sharded-") as folder:
        kept = args.folder or Path(folder)
        measured = measure(
            args.processes,
            args.games,
            kept,
            disturb=not args.undisturbed,
            restarts=args.restarts,
        )
        result = asyncio.run(measured)
    print(*result.lines(), sep="\n")
    sys.exit(bool(result.wrong))


if __name__ == "__main__":
    main()
