"""A run of a seed on the simulated Discord, whose time passes at once.

The seed decides what members do and what befalls the bot. The machine decides how the database's
thread and the event loop take turns.
"""

import asyncio
import logging
import multiprocessing
import re
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor
from contextlib import AsyncExitStack, contextmanager
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, ClassVar

import pytest
import simcord
from simcord.env import Env

from bot import logs
from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database, open_database
from bot.preview import speaking
from bot.settings import Settings
from bot.shards import Shards
from bot.workers import search_worker
from tests.bot.engines import HastyEngine
from tests.discord.orders.second import Feed, connect
from tests.discord.patches import nonces, starting
from tests.discord.patches.specification import SPECIFICATION
from tests.leases import Baton, keep

from .process import Process
from .report import Report
from .requests import INJECTED, Requests
from .timers import simulate_all_time
from .trips import Trips

_SETTLE_SECONDS = 120.0
# Long enough for the bot to try again what has failed, after 30 s and two minutes later, and for
# two looks at what it owes.
QUIET_SECONDS = 180.0
# The bot's first look for boards comes ten seconds after its start.
_STARTED_WITHIN = timedelta(seconds=15)
# The interval at which simcord asks whether the database's thread is done.
_IDLE_SECONDS = 0.01
# All loops that run every few seconds run at least once in this time.
_ROUND_SECONDS = 6.0
_SEARCHES = (search_worker.analyse, search_worker.choose, search_worker.puzzle)
# Errors with these words are explained: in a deleted channel nothing can be answered, a dead bot
# answers nothing, and a jump of time cuts off a loop's round that waits for a search.
_EXPLAINED = re.compile(f"{INJECTED}|Unknown Channel|CancelledError|KilledError|TimeoutError")


@dataclass(frozen=True)
class Stage:
    """The surroundings of a run.

    `locales` are members' languages by their ids; all others have English. Changes by `patch` are
    undone at the end of the run. The first bot runs in the `process`, and holds the `baton`.
    """

    env: Env
    database: Database
    patch: pytest.MonkeyPatch
    locales: dict[int, str]
    report: Report
    baton: Baton
    process: Process


