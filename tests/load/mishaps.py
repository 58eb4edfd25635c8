"""Mishaps of a bot apart from those of its REST calls, drawn from a seed.

The seed decides the kind of each mishap, and after how many interactions it comes. Which
interactions are under way at that moment depends on the machine.
"""

import asyncio
import itertools
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any

import psutil

from .discord_server import LoopbackDiscord
from .gateway import Drop
from .processes import BotProcess


class Mishap(StrEnum):
    """A mishap of the bot's connection, its database or its processes."""

    DROP = "gateway"
    STALL = "database locked"
    FULL = "disk full"
    AWAY = "database restarted"
    WORKER = "worker killed"
    STOP = "bot stopped for a while"
    KILL = "bot killed"
    RESTART = "bot restarted"
    REPLACE = "bot replaced"  # as by a rolling update: the new process stands by before it serves


ENDINGS = (Mishap.KILL, Mishap.RESTART, Mishap.REPLACE)
# The bot doesn't answer during these, unless a process stands by.
_ABSENCES = (Mishap.DROP, Mishap.STOP, Mishap.KILL, Mishap.RESTART)
ON_SQLITE = tuple(kind for kind in Mishap if kind not in (Mishap.AWAY, Mishap.REPLACE))
ON_POSTGRESQL = tuple(kind for kind in Mishap if kind not in (Mishap.STALL, Mishap.FULL))
# How often each kind comes, relative to the others.
_WEIGHTS = {
    Mishap.DROP: 8,
    Mishap.STALL: 4,
    Mishap.FULL: 2,
    Mishap.AWAY: 4,
    Mishap.WORKER: 4,
    Mishap.STOP: 2,
    Mishap.KILL: 2,
    Mishap.RESTART: 1,
    Mishap.REPLACE: 1,
}
# A dead connection takes a minute, in which nobody can play.
_DROPS = {how: 1 if how is Drop.DEAF else 6 for how in Drop}
_EVERY = (15, 60)  # interactions from one mishap to the next
STALL_SECONDS = (1.0, 8.0)  # the bot waits five seconds for a locked database
_FULL_BYTES = 4096  # a page of the database
# discord.py gives up a connection from which nothing has come for a minute.
_DEAF_SECONDS = 150.0
_ANSWER_SECONDS = 3.0
_STARTS = 5
_DOWN_SECONDS = (0.5, 5.0)
_STOPPED_SECONDS = (2.0, 40.0)  # as by a machine that swaps or sleeps


@dataclass(frozen=True)
class Planned:
    """A mishap after this number of interactions; `lot` is its own source of chance."""

    after: int
    mishap: Mishap
    lot: Random


def plan(seed: str, kinds: Sequence[Mishap]) -> Iterator[Planned]:
    """Yield mishaps of these kinds as a seed has them, in their order, without end."""
    after = 0
    for number in itertools.count():
        lot = Random(f"{seed} mishap {number}")
        after += lot.randint(*_EVERY)
        weights = [_WEIGHTS[kind] for kind in kinds]
        yield Planned(after, lot.choices(kinds, weights)[0], lot)


