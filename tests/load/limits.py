"""Discord's limits: on requests a second, on requests to a channel, and on invalid requests.

https://discord.com/developers/docs/topics/rate-limits has the global limit, the headers and the
ban for invalid requests. The buckets aren't documented, but have long been in Discord's headers;
https://github.com/discord/discord-api-docs/issues/8330 has those of deletions.
"""

import math
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from .calls import Call, Kind, age, call_of
from .responses import too_many

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_INVALID = (401, 403, 429)
_INVALID_WITHIN_SECONDS = 600.0
_YOUNG_SECONDS = 10.0


@dataclass(frozen=True)
class Lifetimes:
    """How many seconds Discord waits for the first answer, and takes later ones."""

    answer: float = 3.0
    token: float = 900.0


ENDLESS = Lifetimes(math.inf, math.inf)


@dataclass(frozen=True)
class Rule:
    """A limit of `most` requests within `seconds`."""

    name: str
    most: int
    seconds: float


_EVERYWHERE = Rule("global", 50, 1.0)
_TOKEN = Rule("token", 5, 2.0)
_IN_CHANNEL = {
    Kind.CREATE: Rule("create", 5, 5.0),
    Kind.EDIT: Rule("edit", 5, 5.0),
    Kind.GET: Rule("get", 5, 1.0),
}
_DELETE_YOUNG = Rule("delete-young", 5, 1.0)
_DELETE_OLD = Rule("delete", 3, 0.333)


@dataclass(slots=True)
class _Window:
    """The requests of one bucket since the window was opened."""

    ends: float = 0.0
    used: int = 0

    def take(self, rule: Rule, now: float) -> bool:
        """Count a request; return False if the window has no room for it."""
        if now >= self.ends:
            self.ends, self.used = now + rule.seconds, 0
        if self.used >= rule.most:
            return False
        self.used += 1
        return True


class Limits:
    """Counts the bot's requests, and refuses those above Discord's limits.

    `answers` counts every response by kind of call and status. After `ban_after` invalid requests
    within ten minutes the bot is `banned`: as at Discord, every request is then refused.
    """

    def __init__(self, ban_after: int = 10_000, clock: Callable[[], float] = time.monotonic):
        self.answers: Counter[tuple[Kind, int]] = Counter()
        self.banned = False
        self._ban_after = ban_after
        self._clock = clock
        self._everywhere = _Window()
        self._windows: dict[tuple[str, str], _Window] = {}
        self._invalid: deque[float] = deque()

    @property
    def invalid(self) -> int:
        """The invalid requests of the last ten minutes."""
        return len(self._invalid)

    def refused(self) -> int:
        """Return the number of answers 429 so far."""
        return sum(count for (_, status), count in self.answers.items() if status == 429)

    async def apply(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Return the response of `handler` within the limits, with Discord's headers."""
        call = call_of(request)
        try:
            response = await self._within(call, request, handler)
        except web.HTTPException as error:
            self._count(call, error.status)
            raise
        self._count(call, response.status)
        return response

    async def _within(
        self, call: Call, request: web.Request, handler: Handler
    ) -> web.StreamResponse:
        if self.banned:
            return web.Response(status=429, text="You are being blocked", content_type="text/html")
        now = self._clock()
        rule = _rule(call)
        window = self._window(rule, call, now) if rule else None
        if call.authorized and not self._everywhere.take(_EVERYWHERE, now):
            return _too_many(_EVERYWHERE, self._everywhere, now, {})
        if rule is None or window is None:
            return await handler(request)
        allowed = window.take(rule, now)
        headers = _headers(rule, window, now)
        if not allowed:
            return _too_many(rule, window, now, headers)
        try:
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(headers)
            raise
        response.headers.update(headers)
        return response

    def _window(self, rule: Rule, call: Call, now: float) -> _Window:
        if len(self._windows) > 10_000:
            self._windows = {key: w for key, w in self._windows.items() if w.ends > now}
        return self._windows.setdefault((rule.name, call.about), _Window())

    def _count(self, call: Call, status: int) -> None:
        self.answers[call.kind, status] += 1
        now = self._clock()
        if status in _INVALID:
            self._invalid.append(now)
        while self._invalid and self._invalid[0] < now - _INVALID_WITHIN_SECONDS:
            self._invalid.popleft()
        self.banned = self.banned or len(self._invalid) >= self._ban_after


def _rule(call: Call) -> Rule | None:
    if call.kind is Kind.DELETE:
        young = not call.message.isdecimal() or age(int(call.message)) < _YOUNG_SECONDS
        return _DELETE_YOUNG if young else _DELETE_OLD
    if call.kind is Kind.OTHER:
        return None
    return _IN_CHANNEL.get(call.kind, _TOKEN)


def _headers(rule: Rule, window: _Window, now: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(rule.most),
        "X-RateLimit-Remaining": str(rule.most - window.used),
        "X-RateLimit-Reset": f"{time.time() + window.ends - now:.3f}",
        "X-RateLimit-Reset-After": f"{window.ends - now:.3f}",
        "X-RateLimit-Bucket": rule.name,
    }


def _too_many(rule: Rule, window: _Window, now: float, headers: dict[str, str]) -> web.Response:
    response = too_many(window.ends - now, everywhere=rule is _EVERYWHERE)
    response.headers.update(headers)
    return response
