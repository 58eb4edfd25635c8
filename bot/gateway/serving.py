"""Whether this process serves its shards, or stands by while another process does.

Two processes with the same shards both get each interaction. The one that holds the lease answers.
The other one keeps what arrives for a moment: if it gets the lease meanwhile, it answers what the
former holder has neither answered nor promised to.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from secrets import token_hex
from typing import TypeAlias

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
_AGAIN_SECONDS = 0.5
_LOOK_EVERY_SECONDS = 1.0

Hook: TypeAlias = Callable[[], Awaitable[None]]


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
                    await self._tried(self._check_last, lease)
            await taking
        finally:
            taking.cancel()
        while not self._ending:
            if await self._tried(self._enter, lease):
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

    async def _enter(self, lease: Lease) -> None:
        """Note that this process is the one that has served last."""
        await self._check_last(lease)
        for name in lease.names:
            await self._facts.put(name, self._me)
        await self._facts.forget(lease.others)

    async def _check_last(self, lease: Lease) -> None:
        """Raise TakenOverError if another process has served since this one."""
        last = [await self._facts.get(name) for name in lease.names]
        if self._begun and last != [self._me] * len(last):
            raise TakenOverError

    async def _begin(self) -> None:
        self._serves.set()
        if not self._begun:
            self._begun = True
            for hook in self.on_begin:
                await hook()

    async def admits(self) -> bool:
        """Return whether this process may answer an interaction that has just arrived.

        A process that doesn't serve keeps the interaction for a moment, in case it gets the lease.
        Then it still has to claim it (`Response.try_to_claim`).
        """
        if self._lease is None:
            return True
        if self._ending and (self.awaited or not self.active):
            return False
        with suppress(TimeoutError):
            async with asyncio.timeout(_KEPT_SECONDS):
                await self._serves.wait()
        return self.active

    async def leave(self) -> None:
        """Begin the end of the bot; if another process waits, leave all that arrives to it."""
        self._ending = True
        if self._lease is not None and self.active and await self._lease.is_awaited():
            self._left_at = time.monotonic()

    async def hand_over(self) -> None:
        """Let another process take the lease."""
        if self._lease is None or not self._serves.is_set():
            return
        self._serves.clear()
        await self._lease.let_go()
        if self._left_at is not None:
            seconds = time.monotonic() - self._left_at
            log.info("this process has handed over to another one, within %.2f s", seconds)
