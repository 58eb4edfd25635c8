"""A soak: members play many games while everything around the bot fails, by a seed.

    python -m tests.load.soak --seed 1 --minutes 30 --games 200
    python -m tests.load.soak --seed 1 --minutes 30 --games 200 --database postgresql --processes 2
    python -m tests.load.soak --seed 1 --minutes 10 --games 3000 --database postgresql \
        --processes 2 --sharded --hurry --rooms 40

The real bot runs as a child process; with `--processes` as several, of which one serves and the
others stand by; with `--sharded` each of them has a part of eight shards. Calls to Discord fail,
come late or are lost; the gateway, the database and the workers break; the bot is killed, stopped,
and replaced. A process that asks to be started again by its exit status is. With `--hurry` members
press as soon as they see a board.

Afterwards the faults end, the bot comes to rest, and the soak checks that each move that was shown
is stored, each match is shown once and can be played, nothing is overdue, all buttons are answered,
ratings are those of the matches, memory hasn't grown, and the log has no error that no fault
explains. The report counts all that happened, and has the bot's last calls about each channel in
which something is wrong. The exit status is 1 if something doesn't hold. A run takes some minutes
longer than it is given. On a machine so busy that the driver itself is late by a second, the bot
answers too late as well, and `silent` means little.

The seed decides the faults of each channel's calls by their numbers, the mishaps by the number of
interactions so far, and the members' choices by what they see. So a seed brings the same faults at
the same places again, but not to the millisecond: which calls of different channels meet depends
on the machine.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import psutil

from bot.db.database import Database, reach
from tests.fuzzing.report import Report
from tests.laws import NOTED_WITHIN
from tests.postgresql import running

from .aftermath import Aftermath, Stored, explained, log_errors, rerated, stored_matches
from .calls import age
from .discord_server import LoopbackDiscord
from .faults import Faults
from .hasty_bot import SHORTEST
from .interactions import Interaction, token_of
from .journal import Journal
from .ledger import Ledger
from .limits import Lifetimes, Limits
from .members import Room, Tally
from .mishaps import ENDINGS, ON_POSTGRESQL, ON_SQLITE, Mishaps, plan
from .payloads import LOADING, Json
from .processes import BotProcess, mib

_FAULTY = 0.03
_SHARDS = 8
_SETTINGS = {"ENGINE_SECONDS": "2", "CHALLENGE_MINUTES": "1", "RATED_A_DAY": "1000"}
# Interactions come this many times as often if nobody looks at what they see.
_IN_A_HURRY = 10
_GAUGE_SECONDS = 5.0
_ANSWER_SECONDS = 60.0
# A bot that has just started fills its caches; only later growth counts.
_WARM_UP_SECONDS = 120.0
# A promise may wait for the database.
_KEPT_WITHIN_SECONDS = 60.0
# Caches fill in steps for the first half hour (docs/costs.md), so a short run can't tell a leak.
_STEPS_MIB = 8.0
_MOST_GROWTH_MIB_AN_HOUR = 30.0
_MOST_MORE_FILES = 12
_MOST_MORE_THREADS = 6
_FEWEST_GAUGES = 24
_CHANNEL = re.compile(r"in channel (\d+)")


@dataclass(frozen=True)
class Gauge:
    """A bot process's resources at a moment; its `memory` and that of its `children` in MiB."""

    at: float
    process: int
    memory: float
    children: float
    files: int
    threads: int


