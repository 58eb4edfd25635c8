"""The gateway of the loopback Discord: the websocket that sends events to the bot."""

import asyncio
import json
import zlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from aiohttp import WSMsgType, web

from . import payloads
from .payloads import APP_ID, GUILD_ID, Json
from .responses import Unknown

_HEARTBEAT_MS = 41_250
# discord.py notes that it has sent a heartbeat after it has sent it.
_LATENCY_SECONDS = 0.02
# Events that a session keeps for a bot that resumes it.
_REPLAYED = 1000
_UNKNOWN_ERROR = 4000


class Drop(StrEnum):
    """A way to lose the gateway's connection."""

    CLOSED = "closed with 4000"
    ABORTED = "aborted"  # close code 1006
    RECONNECT = "op 7"
    INVALID_RESUMABLE = "op 9, resumable"
    INVALID = "op 9"
    DEAF = "nothing comes or goes"  # until the bot notices that its heartbeats aren't answered


@dataclass(slots=True)
class _Connection:
    """A websocket of the bot."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport | None
    deflate: Any  # the type of a zlib compressobj has no public name
    deaf: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(self, text: str) -> None:
        """Send a payload, unless the connection is deaf or closed."""
        # Compressed payloads form one stream, so none may overtake another.
        async with self.lock:
            if self.deaf or self.socket.closed:
                return
            try:
                if self.deflate is None:
                    await self.socket.send_str(text)
                    return
                block = self.deflate.compress(text.encode())
                await self.socket.send_bytes(block + self.deflate.flush(zlib.Z_SYNC_FLUSH))
            except ConnectionError:
                pass  # the bot has just gone; a session keeps its events


@dataclass(slots=True)
class _Session:
    """What the bot identified for; it outlives its connection, so that it can be resumed."""

    id: str
    intents: int
    connection: _Connection | None
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_REPLAYED))

    async def dispatch(self, event: str, body: Any) -> None:
        """Send an event with the next sequence number, and keep it."""
        self.sequence += 1
        text = _payload(0, body, self.sequence, event)
        self.sent.append((self.sequence, text))
        if self.connection is not None:
            await self.connection.send(text)


def _payload(op: int, data: Any, sequence: int | None = None, event: str | None = None) -> str:
    return json.dumps({"op": op, "d": data, "s": sequence, "t": event})


class Gateway:
    """A gateway for one bot, with one guild and its channels and members.

    `online` is set while the bot has its guild, `heard` unless its connection was dropped and it
    hasn't identified or resumed since. `identifies` counts its identifies and `resumes`
    the sessions that it took up again. `left` are the members who have left the guild.
    """

    def __init__(
        self, channel_ids: Sequence[int], user_ids: Sequence[int], unknown: Unknown
    ) -> None:
        self.online = asyncio.Event()
        self.heard = asyncio.Event()
        self.identifies = 0
        self.resumes = 0
        self.left: set[int] = set()
        self._channel_ids = channel_ids
        self._user_ids = user_ids
        self._unknown = unknown
        self._session: _Session | None = None
        self._events: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Close the bot's connection, if any."""
        if self._session is not None and self._session.connection is not None:
            await self._session.connection.socket.close()

    def forget(self) -> None:
        """End the session, as if the bot's process had ended for good."""
        self.online.clear()
        self._session = None

    async def drop(self, how: Drop) -> None:
        """Lose the connection in one way; without a connection nothing happens."""
        session = self._session
        connection = session.connection if session is not None else None
        if session is None or connection is None:
            return
        self.heard.clear()
        match how:
            case Drop.CLOSED:
                await connection.socket.close(code=_UNKNOWN_ERROR)
            case Drop.ABORTED:
                if connection.transport is not None:
                    connection.transport.abort()
            case Drop.RECONNECT:
                await connection.send(_payload(7, None))
            case Drop.INVALID_RESUMABLE:
                await connection.send(_payload(9, True))
            case Drop.INVALID:
                self.forget()
                await connection.send(_payload(9, False))
            case Drop.DEAF:
                connection.deaf = True

    async def dispatch(self, event: str, body: Json) -> None:
        """Send an event to the bot; raise ConnectionError if it has no session."""
        if self._session is None:
            raise ConnectionError("the bot is not connected")
        await self._session.dispatch(event, body)

    def announce(self, event: str, body: Json) -> None:
        """Send the bot a message event, if it subscribed to guild messages."""
        if self._session is None or not self._session.intents & payloads.GUILD_MESSAGES:
            return
        task = asyncio.create_task(self._session.dispatch(event, body))
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
        deflate = zlib.compressobj() if compression else None
        connection = _Connection(socket, request.transport, deflate)
        await connection.send(_payload(10, {"heartbeat_interval": _HEARTBEAT_MS}))
        async for frame in socket:
            if frame.type is WSMsgType.TEXT and not connection.deaf:
                await self._from_bot(connection, json.loads(frame.data), url)
        if self._session is not None and self._session.connection is connection:
            self._session.connection = None
        return socket

    async def _from_bot(self, connection: _Connection, payload: Json, url: str) -> None:
        data = payload["d"]
        match payload["op"]:
            case 1:
                await asyncio.sleep(_LATENCY_SECONDS)
                await connection.send(_payload(11, None))
            case 2:
                await self._identify(connection, data, url)
            case 3:
                pass  # a presence update, which is ignored
            case 6:
                await self._resume(connection, data)
            case 8:
                await self._members(data)
            case op:
                self._unknown.note(f"gateway op {op}")

    async def _identify(self, connection: _Connection, data: Json, url: str) -> None:
        self.identifies += 1
        session = _Session(f"loopback{self.identifies}", data["intents"], connection)
        self._session = session
        ready = {
            "v": 10,
            "user": payloads.user(APP_ID),
            "guilds": [{"id": str(GUILD_ID), "unavailable": True}],
            "session_id": session.id,
            "resume_gateway_url": url,
            "shard": data.get("shard", [0, 1]),
            "application": {"id": str(APP_ID), "flags": 0},
        }
        await session.dispatch("READY", ready)
        # Without the members intent Discord sends only the bot's own member.
        everyone = [APP_ID, *self._user_ids]
        told = everyone if session.intents & payloads.GUILD_MEMBERS else [APP_ID]
        guild = payloads.guild(self._channel_ids, told, len(everyone))
        await session.dispatch("GUILD_CREATE", guild)
        self.online.set()
        self.heard.set()

    async def _resume(self, connection: _Connection, data: Json) -> None:
        """Replay what the bot has missed; without its session it must identify anew."""
        session = self._session
        if session is None or session.id != data["session_id"]:
            await connection.send(_payload(9, False))
            return
        self.resumes += 1
        session.connection = connection
        for number, text in list(session.sent):
            if number > (data["seq"] or 0):
                await connection.send(text)
        await session.dispatch("RESUMED", {})
        self.heard.set()

    async def _members(self, data: Json) -> None:
        """Answer a request for members by their ids."""
        if self._session is None:
            return
        asked = [int(user) for user in data.get("user_ids", ())]
        here = [user for user in asked if user in self._user_ids and user not in self.left]
        chunk = {
            "guild_id": str(GUILD_ID),
            "members": [payloads.member(user) for user in here],
            "not_found": [str(user) for user in asked if user not in here],
            "chunk_index": 0,
            "chunk_count": 1,
            "nonce": data.get("nonce"),
        }
        await self._session.dispatch("GUILD_MEMBERS_CHUNK", chunk)
