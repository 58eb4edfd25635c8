"""A Discord on 127.0.0.1: just enough of API v10 for one bot process.

The bot under test speaks real HTTP and a real gateway websocket with this server; the driver
calls `slash` and `press` and gets back how long the bot took. There is no TLS and there are no
rate limits: what is measured is the bot's own work.
"""

import asyncio
import json
import logging
import time
import zlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from aiohttp import WSMsgType, web

from . import payloads
from .payloads import APP_ID, EPHEMERAL, GUILD_ID, LOADING, Json

_log = logging.getLogger(__name__)

# discord.py takes a body for text unless the header is exactly this, without a charset.
_JSON_TYPE = "application/json"

V = TypeVar("V")

_DISCORD_EPOCH_MS = 1_420_070_400_000
_HEARTBEAT_MS = 41_250
# Callback types: a new message, a deferred one, a deferred update, an update.
_NEW, _DEFERRED, _DEFERRED_UPDATE, _UPDATE = 4, 5, 6, 7


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot made of one interaction.

    `seconds` runs from dispatch to the arrival of the callback, `at` is the `perf_counter` then.
    `shown` is the message that answers it in the end, also after a promise.
    """

    seconds: float
    at: float
    kind: int
    message: Json | None
    shown: asyncio.Future[Json]

    @property
    def promised(self) -> bool:
        """Whether the bot has said no more than that an answer will come."""
        return self.kind in (_DEFERRED, _DEFERRED_UPDATE)

    @property
    def ephemeral(self) -> bool:
        """Whether only the presser sees the answer, as with a refusal."""
        return self.message is not None and bool(self.message["flags"] & EPHEMERAL)


@dataclass(slots=True)
class _Interaction:
    id: int
    user_id: int
    channel_id: int
    kind: int
    source_id: int | None
    started: float
    future: asyncio.Future[Answer]
    shown: asyncio.Future[Json]
    original_id: int | None = None
    answered: bool = False


class _Recent(OrderedDict[int, V], Generic[V]):
    """A dict of the newest entries, so that a long run does not grow."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: int, value: V) -> None:
        super().__setitem__(key, value)
        if len(self) > self._limit:
            self.popitem(last=False)


@dataclass(slots=True)
class _Session:
    """One gateway connection of the bot."""

    socket: web.WebSocketResponse
    deflate: Any  # zlib has no public name for its compressobj type
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


