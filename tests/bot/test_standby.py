"""The program beside another one with the same shards: it is ready, and serves after the other."""

import asyncio
import re
from collections.abc import AsyncIterator
from random import Random

import aiohttp
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from pydantic import SecretStr

from bot import client
from bot.__main__ import _serve
from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database
from bot.gateway.serving import TakenOverError
from bot.settings import Settings
from tests.leases import Baton, HandedLease
from tests.load.discord_server import LoopbackDiscord


class Program:
    """A bot that runs as the program does, with its metrics on any free port."""

    def __init__(self, settings: Settings, database: Database, lease: HandedLease):
        self.stop, self.lease = asyncio.Event(), lease
        settings = settings.model_copy(update={"metrics_port": 0})
        self.bot: Rowbot = create_bot(settings, database, rng=Random(1), lease=lease)
        serving = _serve(self.bot, settings, SecretStr("a-token"), self.stop)
        self.running = asyncio.create_task(serving)

    async def ask(self, path: str) -> str:
        """Return what it says on its port."""
        url = f"http://127.0.0.1:{self.bot.watch.port}{path}"
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            return await answer.text()

    async def is_ready(self) -> None:
        """Wait until it says so; raise TimeoutError if it doesn't."""
        async with asyncio.timeout(60):
            while await self.ask("/readyz") != "ready\n":  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.1)

    async def serves(self) -> bool:
        """Return whether its metrics say that it serves, with servers or without any."""
        told = await self.ask("/metrics")
        found = re.findall(r"^rowbot_(?:serving|servers) (.*)", told, re.MULTILINE)
        serving, servers = map(float, found)
        assert serving == servers, "it is on one server, which counts where it is served"
        return bool(serving)


@pytest.fixture
async def programs(
    settings: Settings, sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Program, Program]]:
    """Two programs: the first serves, and the second stands by."""
    monkeypatch.setattr(client, "_IDENTIFY_SECONDS", 0)
    baton = Baton()
    async with LoopbackDiscord(1, 1) as server:
        monkeypatch.setattr(Route, "BASE", f"{server.base_url}/api/v10")
        socket = yarl.URL(server.base_url.replace("http", "ws", 1)) / "gateway"
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", socket)
        first = Program(settings, sqlite_database, baton.lease())
        await server.bot_online()
        second = Program(settings, sqlite_database, baton.lease())
        await server.bot_online({0: 2})
        yield first, second
        for one in (first, second):
            one.stop.set()
        await asyncio.gather(first.running, second.running, return_exceptions=True)


async def test_a_program_that_stands_by(programs: tuple[Program, Program]) -> None:
    """It is ready, so an orchestrator ends the other one, and then it serves."""
    first, second = programs
    await second.is_ready()
    assert (await first.serves(), await second.serves()) == (True, False)
    first.stop.set()
    await first.running
    async with asyncio.timeout(10):
        await second.bot.serving.wait()
    await second.is_ready()
    assert await second.serves()
    second.stop.set()
    await second.running


async def test_a_program_that_another_one_has_replaced(programs: tuple[Program, Program]) -> None:
    """It ends with an error that asks its supervisor for another start."""
    first, second = programs
    await second.is_ready()
    await first.lease.lose()
    with pytest.raises(TakenOverError):
        async with asyncio.timeout(30):
            await first.running
    assert await second.serves()
