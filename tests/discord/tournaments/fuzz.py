"""Tournaments played by a crowd that does anything at any moment, and an oracle that looks on.

    python -m tests.discord.tournaments.fuzz --seed 1 --seeds 20

The bot runs on the simulated Discord, with a clock that passes at once. By a seed, members join,
play, leave and erase their data, moderators cancel, correct, delete and take permissions away, two
things happen at once or one in the middle of another, requests fail, and the bot is killed. At
quiet moments, and at the end, the oracle tells what is wrong. The exit status is 1 if anything is.

A seed brings the same crowd, which does the same as long as it sees the same. How the database's
thread and the event loop take turns is up to the machine.
"""

import argparse
import asyncio
import logging
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from types import CoroutineType
from typing import Any

import pytest
import simcord
from discord.utils import snowflake_time
from simcord import env as simulation
from simcord.backend.errors import BackendError
from simcord.env import Env
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import create_engine, open_database
from bot.identity import ChannelId
from bot.refusals import Refusal
from bot.settings import Settings
from bot.shards import Shards
from core.players import Member
from tests.conftest import MEMORY, Calendar
from tests.discord import copying, settling, starting, translating
from tests.discord.tournaments import oracle
from tests.discord.tournaments.crowd import LANGUAGES, Crowd, Live
from tests.discord.tournaments.faults import INJECTED, Requests
from tests.discord.world import World

_SETTLE_SECONDS = 120.0
_STEPS = 400
_QUIET_EVERY = 25
# Failed steps of tournaments are tried again after half a minute, other calls after 30 s to 10 min.
_QUIET_SECONDS = 160.0
_MOST_ROUNDS = 400
_NOTED_WITHIN = timedelta(seconds=8)
# A message is tried again as it was made, in the language before.
_RETRIED_WITHIN = timedelta(minutes=10)


# Nothing can be answered in a channel that was deleted, or by a bot that is dead.
_EXPLAINED = re.compile(f"{INJECTED}|Unknown Channel|CancelledError|KilledError")


class Log(logging.Handler):
    """Keeps the lines of the log, and those of errors that nothing injected explains."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        self.lines: list[str] = []
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        self.lines.append(line)
        if record.levelno >= logging.ERROR and not _EXPLAINED.search(line):
            self.errors.append(line)


@dataclass
class Report:
    """What happened with a seed, and what is wrong."""

    seed: int
    seconds: float = 0.0
    did: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the report for a person to read."""
        yield f"seed {self.seed}: {len(self.did)} acts, {self.seconds:.0f} s, {dict(self.counts)}"
        yield from (f"  {line}" for line in self.wrong)


