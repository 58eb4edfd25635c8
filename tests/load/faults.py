"""Faults of the loopback Discord's REST API, drawn from a seed.

A fault belongs to a call by the call's kind, its channel, and its number among the calls of that
kind there. So a channel with the same calls in the same order meets the same faults, whatever
happens in the others.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from aiohttp import web

from .calls import Call, Kind, call_of
from .limits import Handler
from .responses import error, fields_of, too_many


class Fault(StrEnum):
    """A fault that a call can meet."""

    SERVER_ERROR = "5xx once"
    OUTAGE = "5xx for 25 s"  # all five tries of discord.py
    TAKEN = "5xx after handling"
    TOO_MANY = "429"
    FORBIDDEN = "403"
    NOT_FOUND = "404"
    CUT = "cut before handling"
    LOST = "answer lost after handling"
    SLOW = "answer long after handling"
    LATE = "handling long after the call"


_ANY = (
    Fault.SERVER_ERROR,
    Fault.OUTAGE,
    Fault.TAKEN,
    Fault.CUT,
    Fault.LOST,
    Fault.SLOW,
    Fault.LATE,
    Fault.TOO_MANY,
)
# The faults that a kind of call can meet, each as likely as the others.
_FAULTS: dict[Kind, tuple[Fault, ...]] = {
    Kind.CALLBACK: (*_ANY, Fault.NOT_FOUND),
    Kind.FOLLOWUP: (*_ANY, Fault.NOT_FOUND),
    Kind.TOKEN_EDIT: (*_ANY, Fault.NOT_FOUND),
    Kind.TOKEN_DELETE: (*_ANY, Fault.NOT_FOUND),
    Kind.TOKEN_GET: _ANY,
    Kind.CREATE: (*_ANY, Fault.FORBIDDEN),
    Kind.EDIT: (*_ANY, Fault.FORBIDDEN, Fault.NOT_FOUND),
    Kind.DELETE: (*_ANY, Fault.FORBIDDEN, Fault.NOT_FOUND),
    Kind.GET: _ANY,
    Kind.OTHER: (Fault.SERVER_ERROR,),
}
_TRIES = 5
_STATUSES = (500, 502, 503, 504)
_NOT_FOUND = {
    Kind.CALLBACK: (10062, "Unknown interaction"),
    Kind.FOLLOWUP: (10015, "Unknown Webhook"),
    Kind.TOKEN_EDIT: (10015, "Unknown Webhook"),
    Kind.TOKEN_DELETE: (10015, "Unknown Webhook"),
}
_FORBIDDEN = {
    Kind.CREATE: (50013, "Missing Permissions"),
    Kind.EDIT: (50001, "Missing Access"),
    Kind.DELETE: (50001, "Missing Access"),
}


@dataclass
class Faults:
    """Hits the share `rate` of all calls while it is `on`.

    `place` names the channel of a call, and `remove` takes away a message. A slow answer
    or a late handling takes `delay` seconds. `counts` counts the faults by kind of call, and `hit`
    has the tokens of the interactions that were hit.
    """

    seed: str
    rate: float
    place: Callable[[Call], str] = field(default=lambda call: call.about)
    remove: Callable[[int], None] = field(default=lambda message: None)
    delay: float = 20.0
    on: bool = True
    counts: Counter[tuple[Kind, Fault]] = field(default_factory=Counter)
    hit: set[str] = field(default_factory=set)
    _calls: Counter[tuple[Kind, str]] = field(default_factory=Counter)
    _outages: Counter[tuple[Kind, str]] = field(default_factory=Counter)

    async def apply(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Return the response of `handler`, or that of the fault that the call meets."""
        call = call_of(request)
        fault = self._fault(call) if self.on else None
        match fault:
            case None:
                return await handler(request)
            case Fault.CUT:
                return _cut(request)
            case Fault.LOST:
                await handler(request)
                return _cut(request)
            case Fault.SLOW | Fault.LATE:
                return await self._slowly(fault, request, handler)
            case Fault.TOO_MANY:
                return too_many(0.5)
            case Fault.FORBIDDEN:
                raise error(403, *_FORBIDDEN[call.kind])
            case Fault.NOT_FOUND if call.kind in _NOT_FOUND:
                raise error(404, *_NOT_FOUND[call.kind])
            case Fault.NOT_FOUND:
                self.remove(int(call.message))  # a moderator was faster
                return await handler(request)
            case _:
                if fault is Fault.TAKEN:
                    await handler(request)
                number = self._calls[call.kind, self.place(call)]
                return web.Response(status=_STATUSES[number % len(_STATUSES)], text="oops")

    async def _slowly(
        self, fault: Fault, request: web.Request, handler: Handler
    ) -> web.StreamResponse:
        if fault is Fault.LATE:
            if request.can_read_body:
                await fields_of(request)  # which remain if the bot gives up
            await asyncio.sleep(self.delay)
        response = await handler(request)
        if fault is Fault.SLOW:
            await asyncio.sleep(self.delay)
        return response

    def _fault(self, call: Call) -> Fault | None:
        """Draw the fault of the next call of its kind in its channel, if it meets one."""
        at = (call.kind, self.place(call))
        self._calls[at] += 1
        if self._outages[at]:
            self._outages[at] -= 1
            self.hit.add(call.about)
            return Fault.SERVER_ERROR
        lot = Random(f"{self.seed} {call.kind} {at[1]} {self._calls[at]}")
        if lot.random() >= self.rate:
            return None
        fault = lot.choice(_FAULTS[call.kind])
        if fault is Fault.OUTAGE:
            self._outages[at] = _TRIES - 1
        self.counts[call.kind, fault] += 1
        self.hit.add(call.about)
        return fault


def _cut(request: web.Request) -> web.Response:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)