class Fuzzer(ABC):
    """A run of a seed; a fuzzer defines what happens in a step and what is checked in a rest."""

    steps_to_rest: ClassVar[int] = 40

    def __init__(self, stage: Stage):
        self.env = stage.env
        self.database = stage.database
        self.report = stage.report
        self.rng = Random(f"fuzz {self.report.seed}")
        self.requests = Requests(self.env, self.rng, self.report.counts, stage.patch)
        self.trips = Trips(self.rng, self.report.counts, stage.patch)
        self._bots, self._baton = 1, stage.baton
        self._process = stage.process
        self._feed_process()
        self._started_at = self.env.now()
        self._older: tuple[Rowbot, Feed, Process] | None = None
        self._cursor = 0

    @abstractmethod
    async def step(self) -> None:
        """Let something happen."""

    @abstractmethod
    async def rest(self) -> None:
        """Let the bot come to rest, and check what must hold then."""

    @abstractmethod
    def started_again(self, died: datetime | None) -> None:
        """Note that another bot starts; `died` is when the one before died, if it was killed."""

    async def run(self, steps: int, minutes: float) -> None:
        """Make steps, with a rest now and then; stop if something is wrong, or time is up."""
        ends = time.perf_counter() + 60 * minutes
        await self._bot.serving.wait()
        await self.live(2)  # until Discord knows the bot's commands
        for number in range(1, steps + 1):
            self.report.counts["steps"] = number
            await self.step()
            late = time.perf_counter() > ends
            resting = number % self.steps_to_rest == 0 or number == steps or late
            if resting:
                self.report.tell("a rest")
                self.calm()
                await self.hand_over()
                await self.rest()
            self.report.find(*(f"refused: {one}" for one in SPECIFICATION.found()))
            if late or (resting and self.report.wrong):
                return

    def fail_database(self) -> None:
        """Let some of the next trips to the database fail, unless the bot has just started.

        It then still looks for boards that a kill has left, and matches may end before it has.
        """
        if self.env.now() - self._started_at < _STARTED_WITHIN:
            return
        times, written = self.rng.choice((1, 1, 1, 2, 3, 5)), self.rng.random() < 0.5
        kind = self.rng.choice(("interaction", "interaction", "loop"))
        self.trips.fail(times, kind, written=written)
        when = "after" if written else "before"
        self.report.tell(f"{times} trips to the database fail {when} they write: {kind}")

    def calm(self) -> None:
        """Let no request and no trip to the database fail from now on."""
        self.requests.calm()
        self.trips.calm()

    async def settle(self) -> None:
        """Wait until the bot has nothing left to do; start it again if it has died."""
        await self.env.settle(idle=_IDLE_SECONDS)
        await self._revive()

    async def live(self, seconds: float) -> None:
        """Let time pass, with all that happens in it."""
        await self.env.advance_time(seconds)
        await self._revive()

    async def jump(self, seconds: float) -> None:
        """Let time pass at once; the loops run only once afterwards."""
        self.env.backend.advance_clock(max(0.0, seconds - _ROUND_SECONDS))
        await self.live(min(seconds, _ROUND_SECONDS))

    async def _revive(self) -> None:
        if not self.requests.dead:
            return
        self.report.tell("the bot has died")
        for child in multiprocessing.active_children():
            child.kill()
        await self.env.settle(idle=_IDLE_SECONDS)  # what still runs dies at its next request
        if self.has_standby:
            await self._take_over(self.requests.deaths[-1])
        else:
            await self._start_another(self.requests.deaths[-1])

    async def start_again(self) -> None:
        """Stop the bot, and start another over the same database."""
        await self.hand_over()
        await self._bot.finish()
        await self._start_another(None)

    async def _start_another(self, died: datetime | None) -> None:
        self.report.tell("another bot starts")
        self.report.counts["restarts"] += 1
        self.requests.attend()
        self._forget_older()
        self._baton = Baton()  # the holder of the former one has ended
        with self._another_process():
            await self.env.restart_bot(self._next_bot(died))
        _let_loops_search(self.env)
        await self._bot.serving.wait()
        await self.live(2)

    def _next_bot(self, died: datetime | None) -> Rowbot:
        self.calm()
        self._bots += 1
        self._started_at = self.env.now()
        self.started_again(died)
        return _make_bot(self.database, self._bots, self._baton)

    # Two bots at once

    @property
    def has_standby(self) -> bool:
        """Whether an older bot still runs beside the newest one."""
        return self._older is not None

    async def stand_by(self) -> None:
        """Start another bot beside the one that runs, as in an update; it stands by."""
        self.report.tell("a newer bot starts beside this one")
        self.report.counts["standbys"] += 1
        surroundings, newer = vars(self.env), self._next_bot(None)
        self._older = self._bot, surroundings["_gateway_feed"], self._process
        with self._another_process():
            surroundings["_gateway_feed"] = await connect(self.env, newer)
        self.env.bot = newer
        await self.live(2)

    async def hand_over(self) -> None:
        """Stop the older one of two bots, which alone may know the tokens of its answers."""
        if self._older is not None:
            self.report.tell("the older bot stops, and hands over")
            with self.env.time_context():  # what it has taken, it forgets after ten seconds
                await self._older[0].close()
            await self._bot.serving.wait()
            self._forget_older()
            self.started_again(None)

    async def _take_over(self, died: datetime) -> None:
        """Let the newer one of two bots serve: the older one was killed, and its lease is free."""
        assert self._older is not None, "there are two"
        self.report.tell("the newer bot takes over")
        self.report.counts["takeovers"] += 1
        self._older[2].alive = False
        self._forget_older()
        self.calm()
        self.requests.attend()
        self._started_at = self.env.now()
        self._baton.pass_on()
        await self._bot.serving.wait()
        self.started_again(died)
        await self.live(2)

    @contextmanager
    def _another_process(self) -> Iterator[None]:
        """Let the bot that starts in this context run in a process of its own."""
        self._process = Process()
        with self._process.runs():
            yield
        self._feed_process()

    def _feed_process(self) -> None:
        """Let the handlers of the newest bot's events belong to its process."""
        surroundings, subscribers = vars(self.env), self.env.backend.subscribers
        feed = surroundings["_gateway_feed"]
        surroundings["_gateway_feed"] = fed = self._process.fed(feed)
        subscribers[subscribers.index(feed)] = fed

    def _forget_older(self) -> None:
        if self._older is not None:
            self.env.backend.subscribers.remove(self._older[1])
            self._older = None

    @property
    def _bot(self) -> Rowbot:
        assert isinstance(self.env.bot, Rowbot)
        return self.env.bot

    def raised(self) -> list[str]:
        """Return the unexplained errors since the last call."""
        errors = self.env.errors_since(self._cursor)
        self._cursor = self.env.error_cursor
        return [f"raised: {one!r}" for one in errors if not _EXPLAINED.search(repr(one))]


