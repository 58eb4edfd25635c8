"""Whether this process serves its shards, or stands by while another process does.

Two processes with the same shards both get each interaction. The one that holds the lease answers.
The other one keeps what arrives for a moment: if it gets the lease meanwhile, it answers those that
the former holder hasn't taken.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from secrets import token_hex
from typing import TypeAlias

import orjson
from cachetools import TTLCache

from bot.db.errors import is_passing
from bot.db.facts import FactStore
from bot.db.lease import Lease
from bot.host_errors import HostError

log = logging.getLogger(__name__)

# Discord waits for three seconds. An interaction that is kept for as long as this can still be
# answered, or at least be promised an answer.
_KEPT_SECONDS = 2.0
# A process that ends while another one waits hands over by this time, so that the other one can
# still answer what it has kept.
_HAND_OVER_SECONDS = 1.3
# An interaction reaches two processes within this time, so an older one isn't kept any more.
_TAKEN_SECONDS = 10
_MOST_TAKEN = 100_000
_AGAIN_SECONDS = 0.5
_LOOK_EVERY_SECONDS = 1.0

Hook: TypeAlias = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class _Note:
    """A note in the database: which process held a lease last.

    When a process hands the lease over, it adds the interactions that it has `taken`. Each holder
    writes its note before it serves, and erases those of processes with another division of the
    shards. So if the last note tells of a hand-over, nobody has taken anything since.
    """

    by: str
    taken: list[int] | None = None


class TakenOverError(HostError):
    """Another process has served since this one lost its lease: what this one remembers is old."""

    def __init__(self) -> None:
        super().__init__(
            "Another process has served these shards since this one lost its connection to the"
            " database. It has to be started again."
        )


class Serving:
    """Says whether this process serves; `lease` is None if no other process can.

    The hooks of `on_begin` run once, when it begins to serve.
    """

    def __init__(self, lease: Lease | None, facts: FactStore):
        self.on_begin: list[Hook] = []
        self._lease = lease
        self._facts = facts
        self._me = token_hex(8)
        self._set_up = asyncio.Event()
        self._serves = asyncio.Event()
        self._begun = self._ending = False
        # Since when this process leaves all interactions to another one that waits.
        self._left_at: float | None = None
        self._taken: TTLCache[int, None] = TTLCache(_MOST_TAKEN, _TAKEN_SECONDS)
        # The interactions that the former holder took; None if nobody knows.
        self._taken_before: frozenset[int] | None = None

    @property
    def active(self) -> bool:
        """Whether this process serves."""
        return self._lease is None or self._serves.is_set()

    @property
    def lost(self) -> bool:
        """Whether this process has lost its lease: it can't reach the database."""
        return self._begun and not self.active and not self._ending

    @property
    def awaited(self) -> bool:
        """Whether the bot ends while another process waits, so that the end is to be quick."""
        return self._left_at is not None

    def time_for(self, seconds: float) -> float:
        """Return how long a step of the bot's end may hold up the hand-over.

        That is `seconds`, or half of the time that is left if another process waits.
        """
        if self._left_at is None:
            return seconds
        remaining = self._left_at + _HAND_OVER_SECONDS - time.monotonic()
        return min(seconds, max(0.0, remaining / 2))

    async def wait(self) -> None:
        """Wait until this process serves."""
        if self._lease is not None:
            await self._serves.wait()

    async def set_up(self) -> None:
        """Begin to serve if no other process can; otherwise `keep` may begin from now on."""
        if self._lease is None:
            await self._begin()
        self._set_up.set()

    async def keep(self) -> None:
        """Take the lease whenever this process doesn't hold it, until the bot ends.

        Raises TakenOverError if another process has held it since this one lost it.
        """
        await self._set_up.wait()
        if self._lease is None:
            await asyncio.Event().wait()  # until this is cancelled
            return
        try:
            while not self._ending and await self._took(self._lease):
                await self._begin()
                await self._lease.lost()
                self._serves.clear()
        finally:
            await self._lease.let_go()

    async def _took(self, lease: Lease) -> bool:
        """Wait for the lease, and take over; return False if the bot ends meanwhile."""
        taking = asyncio.ensure_future(lease.take())
        try:
            while not taking.done():
                await asyncio.wait({taking}, timeout=_LOOK_EVERY_SECONDS if self._begun else None)
                if self._begun:
                    await self._tried(self._notes, lease)
            free = await taking
        finally:
            taking.cancel()
        while not self._ending:
            if await self._tried(partial(self._enter, free=free), lease):
                return not self._ending
            log.warning("this process can't begin to serve: the database is away")
            await asyncio.sleep(_AGAIN_SECONDS)
        return False

    async def _tried(self, step: Callable[[Lease], Awaitable[object]], lease: Lease) -> bool:
        """Do a step; return False if the database is away."""
        try:
            await step(lease)
        except Exception as error:
            if not is_passing(error):
                raise
            return False
        return True

    async def _notes(self, lease: Lease) -> list[_Note]:
        """Return the notes of the last holders; raise TakenOverError if this one isn't the last."""
        written = [await self._facts.get(name) for name in lease.names]
        notes = [_Note(**orjson.loads(one)) for one in written if one is not None]
        if self._begun and [note.by for note in notes] != [self._me] * len(lease.names):
            raise TakenOverError
        return notes

    async def _enter(self, lease: Lease, *, free: bool) -> None:
        """Note that this process serves, and remember what the former holder took.

        If this process was the last holder or has found the lease free, nobody else has taken
        anything since it began to listen.
        """
        notes = await self._notes(lease)
        known = len(notes) == len(lease.names) and all(note.taken is not None for note in notes)
        self._taken_before = None
        if free or self._begun or known:
            self._taken_before = frozenset(one for note in notes for one in note.taken or ())
        await self._put(lease, _Note(self._me))
        await self._facts.forget(lease.others)

    async def _put(self, lease: Lease, note: _Note) -> None:
        for name in lease.names:
            await self._facts.put(name, orjson.dumps(note).decode())

    async def _begin(self) -> None:
        self._serves.set()
        if not self._begun:
            self._begun = True
            for hook in self.on_begin:
                await hook()

    async def admits(self, interaction_id: int) -> bool:
        """Return whether this process is to answer an interaction.

        A process that doesn't serve keeps the interaction for a moment, in case it gets the lease.
        """
        if self._lease is None:
            return True
        if self._ending and (self.awaited or not self.active):
            return False
        if not self.active and not await self._comes_to_serve(interaction_id):
            return False
        self._taken[interaction_id] = None
        return True

    async def _comes_to_serve(self, interaction_id: int) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(_KEPT_SECONDS):
                await self._serves.wait()
        taken = self._taken_before
        return self.active and taken is not None and interaction_id not in taken

    async def leave(self) -> None:
        """Begin the end of the bot; if another process waits, leave all that arrives to it."""
        self._ending = True
        if self._lease is not None and self.active and await self._lease.is_awaited():
            self._left_at = time.monotonic()

    async def hand_over(self) -> None:
        """Note what this process has taken, and let another one take the lease."""
        if self._lease is None or not self._serves.is_set():
            return
        self._serves.clear()
        try:
            await self._put(self._lease, _Note(self._me, list(self._taken)))
        finally:
            await self._lease.let_go()
        if self._left_at is not None:
            seconds = time.monotonic() - self._left_at
            log.info("this process has handed over to another one, within %.2f s", seconds)