class Fuzz:
    """One run of a seed over a migrated database."""

    def __init__(self, seed: int, steps: int, database: AsyncEngine):
        self._rng = Random(seed)
        self._steps = steps
        self._database = database
        self._calendar = Calendar()
        self._settings = Settings.model_construct(shards=Shards.ALL)
        self._posted: list[oracle.Posted] = []
        self._excused: set[int] = set()
        self._language = "en"
        self._changed_at: datetime | None = None
        self._unknown: set[int] = set()
        self._erased: set[int] = set()
        self._bots = 0
        self.report = Report(seed)

    async def run(self) -> Report:
        """Play, and return what happened."""
        began, log = time.perf_counter(), Log()
        logging.getLogger().addHandler(log)
        logging.getLogger().setLevel(logging.INFO)
        try:
            with pytest.MonkeyPatch.context() as patch:
                starting.install(patch)
                _simulate_all_time(patch)
                await self._play(patch)
        except Exception:  # whatever ends a run is a finding
            self.report.wrong.append(f"ended: {traceback.format_exc()}")
        finally:
            logging.getLogger().removeHandler(log)
        self.report.wrong += [f"log: {line}" for line in log.errors]
        self.report.log = log.lines
        self.report.seconds = time.perf_counter() - began
        return self.report

    def _new_bot(self) -> Rowbot:
        self._bots += 1
        rng = Random(self._bots)
        self._bot = create_bot(self._settings, self._database, rng=rng, clock=self._calendar)
        return self._bot

    async def _play(self, patch: pytest.MonkeyPatch) -> None:
        options = {"strict_sync": False, "check_errors": False, "settle_timeout": _SETTLE_SECONDS}
        async with simcord.run(self._new_bot(), **options) as env:
            world = World(env, self._database, self._calendar)
            self._requests = Requests(env, self._rng)
            self._requests.install(patch)
            self._crowd = Crowd(world, self._rng, did=self.report.did)
            env.backend.subscribers.append(self._note)
            self._env = env
            try:
                await world.tell_commands()
                await self._steps_of(env)
                await self._to_the_end(env)
            finally:
                self.report.counts.update(self._requests.counts)
                await self._bot.finish()

    async def _steps_of(self, env: Env) -> None:
        for step in range(1, self._steps + 1):
            self.report.did.append(f"-- step {step}")
            await self._step(env)
            if step % _QUIET_EVERY == 0:
                await self._look_on(env)
                if self.report.wrong:
                    return

    async def _step(self, env: Env) -> None:
        rng, crowd = self._rng, self._crowd
        await self._look(env)
        self._trouble()
        posted, begun, before = len(self._posted), len(crowd.begun), self._language
        for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
            crowd.act()
        await self._settled(env)
        crowd.note_erased(begun)
        self._erased = {*crowd.erased}
        self._language = await self._language_now()
        if self._language != before:
            self._changed_at = env.now()
            unsure = [replace(one, language=None) for one in self._posted[posted:]]
            self._posted[posted:] = unsure
        if crowd.seconds:
            self._calendar.ahead += crowd.seconds
            crowd.seconds = 0
            await self._advance(env, 6)
        else:
            await self._advance(env, rng.choice((0, 0, 0.5, 2, 2, 6, 6, 35)))
        if crowd.restart:
            crowd.restart = False
            await self._start_again(env)

    def _trouble(self) -> None:
        """Plan what happens to the next requests."""
        rng, requests = self._rng, self._requests
        if rng.random() < 0.05:
            requests.failing = rng.choice((1, 2, 4))
        elif rng.random() < 0.3:
            requests.failing = 0
        if requests.meanwhile is None and rng.random() < 0.25:
            requests.overtaken = rng.randint(1, 4)
            requests.meanwhile = self._meanwhile
        if rng.random() < 0.02:
            requests.last = rng.randint(1, 8)

    def _meanwhile(self) -> None:
        self.report.did.append("meanwhile")
        self._crowd.act()

    async def _settled(self, env: Env) -> None:
        await env.settle(idle=0.01)
        await self._revive(env)

    async def _advance(self, env: Env, seconds: float) -> None:
        await env.advance_time(seconds)
        await self._revive(env)

    async def _revive(self, env: Env) -> None:
        """Start the bot again if it was killed."""
        if self._requests.dead:
            self.report.did.append("killed")
            self._note_unknown(env)
            await self._start_again(env)

    def _note_unknown(self, env: Env) -> None:
        """Note the boards that the bot, killed just now, can't know of.

        It notes its boards every few seconds, and a start looks for others where it may read.
        """
        since = env.now() - _NOTED_WITHIN
        for channel in list(env.backend.channels.values()):
            if channel.permission_channel_id() in self._crowd.denied:
                here = env.backend.messages.get(channel.id, {})
                self._unknown |= {one for one in here if snowflake_time(one) >= since}

    async def _start_again(self, env: Env) -> None:
        before = self._bot
        for record in self._env.backend.interactions.values():
            if not record.responded or record.loading:
                self._excused.add(record.id)
        self._requests.calm()
        self._requests.attend()
        await env.restart_bot(self._new_bot())
        await before.finish()
        await env.settle(idle=0.01)

    # --- what the crowd and the oracle see

    async def _language_now(self) -> str:
        async with self._database.connect() as connection:
            found = await connection.execute(text("SELECT language FROM guild_settings"))
            return found.scalar() or "en"

    def _note(self, event: str, payload: Mapping[str, Any]) -> None:
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            return
        channel_id, message_id = int(payload["channel_id"]), int(payload["id"])
        try:
            message = self._env.backend.get_message(channel_id, message_id)
        except BackendError:
            return
        if message.author_id != self._env.backend.bot_user.id or message.is_ephemeral:
            return
        shown = oracle.told(message)
        if not shown or not message.components:
            return
        changed_at = self._changed_at
        retried = changed_at is not None and self._env.now() - changed_at < _RETRIED_WITHIN
        self._posted.append(
            oracle.Posted(
                message_id,
                channel_id,
                shown,
                tuple(message.ping_user_ids),
                None if retried else self._language,
                # Who does something is somebody again.
                frozenset(self._erased & self._crowd.erased),
            )
        )

    async def _look(self, env: Env) -> None:
        """Let the crowd see what there is."""
        crowd, matches = self._crowd, self._crowd.world.services.matches
        async with self._database.connect() as connection:
            live = await connection.execute(
                text(
                    "SELECT id, channel_id, tournament_id FROM matches"
                    " WHERE ended_at IS NULL AND put_away_at IS NULL ORDER BY id"
                )
            )
            rows = live.all()
            stages = await connection.execute(text("SELECT id, stage FROM tournaments"))
            crowd.going_on = {r.id: r.stage for r in stages if r.stage in ("open", "running")}
            keys = await connection.execute(
                text('SELECT tournament_id, "round", "table", game FROM tournament_games')
            )
            crowd.keys = [(r[0], ".".join(map(str, r[1:]))) for r in keys]
        crowd.live = []
        for row in rows:
            if row.channel_id not in env.backend.channels:
                continue
            try:
                stored = await matches.live(ChannelId(row.channel_id))
            except Refusal:
                continue  # it has ended meanwhile
            people = [p.id for p in stored.match.players if isinstance(p, Member)]
            mover = stored.match.next_player
            crowd.live.append(
                Live(
                    row.id,
                    row.channel_id,
                    row.tournament_id,
                    mover.id if isinstance(mover, Member) else None,
                    tuple(map(str, stored.match.position.legal_moves())),
                    tuple(people),
                )
            )

    async def _look_on(self, env: Env) -> None:
        """Let the bot come to rest, and the oracle look."""
        crowd, requests = self._crowd, self._requests
        requests.calm()
        while crowd.denied:
            crowd.allow()
        self.report.did.append("-- quiet")
        await self._advance(env, _QUIET_SECONDS)
        seen = oracle.Seen(
            env.backend,
            self._database,
            {who.id: who.name for who in (*crowd.organisers, *crowd.moderators, *crowd.players)},
            erased=crowd.erased,
            lost={*crowd.deleted, *requests.lost, *self._unknown},
            excused={*self._excused, *requests.lost},
            posted=self._posted,
            languages=tuple(dict.fromkeys(LANGUAGES)),
        )
        await seen.look()
        self.report.wrong += list(oracle.wrong(seen))
        self.report.wrong += [f"raised: {error!r}" for error in self._unexplained(env)]
        self._posted.clear()
        for record in list(env.backend.interactions.values()):
            self._excused.add(record.id)

    def _unexplained(self, env: Env) -> list[BaseException]:
        errors = [e for e in env.errors if INJECTED not in str(e)]
        return [e for e in errors if not isinstance(e, asyncio.CancelledError)]

    # --- the end

    async def _to_the_end(self, env: Env) -> None:
        """Let everybody play on, and see that all tournaments come to their end."""
        crowd = self._crowd
        if self.report.wrong:
            return
        self.report.did.append("-- to the end")
        for number in range(_MOST_ROUNDS):
            await self._look(env)
            if not crowd.going_on:
                break
            for one in [one for one, stage in crowd.going_on.items() if stage == "open"]:
                crowd.call_off(one)
                await self._advance(env, 1)
                crowd.confirm(one)
                await self._advance(env, 1)
            for live in crowd.live:
                crowd.live, kept = [live], crowd.live
                try:
                    crowd.act_on_board()
                finally:
                    crowd.live = kept
                await self._settled(env)
            await self._advance(env, 6)
            if number % 20 == 19:
                self._calendar.ahead += 14_400
                await self._advance(env, 40)
        await self._look_on(env)
        if crowd.going_on:
            self.report.wrong.append(f"stuck: {crowd.going_on} don't end")


