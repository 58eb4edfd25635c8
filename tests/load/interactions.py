"""Interactions of the loopback Discord, and the bot's answers."""

import asyncio
import time
from dataclasses import dataclass, field

from . import payloads
from .gateway import Gateway
from .limits import ENDLESS, Lifetimes
from .messages import Messages, Recent
from .payloads import EPHEMERAL, LOADING, Json
from .responses import Unknown, error, not_found

# Callback types: a new message, a deferred one, a deferred update, an update.
_NEW, _DEFERRED, _DEFERRED_UPDATE, _UPDATE = 4, 5, 6, 7
_MARK = "…"
# The most followups of an interaction where the bot isn't installed on a server.
_MOST_FOLLOWUPS = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """The bot's answer to an interaction.

    `seconds` is the time from dispatch to the callback, and `at` the `perf_counter` at its arrival.
    `shown` is the message that finally answers, even after a deferral.
    """

    seconds: float
    at: float
    kind: int
    message: Json | None
    shown: asyncio.Future[Json]

    @property
    def promised(self) -> bool:
        """Whether the bot has only deferred its answer so far."""
        return self.kind in (_DEFERRED, _DEFERRED_UPDATE)

    @property
    def ephemeral(self) -> bool:
        """Whether the answer is private, as a refusal is."""
        return self.message is not None and bool(self.message["flags"] & EPHEMERAL)


def token_of(interaction_id: int) -> str:
    """Return the token of an interaction."""
    return f"loop{interaction_id}"


@dataclass(slots=True)
class Interaction:
    """A press or a command of a member; `told` is its custom id or name.

    `started` is a `perf_counter`.
    """

    id: int
    user_id: int
    channel_id: int
    kind: int
    source_id: int | None
    started: float
    told: str
    future: asyncio.Future[Answer]
    shown: asyncio.Future[Json]
    original_id: int | None = None
    answered: bool = False
    followups: list[int] = field(default_factory=list)

    @property
    def token(self) -> str:
        """The token by which the bot answers."""
        return token_of(self.id)

    @property
    def age(self) -> float:
        """How many seconds ago it was sent."""
        return time.perf_counter() - self.started


