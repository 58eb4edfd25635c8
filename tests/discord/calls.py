"""The bot's calls to Discord on their way, where tests delay them, act meanwhile, or let them fail.

Discord reads a call, and some time later its reply arrives. In between, as before, anything else
may happen.
"""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from inspect import isawaitable
from typing import Any, TypeAlias

import pytest
from simcord.http.client import FakeHTTPClient, FakeWebhookAdapter

# The method and the path of a kind of calls, as patterns.
Call: TypeAlias = tuple[str, str]
CALLBACK: Call = ("POST", "/interactions/*/*/callback")
FOLLOWUP: Call = ("POST", "/webhooks/*")
IN_CHANNEL: Call = ("POST", "/channels/*/messages")
THREAD: Call = ("POST", "/channels/*/threads")
REMOVAL: Call = ("DELETE", "/channels/*/messages/*")
REMOVAL_BY_TOKEN: Call = ("DELETE", "/webhooks/*/messages/*")
CHANGE: Call = ("PATCH", "/channels/*/messages/*")
CHANGE_BY_TOKEN: Call = ("PATCH", "/webhooks/*/messages/*")
FIRST_RESPONSE: Call = ("GET", "/webhooks/*/messages/@original")
BY_TOKEN: Call = ("*", "/[iw]*")  # of interactions and webhooks
# By a token or in the channel:
ANY_POST: Call = ("POST", "*")
ANY_CHANGE: Call = ("PATCH", "*")
ANY_REMOVAL: Call = ("DELETE", "*")


@dataclass(frozen=True)
class Sent:
    """A call that is on its way, and the `client` that makes it: a bot's, or that of all tokens.

    The `body` is None if files go with it.
    """

    method: str
    path: str
    body: Any
    client: FakeHTTPClient | FakeWebhookAdapter

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def fits(self, call: Call, words: str = "") -> bool:
        """Return whether it is of this kind, and has `words` in its body."""
        kind = fnmatch(self.method, call[0]) and fnmatch(self.path, call[1])
        return kind and words in str(self.body)


Way: TypeAlias = Callable[[Sent, Callable[[], Awaitable[Any]]], Awaitable[Any]]


def intercept(patch: pytest.MonkeyPatch, way: Way) -> None:
    """Let all calls go through `way`.

    It takes the call and a function that lets Discord carry it out, and returns the reply.
    """
    for kind in (FakeHTTPClient, FakeWebhookAdapter):
        patch.setattr(kind, "request", _intercepted(kind.request, way))


def _intercepted(request: Callable[..., Awaitable[Any]], way: Way) -> Callable[..., Awaitable[Any]]:
    async def requested(client: Any, route: Any, *args: Any, **fields: Any) -> Any:
        path = route.url.partition("/api/v10")[2].partition("?")[0]
        body = fields.get("json", fields.get("payload"))
        sent = Sent(route.method, path, body, client)
        return await way(sent, partial(request, client, route, *args, **fields))

    return requested


def on_its_way(
    patch: pytest.MonkeyPatch,
    call: Call,
    words: str = "",
    *,
    before: Callable[[], object] | None = None,
    after: Callable[[], object] | None = None,
    times: float = math.inf,
) -> list[Sent]:
    """Act `before` Discord reads the next calls of a kind, or `after` that, before its reply.

    A call, or its reply, waits until the act is done. All calls have `words` in their bodies.
    Returns a list that is filled with them when they are made.
    """
    made: list[Sent] = []

    async def way(sent: Sent, carry_out: Callable[[], Awaitable[Any]]) -> Any:
        if not sent.fits(call, words) or len(made) >= times:
            return await carry_out()
        made.append(sent)
        await _done(before)
        reply = await carry_out()
        await _done(after)
        return reply

    intercept(patch, way)
    return made


async def _done(act: Callable[[], object] | None) -> None:
    result = act() if act is not None else None
    if isawaitable(result):
        await result
