"""The gateway of the loopback Discord: the websocket that sends events to the bot."""

import asyncio
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from . import payloads
from .payloads import APP_ID, GUILD_ID, Json
from .responses import Unknown

_HEARTBEAT_MS = 41_250


@dataclass(slots=True)
class _Session:
    """One gateway connection of the bot."""

    socket: web.WebSocketResponse
    deflate: Any  # the type of a zlib compressobj has no public name
    url: str
    sequence: int = 0
    intents: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(self, op: int, data: Any, event: str | None = None) -> None:
        """Send one gateway payload; a dispatch gets the next sequence number."""
        # Compressed payloads form one stream, so none may overtake another.
        async with self.lock:
            if event is not None:
                self.sequence += 1
            number = self.sequence if event is not None else None
            text = json.dumps({"op": op, "d": data, "s": number, "t": event})
            if self.deflate is None:
                await self.socket.send_str(text)
                return
            block = self.deflate.compress(text.encode())
            await self.socket.send_bytes(block + self.deflate.flush(zlib.Z_SYNC_FLUSH))


class Gateway:
    """A gateway for one bot, with one guild and its channels and members.

    `online` is set once the bot has its guild.
    """

    def __init__(
        self, channel_ids: Sequence[int], user_ids: Sequence[int], unknown: Unknown
    ) -> None:
        self.online = asyncio.Event()
        self.identifies = 0
        self._channel_ids = channel_ids
        self._user_ids = user_ids
        self._unknown = unknown
        self._session: _Session | None = None
        self._events: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Close the bot's connection, if any."""
        if self._session is not None:
            await self._session.socket.close()

    async def dispatch(self, event: str, body: Json) -> None:
        """Send an event to the bot; raise ConnectionError if it is not connected."""
        if self._session is None:
            raise ConnectionError("the bot is not connected")
        await self._session.send(0, body, event)

    def announce(self, event: str, body: Json) -> None:
        """Send the bot a message event, if it subscribed to guild messages."""
        if self._session is None or not self._session.intents & payloads.GUILD_MESSAGES:
            return
        task = asyncio.create_task(self._session.send(0, body, event))
        self._events.add(task)
        task.add_done_callback(self._events.discard)

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a connection until it closes."""
        compression = request.query.get("compress")
        if compression not in (None, "zlib-stream"):
            self._unknown.note(f"gateway compression {compression}")
            raise web.HTTPBadRequest(text="zlib-stream only")
        socket = web.WebSocketResponse(compress=False, max_msg_size=1 << 22)
        await socket.prepare(request)
        url = str(request.url.with_scheme("ws").with_query(None))
        session = _Session(socket, zlib.compressobj() if compression else None, url)
        await session.send(10, {"heartbeat_interval": _HEARTBEAT_MS})
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                await self._from_bot(session, json.loads(frame.data))
        if self._session is session:
            self._session = None
        return socket

    async def _from_bot(self, session: _Session, payload: Json) -> None:
        match payload["op"]:
            case 1:
                await session.send(11, None)
            case 2:
                await self._identify(session, payload["d"])
            case 3:
                pass  # a presence update, which is ignored
            case 6:
                await session.send(9, False)  # resuming isn't supported: the bot identifies anew
            case op:
                self._unknown.note(f"gateway op {op}")

    async def _identify(self, session: _Session, data: Json) -> None:
        self.identifies += 1
        session.intents = data["intents"]
        self._session = session
        ready = {
            "v": 10,
            "user": payloads.user(APP_ID),
            "guilds": [{"id": str(GUILD_ID), "unavailable": True}],
            "session_id": "loopback",
            "resume_gateway_url": session.url,
            "shard": data.get("shard", [0, 1]),
            "application": {"id": str(APP_ID), "flags": 0},
        }
        await session.send(0, ready, "READY")
        # Without the members intent Discord sends only the bot's own member.
        everyone = [APP_ID, *self._user_ids]
        told = everyone if session.intents & payloads.GUILD_MEMBERS else [APP_ID]
        guild = payloads.guild(self._channel_ids, told, len(everyone))
        await session.send(0, guild, "GUILD_CREATE")
        self.online.set()
