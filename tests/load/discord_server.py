"""A Discord on 127.0.0.1, with as much of API v10 as one bot process needs.

The bot speaks real HTTP and a real gateway websocket with this server. The driver calls `slash`
and `press`, which return the bot's response times. There is no TLS, and without `Limits` and
`Lifetimes` there are no limits, so the measurements cover the bot's own work.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from . import payloads
from .calls import Call, Kind, call_of
from .faults import Faults
from .gateway import Gateway
from .interactions import Answer, Interactions
from .journal import Journal
from .limits import ENDLESS, Handler, Lifetimes, Limits
from .messages import Messages
from .payloads import APP_ID, Json
from .reading import read
from .responses import Unknown, as_json, error, fields_of, not_found

_COMMAND, _PRESS = 2, 3  # interaction types
_LOOK_EVERY_SECONDS = 0.01
# On a busy machine; shards identify in turns of five seconds.
_START_SECONDS = 180.0


class LoopbackDiscord:
    """The server, an async context manager; `base_url` is its address.

    Each of its guilds has `channels` channels, and all members.

    `unknown` keeps every request that it couldn't answer, and a `journal` what the others did.
    `gateway`, `shown` and `interactions` are its parts.
    """

    def __init__(
        self,
        channels: int = 200,
        members: int = 200,
        guilds: int = 1,
        timeout: float = 30.0,
        limits: Limits | None = None,
        lifetimes: Lifetimes = ENDLESS,
        faults: Faults | None = None,
        journal: Journal | None = None,
        *,
        private: bool = False,
    ) -> None:
        self.channel_ids = [
            payloads.CHANNEL_BASE + guild * payloads.CHANNELS_A_GUILD + n
            for n in range(channels)
            for guild in range(guilds)
        ]
        self.user_ids = [payloads.USER_BASE + n for n in range(members)]
        self.base_url = ""
        self.unknown = Unknown()
        # The bot's calls of its own in `private` channels (direct messages of members).
        self.refused: list[str] = []
        self._private = private
        self._timeout = timeout
        self._limits = limits
        self._faults = faults
        self._journal = journal
        self._commands: list[Json] = []
        self._synced = asyncio.Event()
        self.gateway = Gateway(self.channel_ids, self.user_ids, self.unknown)
        self.shown = Messages(self.channel_ids, self.gateway)
        self.gateway.threads = self.shown.threads.of
        self.interactions = Interactions(
            self.shown, self.gateway, self.unknown, lifetimes, private=private
        )
        if faults is not None:
            faults.place, faults.remove = self._place, self.shown.forget
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
        await self.gateway.close()
        await self._runner.cleanup()

    # The driver's interface

    async def bot_online(self, identified: Mapping[int, int] | None = None) -> None:
        """Wait until the bot has its guilds and has synced its commands.

        It has them once each shard has identified itself as often as `identified` says; by default,
        one shard once. Raises TimeoutError if that takes too long.
        """
        async with asyncio.timeout(max(self._timeout, _START_SECONDS)):
            await self.gateway.until_identified(identified or {0: 1})
            await self._synced.wait()

    def messages(self, channel_id: int) -> list[Json]:
        """Return the messages in a channel, oldest first."""
        return self.shown.of(channel_id)

    def forget(self, message_id: int) -> None:
        """Drop a message that is no longer needed, without telling the bot."""
        self.shown.forget(message_id)

    async def slash(
        self,
        user_id: int,
        channel_id: int,
        path: Sequence[str],
        options: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Send a slash command and return the bot's answer.

        Raises LookupError if the command isn't synced, and TimeoutError without an answer.
        """
        data = payloads.command_data(self._commands, path, dict(options or {}))
        if self._private:
            data.get("resolved", {}).pop("members", None)
        else:
            data["guild_id"] = str(payloads.guild_of(channel_id))
        async with asyncio.timeout(self._timeout):
            return await self.interactions.begin(user_id, channel_id, _COMMAND, data)

    async def press(
        self, user_id: int, message: Json, custom_id: str, value: str | None = None
    ) -> Answer:
        """Press a button on `message`, or choose `value` in a menu, and return the bot's answer.

        Raises LookupError if the button can't be pressed, and TimeoutError without an answer.
        """
        kind = payloads.BUTTON if value is None else payloads.SELECT
        for part in payloads.parts(message):
            if (part["type"], part.get("custom_id")) == (kind, custom_id):
                break
        else:
            raise LookupError(f"message {message['id']} has no button or menu {custom_id!r}")
        if part.get("disabled"):
            raise LookupError(f"{custom_id!r} can't be pressed")
        data = {"component_type": kind, "custom_id": custom_id, "id": part["id"]}
        if value is not None:
            data["values"] = [value]
        channel_id = int(message["channel_id"])
        async with asyncio.timeout(self._timeout):
            return await self.interactions.begin(user_id, channel_id, _PRESS, data, message)

    async def answered(self, board: Json) -> Json:
        """Return a board as it is when the computer isn't thinking on it any more."""
        while read(board).thinking:
            await asyncio.sleep(_LOOK_EVERY_SECONDS)
            board = next(
                m for m in self.messages(int(board["channel_id"])) if m["id"] == board["id"]
            )
        return board

    async def wait_gone(self, message_id: int) -> None:
        """Wait until the bot has deleted a message, or taken away its buttons.

        Raises TimeoutError if it doesn't.
        """
        async with asyncio.timeout(self._timeout):
            await self.shown.wait_gone(message_id)

    # HTTP routes

    def _application(self) -> web.Application:
        middlewares = [self._limited, self._faulty, self._noted]
        app = web.Application(client_max_size=1 << 22, middlewares=middlewares)
        api = "/api/v10"
        channel = f"{api}/channels/{{channel}}/messages"
        hook = f"{api}/webhooks/{{app}}/{{token}}"
        route = app.router.add_route
        route("GET", f"{api}/users/@me", self._me)
        route("GET", f"{api}/oauth2/applications/@me", self._application_info)
        route("GET", f"{api}/gateway", self._gateway_url)
        route("GET", f"{api}/gateway/bot", self._gateway_url)
        route("GET", "/gateway", self.gateway.connect)
        route("GET", f"{api}/guilds/{{guild}}/members/{{member}}", self._member)
        route("GET", f"{api}/applications/{{app}}/commands", self._get_commands)
        route("PUT", f"{api}/applications/{{app}}/commands", self._put_commands)
        route("POST", f"{api}/interactions/{{id}}/{{token}}/callback", self._callback)
        route("POST", hook, self._followup)
        for path in (f"{hook}/messages/{{message}}", f"{channel}/{{message}}"):
            route("GET", path, self._get_message)
            route("PATCH", path, self._patch_message)
            route("DELETE", path, self._delete_message)
        route("GET", f"{api}/channels/{{channel}}", self._get_channel)
        route("POST", f"{api}/channels/{{channel}}/threads", self._open_thread)
        route("GET", channel, self._list_messages)
        route("POST", channel, self._post_message)
        route("*", "/{anything:.*}", self._unknown_route)
        return app

    @web.middleware
    async def _limited(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if self._limits is None:
            return await handler(request)
        return await self._limits.apply(request, handler)

    @web.middleware
    async def _faulty(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if self._faults is None or request.path == "/gateway":
            return await handler(request)
        return await self._faults.apply(request, handler)

    @web.middleware
    async def _noted(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            response = await handler(request)
        except web.HTTPException as error:
            self._note(request, error)
            raise
        self._note(request, response)
        return response

    def _note(self, request: web.Request, response: web.StreamResponse) -> None:
        call = call_of(request)
        if self._journal is not None and call.kind is not Kind.OTHER:
            asked = self.interactions.told(call.about) or "the bot"
            self._journal.note(call, self._place(call), asked, response)

    def _place(self, call: Call) -> str:
        """Return the channel that a call is about; if none is known, its `about`."""
        return self.interactions.channel_of(call.about) or call.about

    async def _me(self, request: web.Request) -> web.Response:
        return as_json(payloads.user(APP_ID) | {"verified": True, "mfa_enabled": True})

    async def _application_info(self, request: web.Request) -> web.Response:
        return as_json(payloads.application())

    async def _gateway_url(self, request: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
        url = self.base_url.replace("http", "ws", 1) + "/gateway"
        return as_json({"url": url, "shards": 1, "session_start_limit": limit})

    async def _member(self, request: web.Request) -> web.Response:
        member = int(request.match_info["member"])
        if member not in self.user_ids or member in self.gateway.left:
            raise not_found(10007, "Unknown Member")
        return as_json(payloads.member(member))

    async def _get_commands(self, request: web.Request) -> web.Response:
        return as_json(self._commands)

    async def _put_commands(self, request: web.Request) -> web.Response:
        self._commands = [
            {"description": ""}  # a command in a context menu has no description
            | command
            | {
                "id": str(self.shown.snowflake()),
                "application_id": str(APP_ID),
                "version": str(self.shown.snowflake()),
            }
            for command in await request.json()
        ]
        self._synced.set()
        return as_json(self._commands)

    async def _callback(self, request: web.Request) -> web.Response:
        arrived = time.perf_counter()
        payload = await fields_of(request)
        body = self.interactions.call_back(request.match_info["token"], payload, arrived)
        if request.query.get("with_response") not in ("1", "true"):
            return web.Response(status=204)
        return as_json(body)

    async def _followup(self, request: web.Request) -> web.Response:
        fields = await fields_of(request)
        return as_json(self.interactions.follow_up(request.match_info["token"], fields))

    async def _get_message(self, request: web.Request) -> web.Response:
        return as_json(self.shown.get(self._message_id(request)))

    async def _patch_message(self, request: web.Request) -> web.Response:
        fields = await fields_of(request)
        message = self.shown.edit(self._message_id(request), fields)
        if "token" in request.match_info:
            self.interactions.edited(request.match_info["token"], message)
        return as_json(message)

    async def _delete_message(self, request: web.Request) -> web.Response:
        self.shown.delete(self._message_id(request))
        return web.Response(status=204)

    async def _get_channel(self, request: web.Request) -> web.Response:
        channel_id = self._channel_id(request)
        return as_json(self.shown.threads.find(channel_id) or payloads.channel(channel_id))

    async def _open_thread(self, request: web.Request) -> web.Response:
        fields = await request.json()
        return as_json(self.shown.open_thread(self._channel_id(request), fields))

    async def _list_messages(self, request: web.Request) -> web.Response:
        newest_first = self.shown.of(self._channel_id(request))[::-1]
        return as_json(newest_first[: int(request.query.get("limit", 50))])

    async def _post_message(self, request: web.Request) -> web.Response:
        return as_json(self.shown.create(self._channel_id(request), await fields_of(request)))

    async def _unknown_route(self, request: web.Request) -> web.Response:
        self.unknown.note(f"{request.method} {request.path_qs}")
        raise not_found(0, "404: Not Found")

    def _check_member(self, request: web.Request) -> None:
        """Raise Discord's error for a channel in which the bot is no member."""
        if self._private:
            self.refused.append(f"{request.method} {request.path}")
            raise error(403, 50001, "Missing Access")

    def _channel_id(self, request: web.Request) -> int:
        self._check_member(request)
        channel_id = int(request.match_info["channel"])
        if not self.shown.has_channel(channel_id):
            raise not_found(10003, "Unknown Channel")
        return channel_id

    def _message_id(self, request: web.Request) -> int:
        name = request.match_info["message"]
        if "token" in request.match_info:
            return self.interactions.message_id(request.match_info["token"], name)
        self._check_member(request)
        return int(name)
