"""One run of a seed: members act, things happen around the bot, and the oracle looks at it all."""

import asyncio
import logging
import math
import multiprocessing
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from contextvars import Context
from pathlib import Path
from random import Random
from typing import Any

import pytest
import simcord
from simcord.actors import MemberActor
from simcord.env import Env
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import logs
from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import open_database
from bot.preview import speaking
from bot.settings import Settings
from bot.shards import Shards
from tests.bot.engines import HastyEngine
from tests.discord import starting

from .members import Members
from .oracle import Oracle
from .rooms import NEWCOMERS, PEOPLE, Room, rooms
from .wire import Wire

_PATIENCE_SECONDS = 60.0
_ROUND_SECONDS = 6.0
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
# Seconds that pass between acts, and how often.
_PAUSES = {1: 60, 20: 20, 200: 6, 901: 6, 2 * _HOUR: 3, 2 * _DAY: 1}
# By then everything that was put off after a failure has been tried again.
_CALM_SECONDS = (35, 125, 605)
_STEPS_TO_REST = 40
_JOURNAL = 40


class Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record with the error that it tells of."""
        raised = record.exc_info[1] if record.exc_info else None
        self.lines.append(f"{record.name}: {record.getMessage()}: {raised!r}")


class Run:
    """A run of a seed; `violations` are what the oracle found, with the acts before each."""

    def __init__(
        self,
        env: Env,
        database: AsyncEngine,
        patch: pytest.MonkeyPatch,
        locales: dict[int, str],
        seed: int,
    ):
        self._rng = Random(f"fuzz {seed}")
        self._env = env
        self._database = database
        self._seed = seed
        users = [env.create_user(name) for name in PEOPLE]
        self._locales = locales
        self._locales |= zip((user.id for user in users), PEOPLE.values(), strict=True)
        self.rooms = rooms(env, database, patch, users, self._rng)
        self.oracle = Oracle(env, self._locales)
        self.members = Members(self.rooms, self._rng, self.tell)
        self.members.on_erased.append(self._erased)
        self._newcomers = iter(NEWCOMERS)
        self.wire = Wire(env, patch)
        self.journal: list[str] = []
        self.on_act: list[Callable[[str], None]] = []
        self.violations: list[tuple[str, list[str]]] = []
        self.counts: Counter[str] = Counter()
        self._errors = Errors()
        logging.getLogger().addHandler(self._errors)
        self._new: dict[int, int] = {}  # messages that have come or changed, with their channels
        env.backend.subscribers.append(self._note)
        # Whether something failed since the last rest; and what was there at the last look.
        self._dirty = False
        self._seen = self._cursor = self._restarts = 0

    def tell(self, what: str) -> None:
        """Note in the journal what happens."""
        act = f"{self.counts['steps']}: {what}"
        self.journal.append(act)
        for call in self.on_act:
            call(act)

    def _erased(self, gone: MemberActor) -> None:
        """Let a newcomer, if one is left, come in the place of a member whose data is erased."""
        name = next(self._newcomers, None)
        if self.wire.dead or name is None:
            return
        self.tell(f"{gone.name} is erased, and {name} comes")
        self.oracle.erased.add(gone.name)
        user = self._env.create_user(name)
        self._locales[user.id] = self._locales[gone.id]
        for room in self.rooms:
            room.replace(gone, user)

    def _note(self, event: str, sent: Mapping[str, Any]) -> None:
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            self._new[int(sent["id"])] = int(sent["channel_id"])

    def _wrong(self, *lines: str) -> None:
        known = {line for line, _ in self.violations}
        for line in lines:
            if line not in known:
                self.tell(f"VIOLATION {line}")
                self.violations.append((line, self.journal[-_JOURNAL:]))

    async def go(self, steps: int, seconds: float = math.inf) -> None:
        """Make a number of steps, with a rest now and then and at the end; stop after some time."""
        ends = time.perf_counter() + seconds
        await self._pass_time(2)
        for number in range(1, steps + 1):
            self.counts["steps"] = number
            await self._step()
            late = time.perf_counter() > ends
            if number % _STEPS_TO_REST == 0 or number == steps or late:
                await self.rest()
            if late:
                return

    async def _step(self) -> None:
        """Let something befall the bot, members act, and time pass; then look at the rooms."""
        dying = self._befall()
        try:
            await self.members.act()
            if dying and self.wire.dead:
                await self._start_again()
            self.wire.attend()
            seconds = self._rng.choices(list(_PAUSES), list(_PAUSES.values()))[0]
            if seconds > 1:
                self.tell(f"{seconds} seconds pass")
                await self._pass_time(seconds)
        except TimeoutError as error:
            self._wrong(f"stuck: {error}")
        await self._look()

    def _befall(self) -> bool:
        """Let something happen around the bot; return whether it may die of the next act."""
        lot, guest = self._rng.random(), next(one for one in self.rooms if one.name == "guest")
        assert guest.elsewhere is not None
        if lot < 0.05:
            self._dirty = True
            self.tell(f"Discord fails: {self.wire.fail(self._rng)}")
        elif lot < 0.10:
            self.wire.heal()
        elif lot < 0.14:
            self._dirty = True
            count, late = self._rng.randrange(5), self._rng.random() < 0.5
            self.tell(f"the bot dies {'after' if late else 'before'} request {count}")
            self.wire.kill_at(count, carried_out=late)
            return True
        elif lot < 0.15:
            self.tell("the server removes the bot" if guest.posts else "the server adds the bot")
            change = guest.elsewhere.remove if guest.posts else guest.elsewhere.install
            change()
        elif lot < 0.17:
            hidden = (
                guest.elsewhere.hidden if self._rng.random() < 0.5 else guest.elsewhere.secretly
            )
            hidden ^= {self._rng.choice(guest.members).id}
            self.tell(
                f"hidden in the guest room: {guest.elsewhere.hidden}, {guest.elsewhere.secretly}"
            )
        return False

    async def _pass_time(self, seconds: float) -> None:
        """Let time pass, and the loops run once after it."""
        self._env.backend.advance_clock(max(0.0, seconds - _ROUND_SECONDS))
        await self._env.advance_time(min(seconds, _ROUND_SECONDS))

    async def _start_again(self) -> None:
        """Start another bot over the same database, after the one before has died."""
        for child in multiprocessing.active_children():
            child.kill()
        self.oracle.killed.append(self._env.now())
        self.tell("another bot starts")
        self.counts["restarts"] += 1
        self.wire.attend()
        await self._env.restart_bot(make_bot(self._database, self._seed))
        let_loops_search(self._env)
        self.oracle.born = max(self._env.backend.interactions, default=0)

    async def _look(self) -> None:
        """Look at what the last step brought."""
        backend, asked = self._env.backend, list(self.wire.asked)
        rooms_by_id = {room.channel.id: room for room in self.rooms}
        excused = self.wire.failing or any(one.status >= 500 for one in asked) or self._restarted()
        given = [one for number, one in backend.interactions.items() if number > self._seen]
        self.counts["interactions"] += len(given)
        for one in given:
            found = self.oracle.answers(rooms_by_id[one.channel_id], one, asked)
            self._wrong(*(line for line in found if not (excused and _passing(line))))
        self._wrong(*self.oracle.requests(self.rooms, asked))
        for message_id, channel_id in self._new.items():
            message = backend.messages.get(channel_id, {}).get(message_id)
            room = rooms_by_id.get(channel_id)
            if message is not None and room is not None:
                told = f"{room.name}: message {message_id}"
                body = {"content": message.content, "components": message.components}
                self._wrong(*self.oracle.message_wrong(told, body))
                self._wrong(*await self.oracle.mentions(room, message))
        if not excused:
            # A jump of time cuts off a round of a loop that waits for a search.
            lines = (line for line in self._errors.lines if not line.endswith("TimeoutError()"))
            self._wrong(*(f"log: {line}" for line in lines))
            self._wrong(*(f"error: {e!r}" for e in self._env.errors_since(self._cursor)))
        self._forget()

    def _restarted(self) -> bool:
        before, self._restarts = self._restarts, self.counts["restarts"]
        return before != self._restarts

    def _forget(self) -> None:
        self._seen = max(self._env.backend.interactions, default=0)
        self._cursor = self._env.error_cursor
        self._errors.lines.clear()
        self._new.clear()
        self.wire.clear()
        self._env.backend.http_requests.clear()
        self._env.backend.transcript.clear()

    async def rest(self) -> None:
        """Let the bot come to rest; look at all rooms, and whether they can be played in."""
        self.tell("a rest")
        self.wire.heal()
        for room in self.rooms:
            if room.elsewhere is not None:
                room.elsewhere.hidden.clear()
                room.elsewhere.secretly.clear()
        await self._pass_time(_ROUND_SECONDS)
        for seconds in _CALM_SECONDS if self._dirty else ():
            await self._pass_time(seconds)
        self._dirty = False
        await self._look()
        for room in self.rooms:
            self._wrong(*await self.oracle.room(room))
        for room in self.rooms:
            await self._probe(room)
        await self._look()

    async def _probe(self, room: Room) -> None:
        """Go on with the match of a room, or begin one."""
        stored = await room.live()
        if stored is None:
            await self.members.begin(room)
            if await room.live() is None:
                self._wrong(f"stuck: {room.name}: no match can begin")
            return
        if not await self.members.ask_for_board(room, stored):
            return  # nobody of the room sits there any more
        shown = await room.live()
        if shown is not None and await self.members.go_on(room):
            after = await room.match(shown.id)
            if after is None or after.match == shown.match:
                self._wrong(f"stuck: {room.name}: match {shown.id} takes no move")
        self._wrong(*await self.oracle.room(room))


def _passing(line: str) -> bool:
    """Return whether a failure of Discord's, or the bot's death, explains what is wrong."""
    return line.startswith(("silent", "failed"))


def make_bot(database: AsyncEngine, seed: int) -> Rowbot:
    """Return a bot over the database, with the chance of a seed."""
    settings = Settings.model_construct(shards=Shards.ALL)
    return create_bot(settings, database, engine=HastyEngine, rng=Random(seed))


def let_loops_search(env: Env) -> None:
    """Let the searches of loops run beside all else: those for puzzles would keep all waiting."""
    loop: Any = asyncio.get_running_loop()
    tracked = loop.run_in_executor

    def run(executor: Executor | None, work: Callable[..., Any], *given: Any) -> Awaitable[Any]:
        if executor is None or "loop" not in logs.subject():
            result: Awaitable[Any] = tracked(executor, work, *given)
            return result
        search = Context().run(tracked, executor, work, *given)  # simcord tracks by the context
        wait: Awaitable[Any] = env.external_wait(search, reason="a loop is searching")
        return wait

    loop.run_in_executor = run


@asynccontextmanager
async def running(seed: int, folder: Path) -> AsyncIterator[Run]:
    """Yield a run whose bot is there, over a new database in `folder`."""
    locales: dict[int, str] = {}
    url = f"sqlite:///{folder / 'fuzz.db'}"
    # Other places than servers change what is sent to the bot, so they come after the languages.
    with speaking(locales.__getitem__), pytest.MonkeyPatch.context() as patch:
        starting.install(patch)
        # What draws names takes seconds to import, and time that passes ends the drawing process.
        multiprocessing.set_forkserver_preload([*starting.PRELOADED, "bot.pictures.chart"])
        async with open_database(url) as database:
            bot = make_bot(database, seed)
            async with simcord.run(
                bot, check_errors=False, strict_sync=False, settle_timeout=_PATIENCE_SECONDS
            ) as env:
                let_loops_search(env)
                yield Run(env, database, patch, locales, seed)
                await env.bot.close()