@dataclass
class SoakReport(Report):
    """The figures of a soak by their names, and the messages that look live and aren't."""

    journal: Journal = field(default_factory=Journal)
    calls: dict[str, list[str]] = field(default_factory=dict)
    rows: list[tuple[str, object]] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the report, line by line."""
        yield from (f"  {name:<34} {value}" for name, value in self.rows)
        yield f"leftovers: {len(self.leftovers)}"
        yield from (f"  {line}" for line in self.leftovers[:20])
        for channel, calls in self.calls.items():
            yield f"the last calls about channel {channel}"
            yield from (f"    {call}" for call in calls)
        yield from super().lines()

    def find(self, *lines: str) -> None:
        """Note what is wrong, once, and the last calls about the channels that it names."""
        self.wrong |= {line: [] for line in lines}
        for line in lines:
            for channel in _CHANNEL.findall(line):
                self.calls.setdefault(channel, self.journal.of(channel))

    def told(self) -> str:
        """Return how long it took; the rows tell the rest."""
        return f"{self.seconds:.0f} s"


@dataclass(frozen=True)
class Soak:
    """One run of a seed, with a database in `folder`, or in the server `postgres`.

    Unless it `ends` the bot, its `processes` run until the end. If it is `sharded`, each process
    has a part of the shards. Members who `hurry` don't look at what they see.
    """

    seed: int
    minutes: float
    games: int
    rooms: int
    folder: Path
    ends: bool = True
    postgres: Any = None
    processes: int = 1
    sharded: bool = False
    hurry: bool = False

    async def run(self) -> SoakReport:
        """Play, let the bot come to rest, check it, and return the report."""
        return await _Run(self).run()


class _Run:
    """One run of a soak."""

    def __init__(self, soak: Soak) -> None:
        self._soak = soak
        self._faults = Faults(str(soak.seed), _FAULTY)
        self._limits = Limits()
        self._journal = Journal()
        guilds = _SHARDS if soak.sharded else 1
        channels = -(-soak.rooms // guilds)
        self._server = LoopbackDiscord(
            channels,
            4 * channels * guilds,
            guilds,
            timeout=_ANSWER_SECONDS,
            limits=self._limits,
            lifetimes=Lifetimes(),
            faults=self._faults,
            journal=self._journal,
        )
        self._ledger = Ledger()
        self._server.shown.on_shown.append(self._ledger.note)
        self._tally = Tally()
        self._gauges: list[Gauge] = []
        self._late = 0.0

    async def run(self) -> SoakReport:
        """Play, let the bot come to rest, check it, and return the report."""
        report = SoakReport(self._soak.seed, journal=self._journal)
        async with self._server as server, AsyncExitStack() as stack:
            bots = list(self._bots())
            standby = len(bots) > 1 and not self._soak.sharded
            mishaps = Mishaps(server, bots, self._soak.postgres, standby)
            database = await stack.enter_async_context(reach(bots[0].url))
            self._faults.on = False
            for bot in bots:
                await bot.start(beside=bot is not bots[0])
            self._faults.on = True
            try:
                began = time.perf_counter()
                await self._play(bots, mishaps)
                self._faults.on = False
                await self._check(database, mishaps, report)
                report.seconds = time.perf_counter() - began
            finally:
                statuses = [await bot.end() for bot in bots]
            report.find(*(f"end: the bot exited with status {n}" for n in statuses if n))
            report.find(*await rerated(database))
            stored = await stored_matches(database)
        self._sum_up(bots, stored.values(), mishaps, report)
        return report

    def _bots(self) -> Iterator[BotProcess]:
        """Yield the processes of the bot, each with a folder of its own."""
        soak, each = self._soak, _SHARDS // self._soak.processes
        for number in range(soak.processes):
            folder = soak.folder / str(number)
            folder.mkdir(exist_ok=True)
            settings = dict(_SETTINGS)
            if soak.postgres:
                settings["DATABASE_URL"] = soak.postgres.get_uri()
            if soak.sharded:
                settings["SHARDS"] = f"{number * each}-{(number + 1) * each - 1}/{_SHARDS}"
            yield BotProcess("tests.load.hasty_bot", self._server, folder, **settings)

    async def _play(self, bots: Sequence[BotProcess], mishaps: Mishaps) -> None:
        """Let the members play until there were enough games, or time is up."""
        rooms = list(self._rooms())
        ends = time.monotonic() + 60 * self._soak.minutes

        def more() -> bool:
            return self._tally.games + len(rooms) <= self._soak.games and time.monotonic() < ends

        beside = [
            asyncio.create_task(self._bring(mishaps)),
            asyncio.create_task(self._watch(bots)),
        ]
        try:
            async with asyncio.TaskGroup() as playing:
                for room in rooms:
                    playing.create_task(room.play_on(more))
        finally:
            await self._stop(beside)
        await asyncio.gather(*(room.finish() for room in rooms))

    async def _stop(self, beside: list[asyncio.Task[None]]) -> None:
        """End the mishaps after the one that is under way, and the gauges."""
        self._ending = True
        bringing, watching = beside
        await bringing
        watching.cancel()

    def _rooms(self) -> Iterator[Room]:
        for number, channel in enumerate(self._server.channel_ids):
            members = self._server.user_ids[4 * number : 4 * number + 4]
            rng = Random(f"{self._soak.seed} room {number}")
            hurry = self._soak.hurry
            yield Room(self._server, channel, members, rng, self._tally, SHORTEST, hurry=hurry)

    async def _bring(self, mishaps: Mishaps) -> None:
        """Bring the mishaps of the seed upon the bot, each after its number of interactions."""
        self._ending = False
        kinds = ON_POSTGRESQL if self._soak.postgres else ON_SQLITE
        for planned in plan(str(self._soak.seed), kinds):
            after = planned.after * (_IN_A_HURRY if self._soak.hurry else 1)
            while self._server.interactions.begun < after:
                if self._ending:
                    return
                await asyncio.sleep(0.2)
            # The process of the second half lives long enough to see whether its memory grows.
            ends = self._soak.ends and 2 * self._tally.games < self._soak.games
            if ends or planned.mishap not in ENDINGS:
                await mishaps.befall(planned)

    async def _watch(self, bots: Sequence[BotProcess]) -> None:
        """Read the bot's gauges every few seconds, and note how late the driver itself is."""
        while True:
            for bot in bots:
                with suppress(psutil.Error):  # it may be down
                    self._gauges.append(_gauge(bot.process))
            due = time.monotonic() + _GAUGE_SECONDS
            await asyncio.sleep(_GAUGE_SECONDS)
            self._late = max(self._late, time.monotonic() - due)

    async def _check(self, database: Database, mishaps: Mishaps, report: SoakReport) -> None:
        """Check what must hold at rest; the checks that change something come last."""

        def unknown(message: Json) -> bool:
            return self._unknown(message, mishaps)

        def excused(it: Interaction) -> bool:
            return it.token in self._faults.hit or mishaps.away(it.started)

        aftermath = Aftermath(self._server, self._ledger, database, unknown)
        report.find(*await aftermath.at_rest())
        report.find(*aftermath.silent(excused))
        report.leftovers += await aftermath.leftovers()
        report.find(*growth(self._gauges))
        self._journal.close()  # the presses on all buttons would drive out what was before
        stranger = self._server.user_ids[-1]
        report.find(*await aftermath.dead_buttons(stranger))
        report.find(*await aftermath.unplayable(stranger))

    def _unknown(self, message: Json, mishaps: Mishaps) -> bool:
        """Return whether the bot can't know of a message: a reply was lost, or it was killed."""
        asked = message.get("interaction_metadata")
        if asked is not None and token_of(int(asked["id"])) in self._faults.hit:
            return True
        sent = time.perf_counter() - age(int(message["id"]))
        promised = message["flags"] & LOADING
        within = _KEPT_WITHIN_SECONDS if promised else NOTED_WITHIN.total_seconds()
        return mishaps.killed_after(sent, within)

    def _sum_up(
        self,
        bots: Sequence[BotProcess],
        stored: Collection[Stored],
        mishaps: Mishaps,
        report: SoakReport,
    ) -> None:
        gauges, gateway = _warm(self._gauges), self._server.gateway
        log = "\n".join(bot.log.read_text(errors="replace") for bot in bots)
        counts, unexplained = log_errors(log)
        report.find(*(f"log: {lines}" for lines in unexplained))
        failed = [line for line in self._tally.failed if not explained(log, line)]
        report.find(*(f"failed: {line}" for line in failed))
        if self._server.unknown:
            report.find(f"unknown requests: {Counter(self._server.unknown)}")
        report.rows += [
            ("interactions", self._server.interactions.begun),
            ("matches", f"{len(stored)}, {sum(match.ended for match in stored)} ended"),
            ("moves", sum(len(match.moves) for match in stored)),
            ("acknowledged moves checked", sum(map(len, self._ledger.moves.values()))),
            ("answers", dict(self._tally.answers)),
            ("done", dict(self._tally.done.most_common())),
            ("unexpected errors told", len(self._tally.failed)),
            ("exceptions in the log", counts),
            ("429, invalid in ten minutes", f"{self._limits.refused()}, {self._limits.invalid}"),
            ("the driver late, at worst", f"{self._late:.1f} s"),
            ("identifies, resumes", f"{gateway.identified.total()}, {gateway.resumes}"),
            ("faults", {f"{call}: {fault}": n for (call, fault), n in self._faults.counts.items()}),
            ("mishaps", {str(mishap): n for mishap, n in mishaps.counts.items()}),
            ("started again by their status", sum(bot.started_again for bot in bots)),
        ]
        if len(gauges) > 1:
            first, last = gauges[0], gauges[-1]
            report.rows += [
                ("memory", f"{first.memory:.0f} to {last.memory:.0f} MiB"),
                ("memory every minute, in MiB", " ".join(f"{g.memory:.0f}" for g in gauges[::12])),
                ("memory of its children, at most", f"{max(g.children for g in gauges):.0f} MiB"),
                ("open files, threads", f"{last.files}, {last.threads}"),
            ]