class LoopbackDiscord:
    """The server, an async context manager; `base_url` is where it listens.

    `unknown` keeps every request that it could not answer.
    """

    def __init__(self, channels: int = 200, members: int = 200, timeout: float = 30.0) -> None:
        self.channel_ids = [payloads.CHANNEL_BASE + n for n in range(channels)]
        self.user_ids = [payloads.USER_BASE + n for n in range(members)]
        self.base_url = ""
        self.unknown: list[str] = []
        self.deletions = 0
        self._timeout = timeout
        self._commands: list[Json] = []
        self._synced = asyncio.Event()
        self._online = asyncio.Event()
        self._session: _Session | None = None
        self._messages: dict[int, Json] = {}
        self._by_channel: dict[int, dict[int, None]] = {cid: {} for cid in self.channel_ids}
        # Nobody ever deletes ephemeral messages and tokens simply expire.
        self._ephemeral: _Recent[Json] = _Recent(1000)
        self._interactions: _Recent[_Interaction] = _Recent(20_000)
        self._gone: dict[int, asyncio.Future[None]] = {}
        self._counter = 0
        self._events: set[asyncio.Task[None]] = set()
        self._runner = web.AppRunner(self._application(), access_log=None, shutdown_timeout=1.0)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port: int = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._session is not None:
            await self._session.socket.close()
        await self._runner.cleanup()

    # What a driver uses

    async def bot_online(self) -> None:
        """Return once the bot has its guild and has synced its commands.

        Raises TimeoutError if that takes too long.
        """
        async with asyncio.timeout(self._timeout):
            await self._online.wait()
            await self._synced.wait()

    def messages(self, channel_id: int) -> list[Json]:
        """Return the messages now in a channel, oldest first."""
        return [self._messages[mid] for mid in self._by_channel[channel_id]]

    def forget(self, message_id: int) -> None:
        """Drop a message that no one needs any more, without telling the bot."""
        body = self._messages.pop(message_id, None)
        if body is not None:
            self._by_channel[int(body["channel_id"])].pop(message_id, None)

    async def slash(
        self,
        user_id: int,
        channel_id: int,
        path: Sequence[str],
        options: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Return the bot's answer to a slash command.

        Raises LookupError for a command that the bot has not synced, TimeoutError for silence.
        """
        data = payloads.command_data(self._commands, path, dict(options or {}))
        data["guild_id"] = str(GUILD_ID)
        return await self._interact(user_id, channel_id, 2, data, None)

    async def press(self, user_id: int, message: Json, custom_id: str) -> Answer:
        """Return the bot's answer to a press on a button of `message`.

        Raises LookupError if no such button can be pressed, TimeoutError for silence.
        """
        for button in payloads.buttons(message):
            if button.get("custom_id") == custom_id and not button.get("disabled"):
                break
        else:
            raise LookupError(f"message {message['id']} has no live button {custom_id!r}")
        data = {"component_type": 2, "custom_id": custom_id, "id": button["id"]}
        return await self._interact(user_id, int(message["channel_id"]), 3, data, message)

    async def wait_gone(self, message_id: int) -> None:
        """Return once the bot has deleted a message; raise TimeoutError if it does not."""
        if message_id not in self._messages:
            return
        loop = asyncio.get_running_loop()
        future = self._gone.setdefault(message_id, loop.create_future())
        async with asyncio.timeout(self._timeout):
            await asyncio.shield(future)

    async def _interact(
        self, user_id: int, channel_id: int, kind: int, data: Json, source: Json | None
    ) -> Answer:
        if self._session is None:
            raise ConnectionError("the bot is not connected")
        snowflake = self._snowflake()
        body = payloads.interaction(snowflake, f"loop{snowflake}", user_id, channel_id)
        body |= {"type": kind, "data": data}
        if source is not None:
            body["message"] = source
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        source_id = int(source["id"]) if source is not None else None
        self._interactions[snowflake] = _Interaction(
            snowflake,
            user_id,
            channel_id,
            kind,
            source_id,
            time.perf_counter(),
            future,
            loop.create_future(),
        )
        await self._session.send(0, body, "INTERACTION_CREATE")
        async with asyncio.timeout(self._timeout):
            return await future

    # Messages

    def _snowflake(self) -> int:
        self._counter += 1
        now_ms = int(time.time() * 1000) - _DISCORD_EPOCH_MS
        return (now_ms << 22) | (self._counter & 0x3FFFFF)

    def _create(self, channel_id: int, fields: Json, extra: Json | None = None) -> Json:
        now = datetime.now(UTC).isoformat()
        body = payloads.message(self._snowflake(), channel_id, now, fields) | (extra or {})
        message_id = int(body["id"])
        if body["flags"] & EPHEMERAL:
            self._ephemeral[message_id] = body
            return body
        self._messages[message_id] = body
        self._by_channel[channel_id][message_id] = None
        self._announce("MESSAGE_CREATE", body | {"guild_id": str(GUILD_ID)})
        return body

    def _respond(self, it: _Interaction, fields: Json) -> Json:
        """Return the new message with which the bot answers an interaction."""
        extra: Json = {
            "type": 20,
            "interaction_metadata": {
                "id": str(it.id),
                "type": it.kind,
                "user": payloads.user(it.user_id),
                "authorizing_integration_owners": {"0": str(GUILD_ID)},
            },
        }
        if it.source_id is not None:
            extra["type"] = 19
            extra["message_reference"] = {
                "type": 0,
                "message_id": str(it.source_id),
                "channel_id": str(it.channel_id),
                "guild_id": str(GUILD_ID),
            }
        return self._create(it.channel_id, fields, extra)

    def _get(self, message_id: int) -> Json:
        body = self._messages.get(message_id) or self._ephemeral.get(message_id)
        if body is None:
            raise _not_found(10008, "Unknown Message")
        return body

    def _edit(self, message_id: int, fields: Json) -> Json:
        body = self._get(message_id)
        # A deferred answer is edited into the real one and stops loading.
        flags = (fields.pop("flags", None) or 0) | (body["flags"] & ~LOADING)
        payloads.merge(body, fields | {"flags": flags})
        body["edited_timestamp"] = datetime.now(UTC).isoformat()
        if message_id in self._messages:
            self._announce("MESSAGE_UPDATE", body | {"guild_id": str(GUILD_ID)})
        return body

    def _delete(self, message_id: int) -> web.Response:
        body = self._get(message_id)
        self._ephemeral.pop(message_id, None)
        self.forget(message_id)
        self.deletions += 1
        gone = self._gone.pop(message_id, None)
        if gone is not None:
            gone.set_result(None)
        event = {"id": str(message_id), "channel_id": body["channel_id"]}
        self._announce("MESSAGE_DELETE", event | {"guild_id": str(GUILD_ID)})
        return web.Response(status=204)

    def _announce(self, event: str, body: Json) -> None:
        """Tell the bot of a message event, if it subscribed to those of guilds."""
        if self._session is None or not self._session.intents & payloads.GUILD_MESSAGES:
            return
        task = asyncio.create_task(self._session.send(0, body, event))
        self._events.add(task)
        task.add_done_callback(self._events.discard)

    # HTTP routes

    def _application(self) -> web.Application:
        app = web.Application(client_max_size=1 << 22)
        api = "/api/v10"
        channel = f"{api}/channels/{{channel}}/messages"
        hook = f"{api}/webhooks/{{app}}/{{token}}"
        route = app.router.add_route
        route("GET", f"{api}/users/@me", self._me)
        route("GET", f"{api}/oauth2/applications/@me", self._application_info)
        route("GET", f"{api}/gateway", self._gateway_url)
        route("GET", f"{api}/gateway/bot", self._gateway_url)
        route("GET", "/gateway", self._gateway)
        route("GET", f"{api}/applications/{{app}}/commands", self._get_commands)
        route("PUT", f"{api}/applications/{{app}}/commands", self._put_commands)
        route("POST", f"{api}/interactions/{{id}}/{{token}}/callback", self._callback)
        route("POST", hook, self._followup)
        for path in (f"{hook}/messages/{{message}}", f"{channel}/{{message}}"):
            route("GET", path, self._get_message)
            route("PATCH", path, self._patch_message)
            route("DELETE", path, self._delete_message)
        route("GET", channel, self._list_messages)
        route("POST", channel, self._post_message)
        route("*", "/{anything:.*}", self._unknown_route)
        return app

    async def _me(self, request: web.Request) -> web.Response:
        return _json(payloads.user(APP_ID) | {"verified": True, "mfa_enabled": True})

    async def _application_info(self, request: web.Request) -> web.Response:
        return _json(payloads.application())

    async def _gateway_url(self, request: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
        url = self.base_url.replace("http", "ws", 1) + "/gateway"
        return _json({"url": url, "shards": 1, "session_start_limit": limit})

    async def _get_commands(self, request: web.Request) -> web.Response:
        return _json(self._commands)

    async def _put_commands(self, request: web.Request) -> web.Response:
        self._commands = [
            {"description": ""}  # the entry of a member's menu has none of its own
            | command
            | {
                "id": str(self._snowflake()),
                "application_id": str(APP_ID),
                "version": str(self._snowflake()),
            }
            for command in await request.json()
        ]
        self._synced.set()
        return _json(self._commands)

    async def _callback(self, request: web.Request) -> web.Response:
        arrived = time.perf_counter()
        it = self._interaction(request)
        if it.answered:
            raise _error(400, 40060, "Interaction has already been acknowledged.")
        payload = await request.json()
        kind: int = payload["type"]
        message = self._apply(it, kind, payload.get("data") or {})
        it.answered = True
        if message is not None:
            it.original_id = int(message["id"])
        if not it.future.done():
            it.future.set_result(Answer(arrived - it.started, arrived, kind, message, it.shown))
        if message is not None and kind in (_NEW, _UPDATE):
            it.shown.set_result(message)
        if request.query.get("with_response") not in ("1", "true"):
            return web.Response(status=204)
        return _json(_callback_body(it, kind, message))

    def _apply(self, it: _Interaction, kind: int, fields: Json) -> Json | None:
        """Return the message that a callback created, changed or (deferred) leaves as it is."""
        if kind == _NEW:
            return self._respond(it, fields)
        if kind == _DEFERRED:
            return self._respond(it, {"flags": (fields.get("flags") or 0) | LOADING})
        if kind == _DEFERRED_UPDATE and it.source_id is not None:
            return self._messages.get(it.source_id)
        if kind == _UPDATE and it.source_id is not None:
            return self._edit(it.source_id, fields)
        self._remember(f"callback of type {kind}")
        raise _error(400, 50035, f"callback type {kind} is not supported here")

    async def _followup(self, request: web.Request) -> web.Response:
        it, fields = self._interaction(request), await request.json()
        promise = self._messages.get(it.original_id or 0)
        if promise is not None and promise["flags"] & LOADING:
            message = self._edit(int(promise["id"]), fields)
        else:
            message = self._respond(it, fields)
        if not it.shown.done():
            it.shown.set_result(message)
        return _json(message)

    async def _get_message(self, request: web.Request) -> web.Response:
        return _json(self._get(self._message_id(request)))

    async def _patch_message(self, request: web.Request) -> web.Response:
        fields = await request.json()
        return _json(self._edit(self._message_id(request), fields))

    async def _delete_message(self, request: web.Request) -> web.Response:
        return self._delete(self._message_id(request))

    async def _list_messages(self, request: web.Request) -> web.Response:
        newest_first = self.messages(self._channel_id(request))[::-1]
        return _json(newest_first[: int(request.query.get("limit", 50))])

    async def _post_message(self, request: web.Request) -> web.Response:
        return _json(self._create(self._channel_id(request), await request.json()))

    async def _unknown_route(self, request: web.Request) -> web.Response:
        self._remember(f"{request.method} {request.path_qs}")
        raise _not_found(0, "404: Not Found")

    def _remember(self, what: str) -> None:
        _log.error("the loopback Discord does not know: %s", what)
        self.unknown.append(what)

    def _interaction(self, request: web.Request) -> _Interaction:
        """Return the interaction whose token is in the path; raise 404 for any other."""
        number = request.match_info["token"].removeprefix("loop")
        it = self._interactions.get(int(number)) if number.isdecimal() else None
        if it is None:
            raise _not_found(10062, "Unknown interaction")
        return it

    def _channel_id(self, request: web.Request) -> int:
        channel_id = int(request.match_info["channel"])
        if channel_id not in self._by_channel:
            raise _not_found(10003, "Unknown Channel")
        return channel_id

    def _message_id(self, request: web.Request) -> int:
        name = request.match_info["message"]
        if name != "@original":
            return int(name)
        original_id = self._interaction(request).original_id
        if original_id is None:
            raise _not_found(10015, "Unknown Webhook")
        return original_id

    # The gateway

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        compression = request.query.get("compress")
        if compression not in (None, "zlib-stream"):
            self._remember(f"gateway compression {compression}")
            raise web.HTTPBadRequest(text="zlib-stream only")
        socket = web.WebSocketResponse(compress=False, max_msg_size=1 << 22)
        await socket.prepare(request)
        session = _Session(socket, zlib.compressobj() if compression else None)
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
                pass  # a presence: nobody looks at it
            case 6:
                await session.send(9, False)  # no resuming: the bot identifies anew
            case op:
                self._remember(f"gateway op {op}")

    async def _identify(self, session: _Session, data: Json) -> None:
        session.intents = data["intents"]
        self._session = session
        ready = {
            "v": 10,
            "user": payloads.user(APP_ID),
            "guilds": [{"id": str(GUILD_ID), "unavailable": True}],
            "session_id": "loopback",
            "resume_gateway_url": self.base_url.replace("http", "ws", 1) + "/gateway",
            "shard": data.get("shard", [0, 1]),
            "application": {"id": str(APP_ID), "flags": 0},
        }
        await session.send(0, ready, "READY")
        # Without the members intent Discord sends the bot's own member only.
        everyone = [APP_ID, *self.user_ids]
        told = everyone if session.intents & payloads.GUILD_MEMBERS else [APP_ID]
        guild = payloads.guild(self.channel_ids, told, len(everyone))
        await session.send(0, guild, "GUILD_CREATE")
        self._online.set()


def _callback_body(it: _Interaction, kind: int, message: Json | None) -> Json:
    """Return Discord's InteractionCallbackResponse; only types 4 and 7 show the message."""
    about: Json = {"id": str(it.id), "type": it.kind}
    resource: Json = {"type": kind}
    if message is not None:
        about["response_message_id"] = message["id"]
        about["response_message_loading"] = bool(message["flags"] & LOADING)
        about["response_message_ephemeral"] = bool(message["flags"] & EPHEMERAL)
        if kind in (_NEW, _UPDATE):
            resource["message"] = message
    return {"interaction": about, "resource": resource}


def _json(body: Json | list[Json]) -> web.Response:
    return web.Response(body=json.dumps(body).encode(), headers={"Content-Type": _JSON_TYPE})


def _error(status: int, code: int, text: str) -> web.HTTPException:
    kinds = {400: web.HTTPBadRequest, 404: web.HTTPNotFound}
    error = kinds[status](text=json.dumps({"code": code, "message": text}))
    error.headers["Content-Type"] = _JSON_TYPE
    return error


def _not_found(code: int, text: str) -> web.HTTPException:
    return _error(404, code, text)
