"""The bot's requests to Discord: they fail, come late, are overtaken, or end with the bot's death.

A seed decides everything, request by request. The text of an injected error, and so the log,
contains `INJECTED`.
"""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatch
from random import Random
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.env import Env

from tests.discord.calls import Sent, intercept
from tests.discord.killing import KilledError

from .process import check_alive

INJECTED = "injected by the fuzzer"
_STATUS = (500, 502, 503, 429)
_CUT = 0
_UNKNOWN_MESSAGE = 10008
# Turns of the event loop before a request is carried out, and before its answer arrives.
_LATE_THERE, _LATE_BACK = (0, 0, 0, 1, 4, 12), (0, 0, 0, 2)
# The message that a request changes, or the interaction that it answers.
_ABOUT = re.compile(
    r"^(?:PATCH|DELETE) .*/messages/([0-9]+)|/interactions/([0-9]+)|_interaction_([0-9]+)"
)


@dataclass(frozen=True)
class Asked:
    """A request that Discord has read; `status` and `code` are those of a refusal, else 0."""

    method: str
    path: str
    status: int = 0
    code: int = 0


class Requests:
    """The bot's requests to Discord.

    `asked` are the requests that Discord has read since `clear`. `hit` are all that failed, were
    refused or came after the bot's death. `deaths` are the moments at which the bot died. `unheard`
    are the ids of messages that Discord has made without the bot's learning of it, and of
    interactions whose first response Discord has taken without the bot's learning of it.
    """

    def __init__(self, env: Env, rng: Random, counts: Counter[str], patch: pytest.MonkeyPatch):
        self.asked: list[Asked] = []
        self.hit: list[str] = []
        self.deaths: list[datetime] = []
        self.unheard: set[int] = set()
        self.dead = False
        # Whether a request may fail after Discord has carried it out.
        self.loses_answers = False
        self._env = env
        self._rng = rng
        self._counts = counts
        self._kind, self._failing = "*", 0.0
        self._overtaken, self._meanwhile = 0, (lambda: None)
        self._fatal: tuple[int, bool] | None = None
        self._failed = 0
        intercept(patch, self._watch)

    # Plans for the next requests

    def fail(self, times: int, kind: str = "*") -> None:
        """Let the next `times` requests of a kind, such as ``PATCH /channels/*``, fail.

        Now and then one in between passes.
        """
        self._kind, self._failing = kind, times

    def go_away(self) -> None:
        """Let all requests fail until `calm`."""
        self._kind, self._failing = "*", math.inf

    def overtake(self, count: int, meanwhile: Callable[[], None]) -> None:
        """Let something happen in the middle of the `count`-th request from now, counted from 1.

        Only one such thing is planned at a time.
        """
        if not self._overtaken:
            self._overtaken, self._meanwhile = count, meanwhile

    def kill_at(self, count: int, *, carried_out: bool) -> None:
        """Let the bot die at the `count`-th request, before it or once it is `carried_out`."""
        self._fatal = (count, carried_out)

    def calm(self) -> None:
        """Let all requests be answered from now on."""
        self._failing = self._overtaken = 0
        self._fatal = None

    def attend(self) -> None:
        """Answer requests again, since another bot runs from now on."""
        self.dead = False

    # Results

    def clear(self) -> None:
        """Forget the requests so far, except those that were `hit`."""
        self.asked.clear()
        self._failed = len(self.hit)

    @property
    def away(self) -> bool:
        """Whether all requests fail."""
        return self._failing == math.inf

    @property
    def failing(self) -> bool:
        """Whether requests fail, or have failed since `clear`."""
        return bool(self._failing) or self._failed < len(self.hit)

    @property
    def lost(self) -> set[int]:
        """The ids of messages that weren't changed, and of interactions that weren't answered."""
        return {
            int(found[found.lastindex or 0]) for path in self.hit if (found := _ABOUT.search(path))
        }

    # Their way

    async def _watch(self, sent: Sent, carry_out: Callable[[], Awaitable[Any]]) -> Any:
        told = str(sent)
        await self._before(told)
        try:
            answer = await carry_out()
        except discord.HTTPException as error:
            self.asked.append(Asked(sent.method, sent.path, error.status, error.code))
            # The message of a press may be removed while the press is on its way.
            gone = error.code == _UNKNOWN_MESSAGE and sent.path.endswith("/callback")
            if gone or isinstance(error, discord.Forbidden):
                self.hit.append(told)
            raise
        self.asked.append(Asked(sent.method, sent.path))
        await self._after(told, answer)
        return answer

    async def _before(self, told: str) -> None:
        check_alive()
        self._check_alive(told)
        await self._be_late(_LATE_THERE)
        if self._overtaken:
            self._overtaken -= 1
            if not self._overtaken:
                self._counts["overtaken"] += 1
                Context().run(self._meanwhile)
                await asyncio.sleep(0)
        self._die(told, carried_out=False)
        if (failure := self._failure(told, "before")) is not None:
            raise failure

    async def _after(self, told: str, answer: Any) -> None:
        self._die(told, carried_out=True)
        if self.loses_answers and (failure := self._failure(told, "after")) is not None:
            if told.startswith("POST") and isinstance(answer, dict) and "id" in answer:
                self.unheard.add(int(answer["id"]))
            elif told.endswith("/callback"):
                self.unheard.add(int(told.split("/")[2]))
            raise failure
        await self._be_late(_LATE_BACK)

    async def _be_late(self, turns: tuple[int, ...]) -> None:
        for _ in range(self._rng.choice(turns)):
            await asyncio.sleep(0)

    def _failure(self, told: str, when: str) -> Exception | None:
        """Return the error with which a request fails, None if it doesn't."""
        if not self._failing or not fnmatch(told, self._kind):
            return None
        if not self.away and self._rng.random() < 0.5:
            return None
        self._failing -= 1
        self.hit.append(told)
        status = self._rng.choice((*_STATUS, _CUT))
        self._counts[f"{status or 'cut'} {when}"] += 1
        if status == _CUT:
            return ConnectionResetError(INJECTED)
        response: Any = SimpleNamespace(status=status, reason=INJECTED, headers={})
        return discord.HTTPException(response, INJECTED)

    def _die(self, told: str, *, carried_out: bool) -> None:
        if self._fatal is not None and self._fatal[1] is carried_out:
            count, _ = self._fatal
            self._fatal = (count - 1, carried_out) if count > 1 else None
            if count == 1:
                self.dead = True
                self.deaths.append(self._env.now())
                self._counts["killed"] += 1
        self._check_alive(told)

    def _check_alive(self, told: str) -> None:
        if self.dead:
            self.hit.append(told)
            raise KilledError