@dataclass
class Mishaps:
    """Brings the mishaps of a plan upon the processes of a bot; `spans` are the times of effect.

    Its database is a file, unless it is in the server `postgresql`. With a `standby`, one process
    takes over from another with the same shards.
    """

    server: LoopbackDiscord
    bots: list[BotProcess]
    postgresql: Any = None
    standby: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    spans: list[tuple[Mishap, float, float]] = field(default_factory=list)

    async def befall(self, planned: Planned) -> None:
        """Let one mishap happen; return when its cause is over."""
        began = time.perf_counter()
        match planned.mishap:
            case Mishap.DROP:
                await self._drop(planned.lot)
            case Mishap.STALL:
                self.counts[Mishap.STALL] += 1
                seconds = planned.lot.uniform(*STALL_SECONDS)
                await asyncio.to_thread(lock_database, self.bots[0].database, seconds)
            case Mishap.FULL:
                self.counts[Mishap.FULL] += 1
                await self._fill_disk(planned.lot.uniform(*STALL_SECONDS))
            case Mishap.AWAY:
                self.counts[Mishap.AWAY] += 1
                await restart_database(self.postgresql, planned.lot.uniform(*STALL_SECONDS))
            case Mishap.WORKER:
                self._kill_worker(planned.lot)
            case Mishap.STOP:
                await self._stop(planned.lot)
            case Mishap.KILL:
                self.counts[Mishap.KILL] += 1
                await self._start_again(signal.SIGKILL, planned.lot)
            case Mishap.RESTART:
                self.counts[Mishap.RESTART] += 1
                await self._start_again(signal.SIGTERM, planned.lot)
            case Mishap.REPLACE:
                self.counts[Mishap.REPLACE] += 1
                await self._replace(planned.lot)
        ended = time.perf_counter()
        self.spans.append((planned.mishap, began, ended))

    def away(self, moment: float) -> bool:
        """Return whether the bot was away while it should have answered what came then."""
        return any(
            began - _ANSWER_SECONDS < moment < ended + _ANSWER_SECONDS
            for began, ended in self._absences()
        )

    def _absences(self) -> Iterator[tuple[float, float]]:
        for mishap, began, ended in self.spans:
            if self.standby and mishap is Mishap.KILL:
                yield began, began  # the other process serves as soon as this one is gone
            elif mishap in _ABSENCES and not (self.standby and mishap is Mishap.RESTART):
                yield began, ended

    def killed_after(self, moment: float, within: float) -> bool:
        """Return whether the bot was killed less than `within` seconds after `moment`."""
        return any(
            moment < began < moment + within
            for mishap, began, _ in self.spans
            if mishap is Mishap.KILL
        )

    async def _drop(self, lot: Random) -> None:
        """Drop the connection, and wait until the bot is back."""
        how = lot.choices(list(_DROPS), list(_DROPS.values()))[0]
        self.counts[f"{Mishap.DROP}: {how}"] += 1
        gateway = self.server.gateway
        await gateway.drop(how)
        with suppress(TimeoutError):
            async with asyncio.timeout(_DEAF_SECONDS):
                await gateway.heard.wait()

    async def _fill_disk(self, seconds: float) -> None:
        """Let the bot write nothing behind the first page of any file, as if the disk were full."""
        process = self.bots[0].process
        before = process.rlimit(psutil.RLIMIT_FSIZE)
        process.rlimit(psutil.RLIMIT_FSIZE, (_FULL_BYTES, before[1]))
        await asyncio.sleep(seconds)
        process.rlimit(psutil.RLIMIT_FSIZE, before)

    def _kill_worker(self, lot: Random) -> None:
        """Kill one of the bot's children, if it has any."""
        with suppress(psutil.NoSuchProcess):  # it is being started again
            children = lot.choice(self.bots).process.children()
            workers = [child for child in children if _works(child)]
            if workers:
                os.kill(lot.choice(workers).pid, signal.SIGKILL)
                self.counts[Mishap.WORKER] += 1

    async def _stop(self, lot: Random) -> None:
        """Let a process stand still, while the world goes on."""
        with suppress(psutil.NoSuchProcess):  # it is being started again
            process = lot.choice(self.bots).process
            process.suspend()
            self.counts[Mishap.STOP] += 1
            await asyncio.sleep(lot.uniform(*_STOPPED_SECONDS))
            process.resume()

    async def _start_again(self, number: signal.Signals, lot: Random) -> None:
        bot = lot.choice(self.bots)
        await bot.end(number)
        await self._start(bot, lot, beside=len(self.bots) > 1)

    async def _replace(self, lot: Random) -> None:
        number = lot.randrange(len(self.bots))
        old, new = self.bots[number], self.bots[number].another()
        self.bots[number] = new
        try:
            await self._start(new, lot, beside=True)
            await asyncio.sleep(lot.uniform(*_DOWN_SECONDS))
        finally:
            await old.end()

    async def _start(self, bot: BotProcess, lot: Random, *, beside: bool) -> None:
        for _ in range(_STARTS):
            await asyncio.sleep(lot.uniform(*_DOWN_SECONDS))
            try:
                await bot.start(beside=beside)
            except RuntimeError:
                # Discord can fail at the login; then a host's supervisor starts the bot again.
                self.counts["start failed"] += 1
            else:
                return
        raise RuntimeError("the bot doesn't start any more")


def _works(child: psutil.Process) -> bool:
    """Return whether a child searches or draws; the others only watch over resources."""
    try:
        return "resource_tracker" not in " ".join(child.cmdline())
    except psutil.NoSuchProcess:
        return False


async def restart_database(postgresql: Any, seconds: float) -> None:
    """Stop PostgreSQL, which ends all connections, and start it again after a while."""
    await asyncio.to_thread(postgresql.stop)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(postgresql.start)


def lock_database(path: Path, seconds: float) -> None:
    """Hold the lock that every writer of a SQLite file needs, as another program would."""
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            time.sleep(seconds)
        finally:
            connection.execute("ROLLBACK")
