"""A Discord on 127.0.0.1 that answers as a test tells it to.

Tests decide about tokens, limits, permissions, and the end of connections.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import yarl
from aiohttp import WSMsgType, web
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.load import payloads
from tests.load.responses import as_json, too_many

_API = "/api/v10"
_HELLO = {"op": 10, "d": {"heartbeat_interval": 41_250}, "s": None, "t": None}


@dataclass
class ScriptedDiscord:
    """A Discord that answers by path, with a JSON body or with a status and a `refusal`.

    Other paths are answered 404. A refusal that is a text stands for an HTML page. If `limited` is
    set, the next call meets the limit of the whole bot, and is told to wait for that many seconds.
    The gateway refuses the first connections, once `answering` is set; it closes later ones with
    `close_code` as soon as the bot identifies.
    """

    url: str = ""
    answers: dict[str, Any] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    refusal: Any = field(default_factory=lambda: {"code": 0, "message": "no"})
    limited: float = 0.0
    close_code: int = 4004
    refused_connections: int = 0
    answering: asyncio.Event = field(default_factory=asyncio.Event)
    identifies: int = 0
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        """Answer a REST call."""
        path = request.path.removeprefix(_API)
        self.asked.append(path)
        if seconds := self.limited:
            self.limited = 0.0
            return too_many(seconds, everywhere=True)
        if path in self.statuses or path not in self.answers:
            page = isinstance(self.refusal, str)
            response = web.Response(text=self.refusal) if page else as_json(self.refusal)
            response.set_status(self.statuses.get(path, 404))
            return response
        return as_json(self.answers[path])

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        """Say hello, and close the connection when the bot identifies."""
        if self.refused_connections:
            self.refused_connections -= 1
            await self.answering.wait()
            raise web.HTTPBadGateway
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps(_HELLO))
        async for frame in socket:
            if frame.type is WSMsgType.TEXT and json.loads(frame.data)["op"] == 2:
                self.identifies += 1
                await socket.close(code=self.close_code)
        return socket

    def limit_identifies(self, remaining: int, reset_after: float, total: int = 1000) -> None:
        """Tell the bot how many identifies it has left, and in how many seconds all are back."""
        self.answers["/gateway/bot"] = {
            "url": self.url.replace("http", "ws", 1) + "/gateway",
            "shards": 1,
            "session_start_limit": {
                "total": total,
                "remaining": remaining,
                "reset_after": round(reset_after * 1000),
                "max_concurrency": 1,
            },
        }


@asynccontextmanager
async def scripted_discord() -> AsyncIterator[ScriptedDiscord]:
    """Yield a Discord that knows the bot, its commands and its limit of identifies.

    Bots in this process send their requests to it.
    """
    discord = ScriptedDiscord()
    app = web.Application()
    app.router.add_get("/gateway", discord.gateway)
    app.router.add_route("*", "/{anything:.*}", discord.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    discord.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    discord.answers |= {
        "/users/@me": payloads.user(payloads.APP_ID),
        "/oauth2/applications/@me": payloads.application(),
        f"/applications/{payloads.APP_ID}/commands": [],
    }
    discord.limit_identifies(remaining=1000, reset_after=0)
    gateway = yarl.URL(discord.url.replace("http", "ws", 1)) / "gateway"
    try:
        with pytest.MonkeyPatch.context() as here:
            here.setattr(Route, "BASE", f"{discord.url}{_API}")
            here.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
            yield discord
    finally:
        await runner.cleanup()