class Interactions:
    """Members' presses and commands, by token."""

    def __init__(
        self,
        messages: Messages,
        gateway: Gateway,
        unknown: Unknown,
        lifetimes: Lifetimes = ENDLESS,
        *,
        private: bool = False,
    ) -> None:
        self._messages = messages
        self._lifetimes = lifetimes
        self._private = private
        self._gateway = gateway
        self._unknown = unknown
        self.begun = 0
        # Bounded, since tokens expire.
        self._interactions: Recent[Interaction] = Recent(20_000)

    async def begin(
        self, user_id: int, channel_id: int, kind: int, data: Json, source: Json | None = None
    ) -> Answer:
        """Send an interaction and return the bot's answer; `source` is the message of a press.

        Raises ConnectionError if the bot isn't connected.
        """
        self.begun += 1
        snowflake = self._messages.snowflake()
        thread = self._messages.threads.find(channel_id)
        body = payloads.interaction(snowflake, token_of(snowflake), user_id, channel_id, thread)
        if self._private:
            body = payloads.privately(body, user_id)
        body |= {"type": kind, "data": data}
        if source is not None:
            body["message"] = source
        loop = asyncio.get_running_loop()
        it = self._interactions[snowflake] = Interaction(
            snowflake,
            user_id,
            channel_id,
            kind,
            int(source["id"]) if source is not None else None,
            time.perf_counter(),
            str(data.get("custom_id") or data.get("name")),
            loop.create_future(),
            loop.create_future(),
        )
        await self._gateway.dispatch("INTERACTION_CREATE", body)
        return await it.future

    def message_id(self, token: str, name: str) -> int:
        """Return the id of a message that the token reaches, by its id or as `@original`.

        It reaches the message that was pressed and the answers to the interaction. Raises Discord's
        errors for any other, and for a token that is unknown or too old.
        """
        it = self._by_token(token)
        if name == "@original":
            if it.original_id is None:
                raise not_found(10015, "Unknown Webhook")
            return it.original_id
        if int(name) not in (it.source_id, it.original_id, *it.followups):
            raise not_found(10008, "Unknown Message")
        return int(name)

    def call_back(self, token: str, payload: Json, arrived: float) -> Json:
        """Record the bot's first answer and return Discord's InteractionCallbackResponse.

        Raises Discord's errors for an unknown token, a second answer, and an unknown callback type.
        """
        it = self._of(token)
        if it.age > self._lifetimes.answer:
            raise not_found(10062, "Unknown interaction")
        if it.answered:
            raise error(400, 40060, "Interaction has already been acknowledged.")
        kind: int = payload["type"]
        message = self._apply(it, kind, payload.get("data") or {})
        it.answered = True
        if message is not None:
            it.original_id = int(message["id"])
        if not it.future.done():
            it.future.set_result(Answer(arrived - it.started, arrived, kind, message, it.shown))
        if message is not None and kind in (_NEW, _UPDATE):
            it.shown.set_result(message)
        return _callback_body(it, kind, message)

    def follow_up(self, token: str, fields: Json) -> Json:
        """Return the message of a later answer: the deferred one, or a new one."""
        it = self._by_token(token)
        if not it.answered:
            raise not_found(10015, "Unknown Webhook")
        promise = self._messages.find(it.original_id)
        if promise is not None and promise["flags"] & LOADING:
            message = self._messages.edit(int(promise["id"]), fields)
        else:
            if self._private and len(it.followups) >= _MOST_FOLLOWUPS:
                raise error(400, 40094, "Maximum number of follow up messages reached")
            message = self._respond(it, fields)
            it.followups.append(int(message["id"]))
        if not it.shown.done():
            it.shown.set_result(message)
        return message

    def edited(self, token: str, message: Json) -> None:
        """Note that the bot has edited a message by a token: that can be the promised answer.

        Where the promise was public and the answer is private, the bot puts a mark in the place of
        the promise, and removes it after it has answered.
        """
        it = self._of(token)
        if not it.shown.done() and message["content"] != _MARK:
            it.shown.set_result(message)

    def unsettled(self) -> list[Interaction]:
        """Return the interactions that had no answer, or only the promise of one."""
        return [it for it in self._interactions.values() if not it.shown.done()]

    def channel_of(self, token: str) -> str | None:
        """Return the channel of an interaction by its token, None for anything else."""
        it = self._find(token)
        return str(it.channel_id) if it is not None else None

    def told(self, token: str) -> str | None:
        """Return the request of an interaction by its token, None for anything else."""
        it = self._find(token)
        if it is None:
            return None
        return f"{it.told} ({it.id}" + (f" on {it.source_id})" if it.source_id else ")")

    def _find(self, token: str) -> Interaction | None:
        number = token.removeprefix("loop")
        return self._interactions.get(int(number)) if number.isdecimal() else None

    def _by_token(self, token: str) -> Interaction:
        it = self._of(token)
        if it.age > self._lifetimes.token:
            raise error(401, 50027, "Invalid Webhook Token")
        return it

    def _of(self, token: str) -> Interaction:
        it = self._find(token)
        if it is None:
            raise not_found(10062, "Unknown interaction")
        return it

    def _apply(self, it: Interaction, kind: int, fields: Json) -> Json | None:
        """Return the message that a callback created, edited or (deferred) left unchanged."""
        if kind == _NEW:
            return self._respond(it, fields)
        if kind == _DEFERRED:
            return self._respond(it, {"flags": (fields.get("flags") or 0) | LOADING})
        if kind == _DEFERRED_UPDATE and it.source_id is not None:
            return self._messages.find(it.source_id)
        if kind == _UPDATE and it.source_id is not None:
            return self._messages.edit(it.source_id, fields)
        self._unknown.note(f"callback of type {kind}")
        raise error(400, 50035, f"callback type {kind} is not supported here")

    def _respond(self, it: Interaction, fields: Json) -> Json:
        """Return the new message with which the bot answers an interaction."""
        guild_id = str(payloads.guild_of(it.channel_id))
        extra: Json = {
            "type": 20,
            "interaction_metadata": {
                "id": str(it.id),
                "type": it.kind,
                "user": payloads.user(it.user_id),
                "authorizing_integration_owners": {"0": guild_id},
            },
        }
        if it.source_id is not None:
            extra["type"] = 19
            extra["message_reference"] = {
                "type": 0,
                "message_id": str(it.source_id),
                "channel_id": str(it.channel_id),
                "guild_id": guild_id,
            }
        return self._messages.create(it.channel_id, fields, extra)


def _callback_body(it: Interaction, kind: int, message: Json | None) -> Json:
    """Return the body of the callback's response; only types 4 and 7 include the message."""
    about: Json = {"id": str(it.id), "type": it.kind}
    resource: Json = {"type": kind}
    if message is not None:
        about["response_message_id"] = message["id"]
        about["response_message_loading"] = bool(message["flags"] & LOADING)
        about["response_message_ephemeral"] = bool(message["flags"] & EPHEMERAL)
        if kind in (_NEW, _UPDATE):
            resource["message"] = message
    return {"interaction": about, "resource": resource}
