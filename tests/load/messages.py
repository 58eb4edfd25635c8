"""The messages of the loopback Discord, all sent by the bot."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Generic, TypeVar

from discord.utils import DISCORD_EPOCH

from . import payloads
from .gateway import Gateway
from .payloads import EPHEMERAL, LOADING, Json
from .responses import not_found
from .threads import Threads

V = TypeVar("V")


class Recent(OrderedDict[int, V], Generic[V]):
    """A dict that keeps the newest entries only, so that long runs don't grow."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: int, value: V) -> None:
        super().__setitem__(key, value)
        if len(self) > self._limit:
            self.popitem(last=False)


class Messages:
    """The messages in all channels; the gateway announces each change to the bot.

    The functions in `on_shown` are called with each public message that is new or has changed.
    """

    def __init__(self, channel_ids: Iterable[int], gateway: Gateway) -> None:
        self._gateway = gateway
        self._messages: dict[int, Json] = {}
        self._by_channel: dict[int, dict[int, None]] = {cid: {} for cid in channel_ids}
        self._by_nonce: Recent[Json] = Recent(5000)
        self.threads = Threads()
        # Nothing ever deletes ephemeral messages.
        self._ephemeral: Recent[Json] = Recent(1000)
        self._gone: dict[int, asyncio.Future[None]] = {}
        self._counter = 0
        self.on_shown: list[Callable[[Json], None]] = []

    def snowflake(self) -> int:
        """Return a new id, larger than all before."""
        self._counter += 1
        now_ms = int(time.time() * 1000) - DISCORD_EPOCH
        return (now_ms << 22) | (self._counter & 0x3FFFFF)

    def of(self, channel_id: int) -> list[Json]:
        """Return the messages in a channel, oldest first."""
        return [self._messages[mid] for mid in self._by_channel[channel_id]]

    def open_thread(self, parent_id: int, fields: Json) -> Json:
        """Open a thread in a channel, and return it."""
        body = self.threads.open(parent_id, fields)
        self._by_channel[int(body["id"])] = {}
        self._gateway.announce("THREAD_CREATE", body | {"channel_id": body["id"]})
        return body

    def has_channel(self, channel_id: int) -> bool:
        """Return whether the channel exists."""
        return channel_id in self._by_channel

    def find(self, message_id: int | None) -> Json | None:
        """Return a public message, or None if there is none."""
        return self._messages.get(message_id or 0)

    def get(self, message_id: int) -> Json:
        """Return a message, public or ephemeral; raise Discord's 404 if there is none."""
        body = self._messages.get(message_id) or self._ephemeral.get(message_id)
        if body is None:
            raise not_found(10008, "Unknown Message")
        return body

    def create(self, channel_id: int, fields: Json, extra: Json | None = None) -> Json:
        """Create a message from the bot's body and `extra`; return it.

        A message that the bot has already sent with this nonce is returned instead, as at Discord.
        """
        nonce = hash((channel_id, str(fields["nonce"]))) if fields.get("enforce_nonce") else 0
        if nonce in self._by_nonce:
            return self._by_nonce[nonce]
        now = datetime.now(UTC).isoformat()
        body = payloads.message(self.snowflake(), channel_id, now, fields) | (extra or {})
        message_id = int(body["id"])
        if body["flags"] & EPHEMERAL:
            self._ephemeral[message_id] = body
            return body
        self._messages[message_id] = body
        self._by_channel[channel_id][message_id] = None
        if nonce:
            self._by_nonce[nonce] = body
        thread = self.threads.find(channel_id)
        if thread is not None:
            thread["last_message_id"] = body["id"]
        self._tell_shown(body)
        self._gateway.announce("MESSAGE_CREATE", body)
        return body

    def edit(self, message_id: int, fields: Json) -> Json:
        """Edit a message and return it; raise Discord's 404 if there is none."""
        body = self.get(message_id)
        # Editing a deferred answer completes it, and the client stops showing it as loading.
        flags = (fields.pop("flags", None) or 0) | (body["flags"] & ~LOADING)
        payloads.merge(body, fields | {"flags": flags})
        body["edited_timestamp"] = datetime.now(UTC).isoformat()
        if not any(payloads.buttons(body)):
            self._tell_gone(message_id)
        if message_id in self._messages:
            self._tell_shown(body)
            self._gateway.announce("MESSAGE_UPDATE", body)
        return body

    def delete(self, message_id: int) -> None:
        """Delete a message; raise Discord's 404 if there is none."""
        body = self.get(message_id)
        self._ephemeral.pop(message_id, None)
        self.forget(message_id)
        self._tell_gone(message_id)
        event = {"id": str(message_id), "channel_id": body["channel_id"]}
        self._gateway.announce("MESSAGE_DELETE", event)

    def forget(self, message_id: int) -> None:
        """Drop a message that is no longer needed, without telling the bot."""
        body = self._messages.pop(message_id, None)
        if body is not None:
            self._by_channel[int(body["channel_id"])].pop(message_id, None)

    async def wait_gone(self, message_id: int) -> None:
        """Wait until the bot has deleted a message, or taken away its buttons."""
        body = self._messages.get(message_id)
        if body is None or not any(payloads.buttons(body)):
            return
        loop = asyncio.get_running_loop()
        await asyncio.shield(self._gone.setdefault(message_id, loop.create_future()))

    def _tell_gone(self, message_id: int) -> None:
        gone = self._gone.pop(message_id, None)
        if gone is not None:
            gone.set_result(None)

    def _tell_shown(self, body: Json) -> None:
        for tell in self.on_shown:
            tell(body)
