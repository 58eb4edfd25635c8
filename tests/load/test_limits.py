"""The loopback Discord refuses what Discord would refuse."""

import asyncio

import aiohttp

from .discord_server import LoopbackDiscord
from .limits import Limits

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
