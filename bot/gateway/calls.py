"""Counting the calls to Discord that fail."""

import re

import aiohttp
from prometheus_client import Counter
from yarl import URL

_FAILED_FROM = 400
_VERSION = re.compile(r"^/api(/v\d+)?")
_WITH_TOKEN = re.compile(r"^/(interactions|webhooks)/\d+/[^/]+")
_ID = re.compile(r"/\d+")


def route_of(url: URL) -> str:
    """Return the path of a call without its ids and tokens, as Discord's documentation has it."""
    path = _WITH_TOKEN.sub(r"/\1/{id}/{token}", _VERSION.sub("", url.path))
    return _ID.sub("/{id}", path)


def counting(failed: Counter) -> aiohttp.TraceConfig:
    """Return the `http_trace` of a discord.Client that counts its `failed` calls."""

    async def answered(_: object, __: object, call: aiohttp.TraceRequestEndParams) -> None:
        if (status := call.response.status) >= _FAILED_FROM:
            failed.labels(call.method, route_of(call.url), status).inc()

    async def unanswered(_: object, __: object, call: aiohttp.TraceRequestExceptionParams) -> None:
        failed.labels(call.method, route_of(call.url), type(call.exception).__name__).inc()

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(answered)
    trace.on_request_exception.append(unanswered)
    return trace
