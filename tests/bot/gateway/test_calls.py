"""Failed calls are counted by route and status."""

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from bot.gateway.calls import counting, route_of
from bot.metrics import Metrics

TOKEN = "aW50ZXJhY3Rpb24"


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v10/channels/123/messages/456", "/channels/{id}/messages/{id}"),
        (f"/api/v10/interactions/1/{TOKEN}/callback", "/interactions/{id}/{token}/callback"),
        (f"/api/v10/webhooks/1/{TOKEN}", "/webhooks/{id}/{token}"),
        (
            f"/api/v10/webhooks/1/{TOKEN}/messages/@original",
            "/webhooks/{id}/{token}/messages/@original",
        ),
        ("/api/v10/applications/7/commands", "/applications/{id}/commands"),
        ("/api/v10/gateway/bot", "/gateway/bot"),
    ],
)
def test_routes_have_no_ids_and_tokens(path: str, route: str) -> None:
    """There are as many routes as in Discord's documentation, and none is a secret."""
    assert route_of(URL(f"https://discord.com{path}?with_response=1")) == route


@pytest.fixture
async def discord() -> AsyncIterator[str]:
    """A server that answers with the status in the path; yields its address."""

    async def answer(request: web.Request) -> web.Response:
        status = int(request.match_info["status"])
        return web.Response(status=status)

    app = web.Application()
    app.router.add_get("/channels/{status}/messages", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def test_failed_calls_are_counted(discord: str) -> None:
    """A call without an answer counts too."""
    metrics = Metrics()
    async with aiohttp.ClientSession(trace_configs=[counting(metrics.failed_calls)]) as session:
        for path in ("200", "403", "429", "429", "500"):
            async with session.get(f"{discord}/channels/{path}/messages"):
                pass
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get("http://127.0.0.1:9/channels/1")

    def failed(route: str, status: str) -> float | None:
        labels = {"method": "GET", "route": route, "status": status}
        return metrics.registry.get_sample_value("rowbot_discord_failed_calls_total", labels)

    statuses = ("200", "403", "429", "500")
    route = "/channels/{id}/messages"
    assert [failed(route, status) for status in statuses] == [None, 1, 2, 1]
    assert failed("/channels/{id}", "ClientConnectorError") == 1
