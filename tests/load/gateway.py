"""The gateway of the loopback Discord: the websocket that sends events to the bot."""

import asyncio
import json
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import Any, TypeAlias

from aiohttp import WSMsgType, web

from . import payloads
from .payloads import APP_ID, Json
from .responses import Unknown

_HEARTBEAT_MS = 41_250
# discord.py notes that it has sent a heartbeat after it has sent it.
_LATENCY_SECONDS = 0.02
# Events that a session keeps for a bot that resumes it.
_REPLAYED = 1000
_UNKNOWN_ERROR = 4000
# The close code by which a bot ends its session; after any other it may resume it.
_ENDED = 1000


Compress: TypeAlias = Callable[[bytes], bytes]
"""Returns the next block of a compressed stream, with the whole of a payload."""


def _zlib_stream() -> Compress:
    stream = zlib.compressobj()
    return lambda payload: stream.compress(payload) + stream.flush(zlib.Z_SYNC_FLUSH)


def _zstd_stream() -> Compress:
    # discord.py asks for it where it can be had: the standard library has it since Python 3.14.
    zstd = import_module("compression.zstd")
    stream = zstd.ZstdCompressor()

    def compress(payload: bytes) -> bytes:
        block: bytes = stream.compress(payload, mode=zstd.ZstdCompressor.FLUSH_BLOCK)
        return block

    return compress


_STREAMS = {"zlib-stream": _zlib_stream, "zstd-stream": _zstd_stream}


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
    compress: Compress | None
    deaf: bool = False
    dropped: bool = False  # by the driver, not by the bot
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(self, text: str) -> None:
        """Send a payload, unless the connection is deaf or closed."""
        # Compressed payloads form one stream, so none may overtake another.
        async with self.lock:
            if self.deaf or self.socket.closed:
                return
            try:
                if self.compress is None:
                    await self.socket.send_str(text)
                else:
                    await self.socket.send_bytes(self.compress(text.encode()))
            except ConnectionError:
                pass  # the bot has just gone; a session keeps its events


