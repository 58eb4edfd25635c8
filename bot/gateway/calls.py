"""Counting the calls to Discord that fail."""

import re
from types import SimpleNamespace

import aiohttp
from yarl import URL

from bot.metrics import Metrics

_FAILED_FROM = 400
_VERSION = re.compile(r"^/api(/v\d+)?")
_WITH_TOKEN = re.compile(r"^/(interactions|webhooks)/\d+/[^/]+")
_ID = re.compile(r"/\d+")


def route_of(url: URL) -> str:
    """Return the path of a call without its ids and tokens, as Discord's documentation has it."""
    path = _WITH_TOKEN.sub(r"/\1/{id}/{token}", _VERSION.sub("", url.path))
    return _ID.sub("/{id}", path)


class Calls:
    """Counts the failed calls of a discord.Client that takes `trace` as its `http_trace`."""

    def __init__(self, metrics: Metrics):
        self._failed = metrics.failed_calls
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
        if status >= _FAILED_FROM:
            self._failed.labels(call.method, route_of(call.url), status).inc()

    async def _unanswered(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        call: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self._failed.labels(call.method, route_of(call.url), type(call.exception).__name__).inc()
