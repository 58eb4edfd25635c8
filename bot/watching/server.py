"""The HTTP server for Prometheus and for supervisors of the bot."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable

from aiohttp import web
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from bot.metrics import Metrics
from bot.watching.health import Health

log = logging.getLogger(__name__)

_SAMPLE_SECONDS = 0.25
_COUNT_WITHIN_SECONDS = 1.0


class WatchServer:
    """Serves `/metrics`, `/healthz` and `/readyz`."""

    def __init__(self, metrics: Metrics, health: Health, count_live: Callable[[], Awaitable[int]]):
        self._metrics = metrics
        self._health = health
        self._count_live = count_live
        self._runner: web.AppRunner | None = None
        self._sample: asyncio.TimerHandle | None = None

    async def start(self, host: str, port: int) -> None:
        """Open the port, 0 for any free one, and begin to measure how late the event loop is.

        If the port is taken, that is logged, and the bot runs without metrics and health.
        """
        app = web.Application()
        app.add_routes(
            [
                web.get("/metrics", self._tell_metrics),
                web.get("/healthz", self._tell_alive),
                web.get("/readyz", self._tell_ready),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host, port).start()
        except OSError as error:
            place = f"{host}:{port} (METRICS_HOST, METRICS_PORT)"
            log.warning("metrics can't be served on %s: %s", place, error)
            return
        log.info("metrics are served on http://%s:%s/metrics", host, self.port)
        self._measure_lag()

    @property
    def port(self) -> int:
        """The port that is open."""
        assert self._runner is not None, "it has been started"
        return int(self._runner.addresses[0][1])

    async def close(self) -> None:
        """Close the port."""
        if self._sample is not None:
            self._sample.cancel()
        if self._runner is not None:
            await self._runner.cleanup()

    def _measure_lag(self) -> None:
        loop = asyncio.get_running_loop()
        planned = loop.time() + _SAMPLE_SECONDS

        def measure() -> None:
            self._metrics.lag.observe(max(0.0, loop.time() - planned))
            self._measure_lag()

        self._sample = loop.call_at(planned, measure)

    async def _tell_metrics(self, request: web.Request) -> web.Response:
        try:
            async with asyncio.timeout(_COUNT_WITHIN_SECONDS):
                self._metrics.live_matches.set(await self._count_live())
        except Exception:
            self._metrics.live_matches.set(math.nan)  # /readyz tells that the database is away
        body = generate_latest(self._metrics.registry)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _tell_alive(self, request: web.Request) -> web.Response:
        return web.Response(text="alive\n")  # the event loop runs, since it answers

    async def _tell_ready(self, request: web.Request) -> web.Response:
        if problems := await self._health.problems():
            return web.Response(status=503, text="".join(f"{line}\n" for line in problems))
        return web.Response(text="ready\n")