@dataclass(slots=True)
class _Session:
    """A session of one of the bot's shards, which outlives its connection and can be resumed."""

    id: str
    intents: int
    shard: int
    shards: int
    connection: _Connection | None
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_REPLAYED))

    def has(self, guild_id: int) -> bool:
        """Return whether the session gets the events of a guild."""
        return payloads.shard_of(guild_id, self.shards) == self.shard

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
    """A gateway for the processes of one bot, with guilds, their channels and members.

    Several sessions may have the same shard, as while a process stands by for another.
    `heard` is set unless a connection was dropped and hasn't identified or resumed since.
    `identified` counts the identifies of each shard, and `resumes` the sessions that were taken up
    again. `left` are the members who have left the guilds.
    """

    def __init__(
        self, channel_ids: Sequence[int], user_ids: Sequence[int], unknown: Unknown
    ) -> None:
        self.heard = asyncio.Event()
        self.identified = Counter[int]()
        self.resumes = 0
        self.left: set[int] = set()
        # Returns the threads of a guild.
        self.threads: Callable[[int], Sequence[Json]] = lambda _: ()
        self._guilds: dict[int, list[int]] = defaultdict(list)
        for channel_id in channel_ids:
            self._guilds[payloads.guild_of(channel_id)].append(channel_id)
        self._user_ids = user_ids
        self._unknown = unknown
        self._sessions: list[_Session] = []
        self._events: set[asyncio.Task[None]] = set()
        self._identifying = asyncio.Condition()

    async def close(self) -> None:
        """Close the bot's connections."""
        for session in self._sessions:
            if session.connection is not None:
                await session.connection.socket.close()

    def forget(self) -> None:
        """End all sessions, as if the bot's processes had ended for good."""
        self._sessions.clear()

    async def until_identified(self, times: Mapping[int, int]) -> None:
        """Wait until each shard has its guilds, and has identified as often as `times` says."""
        async with self._identifying:
            await self._identifying.wait_for(
                lambda: all(self.identified[shard] >= number for shard, number in times.items())
            )

    async def drop(self, how: Drop) -> None:
        """Lose a connection in one way; without a connection nothing happens."""
        session = next((session for session in self._sessions if session.connection), None)
        connection = session.connection if session is not None else None
        if session is None or connection is None:
            return
        self.heard.clear()
        connection.dropped = True
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
                self._sessions.remove(session)
                await connection.send(_payload(9, False))
            case Drop.DEAF:
                connection.deaf = True

    async def dispatch(self, event: str, body: Json) -> None:
        """Send an event to each session that has the shard of its guild; without one, to shard 0.

        Raises ConnectionError if there is none.
        """
        guild_id = int(body.get("guild_id", 0))
        sessions = [session for session in self._sessions if session.has(guild_id)]
        if not sessions:
            raise ConnectionError("the bot is not connected")
        await asyncio.gather(*(session.dispatch(event, body) for session in sessions))

    def announce(self, event: str, body: Json) -> None:
        """Send the bot a message event, if it subscribed to guild messages."""
        guild_id = payloads.guild_of(int(body["channel_id"]))
        for session in self._sessions:
            if session.intents & payloads.GUILD_MESSAGES and session.has(guild_id):
                told = session.dispatch(event, body | {"guild_id": str(guild_id)})
                task = asyncio.create_task(told)
                self._events.add(task)
                task.add_done_callback(self._events.discard)

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a connection until it closes."""
        compression = request.query.get("compress")
        if compression is not None and compression not in _STREAMS:
            self._unknown.note(f"gateway compression {compression}")
            raise web.HTTPBadRequest(text="zlib-stream and zstd-stream only")
        socket = web.WebSocketResponse(compress=False, max_msg_size=1 << 22)
        await socket.prepare(request)
        url = str(request.url.with_scheme("ws").with_query(None))
        compress = _STREAMS[compression]() if compression else None
        connection = _Connection(socket, request.transport, compress)
        await connection.send(_payload(10, {"heartbeat_interval": _HEARTBEAT_MS}))
        async for frame in socket:
            if frame.type is WSMsgType.TEXT and not connection.deaf:
                await self._from_bot(connection, json.loads(frame.data), url)
        session = self._session_of(connection)
        if session is not None:
            session.connection = None
            if socket.close_code == _ENDED and not connection.dropped:
                self._sessions.remove(session)
        return socket

    def _session_of(self, connection: _Connection) -> _Session | None:
        return next((s for s in self._sessions if s.connection is connection), None)

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
        shard, shards = data.get("shard", (0, 1))
        self.identified[shard] += 1
        number = self.identified.total()
        session = _Session(f"loopback{number}", data["intents"], shard, shards, connection)
        # A process that was killed doesn't end its session; the one in its place has a new one.
        self._sessions = [s for s in self._sessions if s.shard != shard or s.connection]
        self._sessions.append(session)
        guilds = {guild: chans for guild, chans in self._guilds.items() if session.has(guild)}
        ready = {
            "v": 10,
            "user": payloads.user(APP_ID),
            "guilds": [{"id": str(guild_id), "unavailable": True} for guild_id in guilds],
            "session_id": session.id,
            "resume_gateway_url": url,
            "shard": [shard, shards],
            "application": {"id": str(APP_ID), "flags": 0},
        }
        await session.dispatch("READY", ready)
        # Without the members intent Discord sends only the bot's own member.
        everyone = [APP_ID, *self._user_ids]
        told = everyone if session.intents & payloads.GUILD_MEMBERS else [APP_ID]
        for channel_ids in guilds.values():
            threads = self.threads(payloads.guild_of(channel_ids[0]))
            guild = payloads.guild(channel_ids, told, len(everyone), threads)
            await session.dispatch("GUILD_CREATE", guild)
        self.heard.set()
        async with self._identifying:
            self._identifying.notify_all()

    async def _resume(self, connection: _Connection, data: Json) -> None:
        """Replay what the bot has missed; without its session it must identify anew."""
        session = next((s for s in self._sessions if s.id == data["session_id"]), None)
        if session is None:
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
        asked = [int(user) for user in data.get("user_ids", ())]
        here = [user for user in asked if user in self._user_ids and user not in self.left]
        chunk = {
            "guild_id": data["guild_id"],
            "members": [payloads.member(user) for user in here],
            "not_found": [str(user) for user in asked if user not in here],
            "chunk_index": 0,
            "chunk_count": 1,
            "nonce": data.get("nonce"),
        }
        await self.dispatch("GUILD_MEMBERS_CHUNK", chunk)
