"""The kinds of the bot's calls, as Discord's limits and the faults tell them apart."""

import time
from dataclasses import dataclass
from enum import StrEnum

from aiohttp import web
from discord.utils import snowflake_time


class Kind(StrEnum):
    """A kind of call."""

    CALLBACK = "callback"  # the first answer to an interaction
    FOLLOWUP = "followup"  # a further message by its token
    TOKEN_EDIT = "token edit"
    TOKEN_DELETE = "token delete"
    TOKEN_GET = "token get"
    CREATE = "create"  # a message in a channel, by the bot's own token
    EDIT = "edit"
    DELETE = "delete"
    GET = "get"
    OTHER = "other"


_BY_TOKEN = {
    "POST": Kind.FOLLOWUP,
    "PATCH": Kind.TOKEN_EDIT,
    "DELETE": Kind.TOKEN_DELETE,
    "GET": Kind.TOKEN_GET,
}
_IN_CHANNEL = {
    "POST": Kind.CREATE,
    "PATCH": Kind.EDIT,
    "DELETE": Kind.DELETE,
    "GET": Kind.GET,
}


@dataclass(frozen=True, slots=True)
class Call:
    """A call: its kind, the interaction's token or the channel that it is about, the message.

    `authorized` tells whether it carries the bot's token: only those count for the global limit.
    """

    kind: Kind
    about: str
    message: str
    authorized: bool


def call_of(request: web.Request) -> Call:
    """Return which call a request is."""
    info = request.match_info
    message = info.get("message", "")
    authorized = "Authorization" in request.headers
    if (token := info.get("token")) is not None:
        kind = Kind.CALLBACK if "id" in info else _BY_TOKEN[request.method]
        return Call(kind, token, message, authorized)
    if (channel := info.get("channel")) is not None:
        return Call(_IN_CHANNEL[request.method], channel, message, authorized)
    return Call(Kind.OTHER, f"{request.method} {request.path}", message, authorized)


def age(snowflake: int) -> float:
    """Return how many seconds ago an id was made."""
    return time.time() - snowflake_time(snowflake).timestamp()
