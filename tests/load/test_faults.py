"""The loopback Discord's faults: drawn from a seed, and survived by a session of the gateway."""

import aiohttp
import pytest

from .discord_server import LoopbackDiscord
from .faults import Faults
from .gateway import Drop
from .payloads import GUILD_ID


async def _posted(seed: str, rate: float, channels: int = 1) -> list[list[object]]:
    """Return by channel the answers to forty messages: a status, or nothing if the line was cut."""
    faults = Faults(seed, rate, delay=0)
    async with (
        LoopbackDiscord(channels, 1, faults=faults) as server,
        aiohttp.ClientSession(server.base_url) as bot,
    ):
        met: list[list[object]] = [[] for _ in server.channel_ids]
        for _ in range(40):
            for found, channel in zip(met, server.channel_ids, strict=True):
                path = f"/api/v10/channels/{channel}/messages"
                try:
                    async with bot.post(path, json={}) as response:
                        found.append(response.status)
                except aiohttp.ClientError:
                    found.append(None)
        return met


async def test_a_seed_tells_the_faults_of_a_channel() -> None:
    """The same seed brings the same faults upon a channel, whatever happens in the others."""
    alone = await _posted("7", 0.2)
    assert (await _posted("7", 0.2, channels=3))[0] == alone[0]
    assert len(set(alone[0])) > 3
    assert await _posted("8", 0.2) != alone


@pytest.mark.parametrize("how", [Drop.CLOSED, Drop.ABORTED])
async def test_a_session_is_resumed(how: Drop) -> None:
    """Events while the bot is away come when it resumes; a lost session begins anew."""
    async with (
        LoopbackDiscord(1, 1) as server,
        aiohttp.ClientSession(server.base_url) as web,
    ):
        async with web.ws_connect("/gateway") as first:
            await first.send_json({"op": 2, "d": {"intents": 1}})
            seen = [await first.receive_json() for _ in range(3)]
            await server.gateway.drop(how)
        await server.gateway.dispatch("MISSED", {"guild_id": str(GUILD_ID)})
        resume = {"session_id": seen[1]["d"]["session_id"], "seq": seen[2]["s"]}
        async with web.ws_connect("/gateway") as second:
            await second.send_json({"op": 6, "d": resume})
            told = [(await second.receive_json())["t"] for _ in range(3)]
            assert told == [None, "MISSED", "RESUMED"]
            await server.gateway.drop(Drop.INVALID)
            assert (await second.receive_json())["op"] == 9
            await second.send_json({"op": 6, "d": resume})
            assert (await second.receive_json())["op"] == 9
