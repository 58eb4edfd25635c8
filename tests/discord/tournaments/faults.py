"""Requests to Discord that fail, come late, are overtaken, or are the last before a kill.

Everything is decided by `rng`, request by request. What is done to a request says so in words that
an error in the log then has, too: `INJECTED`.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.env import Env
from simcord.http import client

INJECTED = "injected by the fuzzer"
_STATUS = (500, 503, 429)
# The message that a request changes, or the interaction that it answers.
_ABOUT = re.compile(
    r"^(?:PATCH|DELETE) .*/messages/([0-9]+)|/interactions/([0-9]+)|_interaction_([0-9]+)"
)


class KilledError(asyncio.CancelledError):
    """The bot is dead: no task of it goes on."""


@dataclass
class Requests:
    """The bot's requests to Discord.

    Of the next `failing` ones, each fails by chance. Before `overtaken` requests more, `meanwhile`
    happens; after `last` of them, the bot is `dead`. `hit` are the paths of those that have failed,
    were refused or came after its death.
    """

    env: Env
    rng: Random
    failing: int = 0
    overtaken: int = 0
    meanwhile: Callable[[], object] | None = None
    last: int = 0
    dead: bool = False
    hit: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    _nonces: dict[str, Any] = field(default_factory=dict)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Let the bot's requests pass through here."""
        for kind in (client.FakeHTTPClient, client.FakeWebhookAdapter):
            patch.setattr(kind, "request", self._watched(kind.request))

    def calm(self) -> None:
        """Let all requests be answered from now on."""
        self.failing = self.overtaken = self.last = 0
        self.meanwhile = None

    @property
    def lost(self) -> set[int]:
        """The ids of messages that weren't changed, and of interactions that weren't answered."""
        return {
            int(found[found.lastindex or 0]) for path in self.hit if (found := _ABOUT.search(path))
        }

    def attend(self) -> None:
        """Let the bot live that runs now."""
        self.dead = False

    def _watched(self, request: Callable[..., Any]) -> Callable[..., Any]:
        async def watched(one: Any, route: Any, *args: Any, **kwargs: Any) -> Any:
            path = f"{route.method} {route.url.partition('/api/v10')[2]}"
            await self._before(path)
            sent = kwargs.get("json")
            nonce = sent.get("nonce") if isinstance(sent, dict) else None
            if nonce in self._nonces:
                return self._nonces[nonce]
            try:
                answer = await request(one, route, *args, **kwargs)
            except discord.Forbidden:
                self.hit.append(path)
                raise
            if nonce:
                self._nonces[nonce] = answer
            await self._after(path)
            return answer

        return watched

    async def _before(self, path: str) -> None:
        self._check_alive(path)
        for _ in range(self.rng.choice((0, 0, 0, 1, 4, 12))):
            await asyncio.sleep(0)
        if self.meanwhile is not None:
            self.overtaken -= 1
            if self.overtaken <= 0:
                act, self.meanwhile = self.meanwhile, None
                self.counts["overtaken"] += 1
                Context().run(act)
                await asyncio.sleep(0)
        self._check_alive(path)
        self._fail(path, "before")

    async def _after(self, path: str) -> None:
        if self.last:
            self.last -= 1
            if not self.last:
                self.dead = True
                self.counts["killed"] += 1
        self._check_alive(path)
        self._fail(path, "after")
        for _ in range(self.rng.choice((0, 0, 0, 2))):
            await asyncio.sleep(0)

    def _fail(self, path: str, when: str) -> None:
        if not self.failing or self.rng.random() < 0.5:
            return
        self.failing -= 1
        self.hit.append(path)
        status = self.rng.choice((*_STATUS, 0))
        self.counts[f"{status or 'cut'} {when}"] += 1
        if not status:
            raise ConnectionResetError(INJECTED)
        response = SimpleNamespace(status=status, reason=INJECTED, headers={})
        raise discord.HTTPException(response, INJECTED)

    def _check_alive(self, path: str) -> None:
        if self.dead:
            self.hit.append(path)
            raise KilledError