class Log(logging.Handler):
    """Keeps the lines of the log; `errors` are the lines of unexplained errors."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        self.lines: list[str] = []
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line, with the traceback of its error."""
        line = self.format(record)
        self.lines.append(line)
        if record.levelno >= logging.ERROR and not _EXPLAINED.search(line):
            self.errors.append(line)


async def fuzz(
    kind: type[Fuzzer], seed: int, steps: int, minutes: float, url: str, *, loud: bool = False
) -> Report:
    """Run a seed over an empty database, and return what happened."""
    began, report, log = time.perf_counter(), Report(seed), Log()
    report.log = log.lines
    if loud:
        report.on_act.append(lambda act: print(act, flush=True))
    logging.getLogger().addHandler(log)
    logging.getLogger().setLevel(logging.INFO)
    try:
        async with open_database(url) as database:
            await _run(kind, database, report, steps, minutes)
    except Exception:  # any exception that ends a run is a finding
        report.find(f"ended: {traceback.format_exc()}")
    finally:
        logging.getLogger().removeHandler(log)
    report.find(*(f"log: {line}" for line in log.errors))
    report.seconds = time.perf_counter() - began
    return report


async def _run(
    kind: type[Fuzzer], database: Database, report: Report, steps: int, minutes: float
) -> None:
    locales: dict[int, str] = {}
    # Places other than servers change what is sent to the bot, so they are set up after the
    # languages.
    with (
        speaking(lambda member: locales.get(member, "en-US")),
        pytest.MonkeyPatch.context() as patch,
    ):
        starting.install(patch)
        simulate_all_time(patch)
        baton, process = Baton(), Process()
        simulation = simcord.run(
            _make_bot(database, 1, baton),
            check_errors=False,
            strict_sync=False,
            settle_timeout=_SETTLE_SECONDS,
        )
        async with AsyncExitStack() as stack:
            with process.runs():
                env = await stack.enter_async_context(simulation)
            _let_loops_search(env)
            nonces.install(patch, lambda: env.now().timestamp())
            stage = Stage(env, database, patch, locales, report, baton, process)
            try:
                await kind(stage).run(steps, minutes)
            finally:
                await env.bot.close()


def _make_bot(database: Database, number: int, baton: Baton) -> Rowbot:
    """Return a bot over the database; its random seed is its number among the bots of a run.

    It serves while it holds the baton.
    """
    settings, rng, lease = (
        Settings.model_construct(shards=Shards.ALL),
        Random(number),
        baton.lease(),
    )
    bot = create_bot(settings, database, engine=HastyEngine, rng=rng, lease=lease)
    keep(bot)
    return bot


def _let_loops_search(env: Env) -> None:
    """Don't wait for the searches of loops, since searches for puzzles take long."""
    loop: Any = asyncio.get_running_loop()
    tracked = loop.run_in_executor

    def run(executor: Executor | None, work: Callable[..., Any], *given: Any) -> Awaitable[Any]:
        if "loop" not in logs.subject() or not any(one in given for one in _SEARCHES):
            result: Awaitable[Any] = tracked(executor, work, *given)
            return result
        search = Context().run(tracked, executor, work, *given)  # simcord tracks by the context
        wait: Awaitable[Any] = env.external_wait(search, reason="a loop is searching")
        return wait

    loop.run_in_executor = run
