"""The loopback Discord refuses what Discord would refuse."""

import asyncio
import json

import aiohttp
import pytest

from .discord_server import LoopbackDiscord
from .limits import Lifetimes, Limits
from .payloads import APP_ID, Json

_BOT = {"Authorization": "Bot loopback"}


def _stopped() -> float:
    """Return the time of a clock that stands still, so that no window ends."""
    return 0.0


async def _statuses(server: LoopbackDiscord, method: str, paths: list[str]) -> list[int]:
    """Return the statuses of calls that a bot makes at once with its own token."""
    async with aiohttp.ClientSession(server.base_url, headers=_BOT) as bot:

        async def status(path: str) -> int:
            async with bot.request(method, f"/api/v10{path}", json={}) as response:
                return response.status

        return await asyncio.gather(*map(status, paths))


async def test_a_channel_takes_five_messages() -> None:
    """The sixth message to a channel within five seconds is refused; another channel isn't full."""
    limits = Limits(clock=_stopped)
    async with LoopbackDiscord(2, 2, limits=limits) as server:
        first, second = (f"/channels/{channel}/messages" for channel in server.channel_ids)
        assert sorted(await _statuses(server, "POST", [first] * 6)) == [200] * 5 + [429]
        assert await _statuses(server, "POST", [second]) == [200]
    assert (limits.refused(), limits.invalid) == (1, 1)


async def test_the_whole_bot_has_fifty_a_second() -> None:
    """The rest of a second's sixty calls is refused, and enough refused calls are a ban."""
    limits = Limits(ban_after=10, clock=_stopped)
    async with LoopbackDiscord(60, 2, limits=limits) as server:
        paths = [f"/channels/{channel}/messages" for channel in server.channel_ids]
        assert sorted(await _statuses(server, "POST", paths)) == [200] * 50 + [429] * 10
        assert limits.banned
        assert await _statuses(server, "GET", ["/users/@me"]) == [429]


@pytest.mark.parametrize(("age", "status"), [(900.0, 204), (0.0, 401)])
async def test_a_token_removes_what_was_pressed(age: float, status: int) -> None:
    """The token of a press reaches the pressed message without a bot's token, until it expires."""
    lifetimes = Lifetimes(token=age)
    server = LoopbackDiscord(1, 1, limits=Limits(), lifetimes=lifetimes)
    async with (
        server,
        aiohttp.ClientSession(server.base_url) as web,
        web.ws_connect("/gateway") as gateway,
    ):
        await gateway.send_json({"op": 2, "d": {"intents": 1}})
        await server.gateway.until_identified({0: 1})
        channel, user = server.channel_ids[0], server.user_ids[0]
        row = {"type": 1, "components": [{"type": 2, "custom_id": "x"}]}
        board = await _post(web, channel, {"components": [row]})
        pressing = asyncio.create_task(server.press(user, board, "x"))
        token = await _token(gateway)
        answer = {"type": 4, "data": {"components": [row]}}
        async with web.post(f"/api/v10/interactions/1/{token}/callback", json=answer):
            pass
        await pressing
        path = f"/api/v10/webhooks/{APP_ID}/{token}/messages/{board['id']}"
        async with web.delete(path) as response:
            assert response.status == status


async def _post(web: aiohttp.ClientSession, channel: int, fields: Json) -> Json:
    async with web.post(f"/api/v10/channels/{channel}/messages", json=fields) as response:
        body: Json = json.loads(await response.text())
        return body


async def _token(gateway: aiohttp.ClientWebSocketResponse) -> str:
    """Return the token of the next interaction that the gateway sends."""
    while True:
        payload = await gateway.receive_json()
        if payload["t"] == "INTERACTION_CREATE":
            return str(payload["d"]["token"])
