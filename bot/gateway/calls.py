"""Counting the calls to Discord that fail, and warning the host before there are too many.

Discord bans an address that gets 10,000 answers 401, 403 or 429 within ten minutes.
"""

import logging
import re
import time
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace

import aiohttp
from yarl import URL

from bot.metrics import Metrics

log = logging.getLogger(__name__)

_WINDOW_SECONDS = 600.0
_BANNED_AT = 10_000
_WARN_AT = 5_000
_WARN_EVERY_SECONDS = 60.0

_FAILED_FROM = 400
_INVALID = (401, 403, 429)

_VERSION = re.compile(r"^/api(/v\d+)?")
_WITH_TOKEN = re.compile(r"^/(interactions|webhooks)/\d+/[^/]+")
_ID = re.compile(r"/\d+")


def route_of(url: URL) -> str:
    """Return the path of a call without its ids and tokens, as Discord's documentation has it."""
    path = _WITH_TOKEN.sub(r"/\1/{id}/{token}", _VERSION.sub("", url.path))
    return _ID.sub("/{id}", path)


class InvalidRequests:
    """The invalid requests of the last ten minutes; `now` gives seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic):
        self._now = now
        self._moments: deque[float] = deque(maxlen=_BANNED_AT)
        self._warned_at: float | None = None

    def note(self) -> None:
        """Note an invalid request, and warn the host if there are many."""
        now = self._now()
        self._moments.append(now)
        warned = self._warned_at is not None and now - self._warned_at < _WARN_EVERY_SECONDS
        if not warned and (count := self.count()) >= _WARN_AT:
            self._warned_at = now
            log.warning(
                "%s calls of the last 10 minutes were answered 401, 403 or 429;"
                " at %s Discord bans this address for a while",
                count,
                _BANNED_AT,
            )

    def count(self) -> int:
        """Return the number of these requests, counted up to the number that leads to a ban."""
        oldest = self._now() - _WINDOW_SECONDS
        while self._moments and self._moments[0] < oldest:
            self._moments.popleft()
        return len(self._moments)


class Calls:
    """Counts the failed calls of a discord.Client that takes `trace` as its `http_trace`."""

    def __init__(self, metrics: Metrics):
        self._failed = metrics.failed_calls
        self._invalid = InvalidRequests()
        metrics.invalid_requests.set_function(self._invalid.count)
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_end.append(self._answered)
        self.trace.on_request_exception.append(self._unanswered)

    async def _answered(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        call: aiohttp.TraceRequestEndParams,
    ) -> None:
        status = call.response.status
        if status < _FAILED_FROM:
            return
        self._failed.labels(call.method, route_of(call.url), status).inc()
        # Discord doesn't count a 429 for the limit of a shared resource, such as a channel.
        if status in _INVALID and call.response.headers.get("X-RateLimit-Scope") != "shared":
            self._invalid.note()

    async def _unanswered(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        call: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self._failed.labels(call.method, route_of(call.url), type(call.exception).__name__).inc()