def _simulate_all_time(patch: pytest.MonkeyPatch) -> None:
    """Let timers go off when the simulated time comes, never by the machine's clock.

    So a task may wait for a lock whose holder waits for such a timer: simcord leaves both alone.
    """
    is_parked = vars(simulation)["_is_parked"]

    def parked(state: Any, task: asyncio.Task[Any], deadline: float) -> bool:
        return bool(is_parked(state, task, deadline)) or _waits_for_another(task)

    patch.setattr(Env, "_schedule_timer", lambda *_: None)
    patch.setitem(vars(simulation), "_is_parked", parked)


def _waits_for_another(task: asyncio.Task[Any]) -> bool:
    """Return whether a task waits for a lock, an event, or tasks of its own."""
    future = getattr(task, "_fut_waiter", None)
    if future is None or future.done():
        return False
    if isinstance(future, asyncio.tasks._GatheringFuture):  # type: ignore[attr-defined] # noqa: SLF001
        return True
    coroutine: Any = task.get_coro()
    while isinstance(inner := getattr(coroutine, "cr_await", None), CoroutineType):
        coroutine = inner
    frame = getattr(coroutine, "cr_frame", None)
    return frame is not None and frame.f_code.co_filename == asyncio.locks.__file__


async def fuzz(seed: int, steps: int, folder: Path) -> Report:
    """Run a seed over a copy of the migrated database in `folder`, and return what happened."""
    file = folder / f"{seed}.db"
    shutil.copy(folder / "migrated.db", file)
    engine = create_engine(f"sqlite:///{file}")
    try:
        return await Fuzz(seed, steps, engine).run()
    finally:
        await engine.dispose()
        file.unlink()


async def _migrate(folder: Path) -> None:
    async with open_database(f"sqlite:///{folder / 'migrated.db'}"):
        pass


def main() -> None:
    """Run the seeds of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.discord.tournaments.fuzz")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many")
    parser.add_argument("--steps", type=int, default=_STEPS)
    parser.add_argument("--folder", type=Path, help="keeps what happened with seeds that fail")
    args = parser.parse_args()
    settling.install()
    copying.install()
    translating.install()
    failed, memory = 0, MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="rowbot-fuzz-", dir=memory) as folder:
        asyncio.run(_migrate(Path(folder)))
        for seed in range(args.seed, args.seed + args.seeds):
            report = asyncio.run(fuzz(seed, args.steps, Path(folder)))
            failed += bool(report.wrong)
            print(*report.lines(), sep="\n", flush=True)
            if args.folder and report.wrong:
                args.folder.mkdir(parents=True, exist_ok=True)
                kept = [*report.lines(), *report.did, "", *report.log]
                (args.folder / f"{seed}.txt").write_text("\n".join(kept))
    print(f"{failed} of {args.seeds} seeds failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
