"""The HTTP responses of the loopback Discord, and the requests it can't answer."""

import json
import logging

from aiohttp import web

from .payloads import Json

_log = logging.getLogger(__name__)

# discord.py parses a body as JSON only if the header is exactly this, without a charset.
_JSON_TYPE = "application/json"


class Unknown(list[str]):
    """The bot's requests that couldn't be answered."""

    def note(self, what: str) -> None:
        """Record a request and log it."""
        _log.error("the loopback Discord does not know: %s", what)
        self.append(what)


def as_json(body: Json | list[Json]) -> web.Response:
    """Return a response with this JSON body."""
    return web.Response(body=json.dumps(body).encode(), headers={"Content-Type": _JSON_TYPE})


def error(status: int, code: int, text: str) -> web.HTTPException:
    """Return one of Discord's errors, to be raised; `code` is Discord's error code."""
    kinds = {
        400: web.HTTPBadRequest,
        401: web.HTTPUnauthorized,
        403: web.HTTPForbidden,
        404: web.HTTPNotFound,
    }
    response = kinds[status](text=json.dumps({"code": code, "message": text}))
    response.headers["Content-Type"] = _JSON_TYPE
    return response


async def fields_of(request: web.Request) -> Json:
    """Return the JSON body of a request; with files it is one of several parts."""
    if request.content_type != "multipart/form-data":
        body: Json = await request.json()
        return body
    form = await request.post()
    fields: Json = json.loads(str(form["payload_json"]))
    return fields


def not_found(code: int, text: str) -> web.HTTPException:
    """Return a 404, to be raised."""
    return error(404, code, text)


def too_many(seconds: float, *, everywhere: bool = False) -> web.Response:
    """Return a 429 that asks the bot to wait; `everywhere` is the limit of the whole bot."""
    wait = max(0.001, round(seconds, 3))
    body = {"message": "You are being rate limited.", "retry_after": wait, "global": everywhere}
    about = {
        "Content-Type": _JSON_TYPE,
        "Retry-After": str(wait),
        "X-RateLimit-Scope": "global" if everywhere else "user",
        "Via": "1.1 google",  # discord.py takes a 429 without it for a ban
    }
    if everywhere:
        about["X-RateLimit-Global"] = "true"
    return web.Response(status=429, body=json.dumps(body).encode(), headers=about)