def _gauge(process: psutil.Process) -> Gauge:
    return Gauge(
        time.monotonic(),
        process.pid,
        mib(process),
        sum(map(mib, process.children(recursive=True))),
        process.num_fds(),
        process.num_threads(),
    )


def growth(gauges: list[Gauge]) -> Iterator[str]:
    """Yield what has grown in the longest-lived process after its warm-up."""
    warm = _warm(gauges)
    if len(warm) < _FEWEST_GAUGES:
        return
    quarter = len(warm) // 4
    first, last = warm[:quarter], warm[-quarter:]
    hours = (last[0].at - first[0].at) / 3600
    grown = fmean(g.memory for g in last) - fmean(g.memory for g in first)
    if grown > _STEPS_MIB + _MOST_GROWTH_MIB_AN_HOUR * hours:
        yield f"growth: memory grew by {grown:.0f} MiB in {60 * hours:.0f} minutes"
    if min(g.files for g in last) > max(g.files for g in first) + _MOST_MORE_FILES:
        yield f"growth: open files from {first[-1].files} to {last[-1].files}"
    if min(g.threads for g in last) > max(g.threads for g in first) + _MOST_MORE_THREADS:
        yield f"growth: threads from {first[-1].threads} to {last[-1].threads}"


def _warm(gauges: list[Gauge]) -> list[Gauge]:
    """Return the gauges of the longest-lived process after its warm-up."""
    lives = Counter(gauge.process for gauge in gauges)
    if not lives:
        return []
    (process, _), *_ = lives.most_common(1)
    found = [gauge for gauge in gauges if gauge.process == process]
    return [gauge for gauge in found if gauge.at > found[0].at + _WARM_UP_SECONDS]


def main() -> None:
    """Run the soak of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.soak", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30.0, help="no game begins after them")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rooms", type=int, default=10, help="channels that play at a time")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--processes", type=int, default=1, choices=(1, 2, 4, 8))
    parser.add_argument("--sharded", action="store_true")
    parser.add_argument("--hurry", action="store_true")
    parser.add_argument("--one-process", action="store_true", help="the bot is never ended")
    parser.add_argument("--folder", type=Path, help="keeps the database and the log")
    args = parser.parse_args()
    if (args.processes > 1 or args.sharded) and args.database == "sqlite":
        parser.error("several processes need --database postgresql")
    if args.games < args.rooms:
        parser.error("with fewer --games than --rooms no game begins")
    with (
        tempfile.TemporaryDirectory(prefix="rowbot-soak-") as folder,
        running(durable=True) if args.database == "postgresql" else nullcontext() as postgres,
    ):
        kept = args.folder or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        soak = Soak(
            args.seed,
            args.minutes,
            args.games,
            args.rooms,
            kept,
            ends=not args.one_process,
            postgres=postgres,
            processes=args.processes,
            sharded=args.sharded,
            hurry=args.hurry,
        )
        report = asyncio.run(soak.run())
    print(*report.lines(), sep="\n")
    sys.exit(bool(report.wrong))


if __name__ == "__main__":
    main()
